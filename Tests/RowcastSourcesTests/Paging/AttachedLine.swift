@testable import RowcastSources
@testable import RowcastStore

/// A binding, and a reader of its statuses that outlives it.
@MainActor final class AttachedLine {
  typealias Line = PagingModel.Line

  var binding: SourceBinding?
  private var (latest, isOver): (SourceStatus?, Bool) = (nil, false)

  init(_ binding: SourceBinding) {
    self.binding = binding
    let statuses = binding.statuses
    Task {
      for await status in statuses { latest = status }
      isOver = true
    }
  }

  /// What all observers see of the line.
  func seen(asks: Bool) async throws -> Line.Seen {
    guard let latest else { throw Mismatch("no status was read") }
    let status = try Line.Status(latest)
    try Mismatch.unless(isOver == status.isFinal, "after \(status), the statuses \(isOver ? "end" : "do not end")")
    if let binding {
      let other = try await Line.Status(binding.status)
      try Mismatch.unless(other == status, "the status is \(other), and \(status) was read")
      if status.isFinal {
        let outcome = try await Line.Status(binding.outcome)
        try Mismatch.unless(outcome == status, "the outcome is \(outcome), and \(status) was read")
      }
    }
    return Line.Seen(status: status, asks: asks)
  }
}

extension PagingModel.Line.Status {
  init(_ status: SourceStatus) throws {
    switch status {
    case .connecting: self = .connecting
    case .live: self = .live
    case .ended: self = .ended
    case .cancelled: self = .cancelled
    case .failed(let error): self = .failed(PagingModel.Fault(error))
    case .waiting(let attempt, let delay, let error):
      let fault = PagingModel.Fault(error)
      let seconds = PagingModel.Line.delay(attempt, fault)
      try Mismatch.unless(delay == seconds.map { .seconds($0) }, "waits \(delay) after failure \(attempt), \(fault)")
      self = .waiting(attempt, fault)
    }
  }
}

extension PagingModel.Fault {
  init(_ error: any Error) {
    self =
      switch error {
      case let fault as Self: fault
      case is CancellationError: .cancelled
      case is ListStoreError: .finished
      case is PagingError: .own
      case is SourceEnded: .ended
      case WireError.missingEnd: .missingEnd
      default: .list
      }
  }
}

extension PagingModel.Phase {
  init(_ phase: SectionPhase) {
    switch phase {
    case .idle: self = .idle
    case .loading: self = .loading
    case .loaded: self = .loaded
    case .empty: self = .empty
    case .failed(let message, let retry):
      let fault: PagingModel.Fault =
        switch message {
        case "\(CancellationError())": .cancelled
        case "\(SourceEnded())": .ended
        default: PagingModel.Fault(rawValue: message) ?? .list
        }
      self = .failed(fault, isAutomatic: retry == .automatic)
    }
  }
}

import RowcastDiff
public import RowcastModel

/// Why a recorded stream is not what a test expects.
public enum RecorderError<Section: SectionViewModel, Row: RowViewModel>: Error {
  /// The next update is another one.
  case unexpected(expected: String, got: ListUpdate<Section, Row>)
  /// The stream ended where an update was expected.
  case ended(expected: String)
  /// There is an update that the test did not expect.
  case notAsserted(ListUpdate<Section, Row>)
  /// The update does not start where the one before it ended.
  case gap(after: Int?, got: ListUpdate<Section, Row>)
  /// The update is not the first, and changes nothing.
  case empty(ListUpdate<Section, Row>)
  /// Applying the changes does not give the update's list.
  case wrongFold(ListUpdate<Section, Row>)
  /// A strict table would refuse the update.
  case refused(BatchError)
  /// No update came within the time limit.
  case late(expected: String, after: Duration)
  /// The task that waits for an update was cancelled, which ends the stream.
  case cancelled(expected: String)
}

extension RecorderError: CustomStringConvertible {
  /// What was expected and what came, with the values.
  public var description: String {
    switch self {
    case .unexpected(let expected, let got): "expected \(expected), got \(Self.text(got))"
    case .ended(let expected): "expected \(expected), but the stream has ended"
    case .notAsserted(let update): "an update that no expectation asked for: \(Self.text(update))"
    case .gap(let revision, let got):
      "a gap: after \(revision.map { "revision \($0)" } ?? "nothing") comes \(Self.text(got))"
    case .empty(let update): "an update that changes nothing: \(Self.text(update))"
    case .wrongFold(let update): "the changes do not lead to the list: \(Self.text(update))"
    case .refused(let error): error.description
    case .late(let expected, let limit): "expected \(expected), but nothing came within \(limit)"
    case .cancelled(let expected): "expected \(expected), but the waiting task was cancelled"
    }
  }

  private static func text(_ update: ListUpdate<Section, Row>) -> String {
    guard let previous = update.previous else {
      return "the whole list at revision \(update.revision): \(update.snapshot.rowCount) rows in "
        + "\(update.snapshot.sectionCount) sections"
    }
    return "revision \(previous) to \(update.revision): \(update.changes)"
  }
}

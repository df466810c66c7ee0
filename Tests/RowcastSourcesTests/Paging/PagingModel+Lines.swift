extension PagingModel {
  /// An attached source, or a mirror that follows the list.
  struct Line: Hashable {
    enum Status: Hashable {
      case connecting, live, ended, cancelled
      case waiting(Int, Fault)
      case failed(Fault)

      var isFinal: Bool {
        switch self {
        case .connecting, .live, .waiting: false
        case .ended, .cancelled, .failed: true
        }
      }
    }

    struct Event: Hashable {
      var ops: [Op]
      /// It is refused; then the source stops, or proceeds.
      var isRefused = false
      var proceeds = false
    }

    enum Action: Hashable {
      /// What the server does.
      case accept, ends
      case refuse(Fault)
      case event(Event)
      case breaks(Fault)
      /// What a mirror gets: the list at a revision, and the end if that is the last one.
      case deliver(revision: Int, isEnd: Bool)
      /// What the app does.
      case retry, cancel
    }

    /// When events are applied, in seconds.
    enum Window: Hashable {
      case throttle(Int)
      case debounce(Int, atMost: Int)
    }

    struct Seen: Hashable {
      let status: Status
      /// True if a connection is asked for.
      let asks: Bool
    }

    let window: Window?
    let endsAreFailures: Bool
    let isMirror: Bool
    var status = Status.connecting
    var isConnected = false
    var (failures, hasNews): (Int, Bool) = (0, false)
    /// The times of the first message of the attempt, and of the next attempt.
    var (first, due): (Int?, Int?) = (nil, nil)
    var held: [Event] = []
    var (oldest, newest): (Int, Int) = (0, 0)
    var delivered: Int?

    init(window: Window? = nil, endsAreFailures: Bool = false, isMirror: Bool = false) {
      (self.window, self.endsAreFailures, self.isMirror) = (window, endsAreFailures, isMirror)
    }

    var asks: Bool { status == .connecting && !isConnected }
    var seen: Seen { Seen(status: status, asks: asks) }

    /// The time at which the pending events are applied.
    var deadline: Int {
      switch window {
      case nil: oldest
      case .throttle(let period): delivered.map { $0 + period } ?? oldest
      case .debounce(let quiet, let limit): min(newest + quiet, oldest + limit)
      }
    }

    /// The wait after failures in a row, in seconds.
    static func delay(_ failures: Int, _ fault: Fault) -> Int? {
      if failures > 3 { return nil }
      switch fault {
      case .busy: return 3
      case .refused: return nil
      default: return min(1 << (failures - 1), 4)
      }
    }
  }

  mutating func perform(_ action: Line.Action, on index: Int) {
    guard let line = lines[index], !line.status.isFinal else { return }
    switch action {
    case .accept: if line.asks { lines[index]?.isConnected = true }
    case .refuse(let fault): if line.asks { fail(fault, index) }
    case .event(let event): if line.isConnected { take(event, index) }
    case .breaks(let fault): if line.isConnected, flush(index) { fail(fault, index) }
    case .ends:
      guard line.isConnected, flush(index) else { return }
      if line.isMirror {
        fail(.missingEnd, index)
      } else if line.endsAreFailures {
        fail(.ended, index)
      } else {
        end(.ended, index)
      }
    case .deliver(let revision, let isEnd):
      guard line.isConnected else { return }
      begin(index)
      if revision > mirrored { lines[index]?.hasNews = true }
      mirrored = max(mirrored, revision)
      if isEnd { end(.ended, index) }
    case .retry: if case .waiting = line.status { connect(index) }
    case .cancel: end(.cancelled, index)
    }
  }

  mutating func pass(_ seconds: Int) {
    now += seconds
    for index in lines.indices {
      guard let line = lines[index], !line.status.isFinal else { continue }
      if !line.held.isEmpty, line.deadline <= now { _ = flush(index) }
      if let due = line.due, due <= now { connect(index) }
    }
  }

  private mutating func connect(_ index: Int) {
    lines[index]?.status = .connecting
    lines[index]?.due = nil
    note(.loading, index)
  }

  /// The first message of an attempt.
  private mutating func begin(_ index: Int) {
    guard lines[index]?.first == nil else { return }
    lines[index]?.first = now
    lines[index]?.status = .live
  }

  private mutating func take(_ event: Line.Event, _ index: Int) {
    guard let line = lines[index] else { return }
    guard line.window != nil else {
      if apply(event, index) {
        begin(index)
        lines[index]?.hasNews = true
      }
      return
    }
    begin(index)
    lines[index]?.hasNews = true
    if line.held.isEmpty { lines[index]?.oldest = now }
    lines[index]?.newest = now
    lines[index]?.held.append(event)
    if let line = lines[index], line.deadline <= now { _ = flush(index) }
  }

  /// Applies the pending events, all together, or each if one is refused. Returns `false` if that is the end.
  private mutating func flush(_ index: Int) -> Bool {
    guard let events = lines[index]?.held, !events.isEmpty else { return true }
    lines[index]?.held = []
    lines[index]?.delivered = now
    if events.count > 1 {
      let all = Line.Event(ops: events.flatMap(\.ops), isRefused: events.contains(where: \.isRefused), proceeds: true)
      if !all.isRefused { return apply(all, index) }
    }
    return events.allSatisfy { apply($0, index) }
  }

  /// Returns `false` if that is the end.
  private mutating func apply(_ event: Line.Event, _ index: Int) -> Bool {
    do {
      try edit {
        $0.apply(event.ops)
        if event.isRefused { throw Fault.rejected }
        try? $0.markLoaded("b")
      }
    } catch {
      if error as? Fault == .rejected, event.proceeds {
        try? edit { try $0.markLoaded("b") }
        return true
      }
      end(.failed(error as? Fault ?? .list), index)
      return false
    }
    return true
  }

  private mutating func fail(_ fault: Fault, _ index: Int) {
    guard let line = lines[index] else { return }
    let endsRow = line.hasNews || line.first.map { now - $0 >= 30 } ?? false
    let failures = endsRow ? 1 : line.failures + 1
    guard let delay = Line.delay(failures, fault) else { return end(.failed(fault), index) }
    var next = Line(window: line.window, endsAreFailures: line.endsAreFailures, isMirror: line.isMirror)
    (next.status, next.failures, next.due) = (.waiting(failures, fault), failures, now + delay)
    lines[index] = next
    note(.failed(fault, isAutomatic: true), index)
  }

  private mutating func end(_ status: Line.Status, _ index: Int) {
    lines[index]?.status = status
    lines[index]?.due = nil
    switch status {
    case .failed(let fault): note(.failed(fault, isAutomatic: false), index)
    case .ended: if index == 0 { try? edit { try $0.markLoaded("b") } }
    case .cancelled:
      switch parts.first(where: { $0.id == "b" })?.phase {
      case .loading, .failed(_, isAutomatic: true): note(.idle, index)
      default: break
      }
    case .connecting, .live, .waiting: break
    }
  }

  /// Shows the status of the source in its section.
  private mutating func note(_ phase: Phase, _ index: Int) {
    if index == 0 { try? edit { try $0.setPhase(phase, of: "b") } }
  }
}

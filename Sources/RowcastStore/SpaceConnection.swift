import RowcastModel

/// What one connection was sent of the lists of a space, and what it is sent next, for one task at a time.
final actor SpaceConnection<Lists> {
  private let space: ListSpace
  private let parts: [any SpacePart<Lists>]
  private let position: [ListPosition]
  private let heartbeat: Duration?
  private let clock: AnyClock
  /// The states that the other end has; empty before the first look at the lists.
  private var sent: [SpaceState?] = []
  /// The positions that were looked at last.
  private var seen: [ListPosition] = []
  /// The number of lines.
  private var count = 0
  private var hasEnded = false

  init(
    _ space: ListSpace, _ parts: [any SpacePart<Lists>], since position: [ListPosition], heartbeat: Duration?,
    on clock: AnyClock
  ) {
    (self.space, self.parts, self.position, self.clock) = (space, parts, position, clock)
    self.heartbeat = heartbeat.map { max($0.asWait, .milliseconds(1)) }
  }

  /// The next line: as soon as a list has changed, or without news at the time of a heartbeat. `nil` after that to the end of all
  /// lists, or if the task is cancelled.
  ///
  /// `make` makes the line of a step; if it returns `nil`, the next line has the changes, too.
  func next<Line: Sendable>(_ make: @Sendable (SpaceStep) async -> Line?) async -> Line? {
    while let step = await step() {
      let line = await make(step)
      // A cancelled task gets nothing, even if there was something.
      if Task.isCancelled { return nil }
      guard let line else { continue }
      (sent, count) = (step.newest, count + 1)
      return line
    }
    return nil
  }

  private func step() async -> SpaceStep? {
    let deadline = heartbeat.map { clock.now + $0 }
    while !Task.isCancelled {
      let signal = Signal()
      let (newest, starts, waiters) = await onSharedExecutor { [space, parts, position, seen] in
        await space.perform {
          let newest = parts.map { $0.newest() }
          let isNews = newest.map { $0.position } != seen
          return (
            newest, seen.isEmpty ? parts.map { $0.state(at: position) } : [],
            isNews ? nil : zip(parts, newest).map { $0.addWaiter(signal, after: $1.position.revision) }
          )
        }
      }
      if sent.isEmpty { sent = starts }
      guard let waiters else {
        seen = newest.map { $0.position }
        return SpaceStep(former: sent, newest: newest, count: count)
      }
      if newest.allSatisfy({ $0.isFinished }) {
        // The end is at what the other end has.
        guard sent.map({ $0?.position }) == seen, !hasEnded, newest.allSatisfy({ $0.isEnded }) else { return nil }
        hasEnded = true
        return SpaceStep(former: sent, newest: newest, count: count, isEnd: true)
      }
      // A heartbeat repeats that. The newest lists may be others, which cannot be encoded.
      let repeated = sent.compactMap { $0 }
      let next = repeated.count == parts.count ? deadline : nil
      await signal.wait(until: next, on: clock)
      await onSharedExecutor { [space, parts] in
        await space.perform { for (part, waiter) in zip(parts, waiters) { part.removeWaiter(waiter) } }
      }
      if let next, clock.now >= next { return SpaceStep(former: sent, newest: repeated, count: count) }
    }
    return nil
  }
}

/// What a line leads from and to.
struct SpaceStep: Sendable {
  let former: [SpaceState?]
  let newest: [SpaceState]
  /// The number of lines before.
  let count: Int
  var isEnd = false

  /// The positions of all lists as one, for a cache of lines. The end counts the lines before it.
  var span: (start: ListPosition, end: ListPosition) {
    let ends = [former, newest].map { $0.map { $0.map { String($0.position) } ?? "" }.joined(separator: "\n") }
    return (ListPosition(epoch: ends[0], revision: 0), ListPosition(epoch: ends[1], revision: isEnd ? count + 1 : 0))
  }
}

/// A state of one list of a space, whatever the types of its list.
struct SpaceState: Sendable {
  /// A ``ListState``.
  let state: any Sendable
  let position: ListPosition
  /// True if the store does not change any more, and if the list does not in any store.
  var isFinished = false
  var isEnded = false
}

/// A store of a space, and the field of its messages.
struct StorePart<Lists, Section: WireSection, Row: RowViewModel & Codable>: SpacePart {
  let core: StoreCore<Section, Row>
  let field: any WritableKeyPath<Lists, WireMessage<Section, Row>?> & Sendable
}

/// A ``StorePart`` without the types of its list. All but ``write(_:at:into:)`` is called on the executor of the space.
protocol SpacePart<Lists>: Sendable {
  associatedtype Lists
  associatedtype Section: WireSection
  associatedtype Row: RowViewModel & Codable

  var core: StoreCore<Section, Row> { get }
  var field: any WritableKeyPath<Lists, WireMessage<Section, Row>?> & Sendable { get }
}

extension SpacePart {
  /// True if the part has the store or the field.
  func has(_ store: any Actor, _ field: AnyKeyPath) -> Bool { core === store || self.field == field }

  func newest() -> SpaceState {
    core.assumeIsolated {
      SpaceState(state: $0.state, position: $0.state.position, isFinished: $0.isFinished, isEnded: $0.isEnded)
    }
  }

  /// The state at one of some positions.
  func state(at positions: [ListPosition]) -> SpaceState? {
    core.assumeIsolated { core in
      positions.lazy.compactMap { core.state(at: $0) }.first.map { SpaceState(state: $0, position: $0.position) }
    }
  }

  func addWaiter(_ signal: Signal, after revision: Int) -> WaiterList.Token? {
    core.assumeIsolated { $0.addWaiter(signal, after: revision) }
  }

  func removeWaiter(_ token: WaiterList.Token?) { if let token { core.assumeIsolated { $0.removeWaiter(token) } } }

  /// Writes the message of a step.
  func write(_ step: SpaceStep, at index: Int, into lists: inout Lists) {
    let (former, newest) = (step.former[index], step.newest[index])
    if step.isEnd {
      lists[keyPath: field] = .end(
        revision: newest.position.revision, updates: step.count, epoch: newest.position.epoch)
    } else if let state = newest.state as? ListState<Section, Row> {
      lists[keyPath: field] = state.message(since: former?.state as? ListState<Section, Row>)
    }
  }
}

import RowcastDiff
public import RowcastModel

/// Which former versions of its list a store keeps, for subscribers and mirrors that come back.
///
/// Versions share structure: keeping one costs what was changed between it and the next, a path of nodes for each
/// transaction that changed one row: about 2.5 KB at 100,000 rows.
public enum ListHistory: Hashable, Sendable {
  /// None: a subscriber that comes back gets the whole list.
  case none
  /// The versions before the newest one, as many as this.
  case last(Int)
  /// The versions that were the newest one in the time up to now. They go when their time has passed, also if nothing else
  /// happens.
  case within(Duration)
}

/// The former states of a store, the oldest first; part of the actor whose states they are.
@usableFromInline
struct StateHistory<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  private struct Entry: Sendable {
    let state: ListState<Section, Row>
    /// When the next state took its place, since the store was made.
    let end: Duration
  }

  private let limit: ListHistory
  /// The time since the store was made.
  private let elapsed: @Sendable () -> Duration
  /// By revision; their revisions are consecutive.
  private var entries: [Int: Entry] = [:]
  /// The revision of the oldest state, if there is one.
  private var first = 0

  /// - Returns: `nil` for no history.
  /// - Precondition: The number of versions, or the time, is not negative.
  init?(_ limit: ListHistory, elapsed: @escaping @Sendable () -> Duration) {
    switch limit {
    case .none: return nil
    case .last(let count): require(count >= 0, "A history cannot have \(count) versions")
    case .within(let age): require(age >= .zero, "A history cannot be \(age) long")
    }
    self.limit = limit
    self.elapsed = elapsed
  }

  /// The number of states that are kept.
  var count: Int { entries.count }

  /// Keeps a state that is not the newest any more, and drops those that are beyond the limit.
  ///
  /// - Complexity: O(1), amortised.
  mutating func append(_ state: ListState<Section, Row>) {
    if entries.isEmpty { first = state.revision }
    assert(state.revision == first + count, "revision \(state.revision) follows \(count) from \(first) on")
    entries[state.revision] = Entry(state: state, end: elapsed())
    dropOld()
  }

  /// The state at a revision, if it is kept.
  mutating func state(at revision: Int) -> ListState<Section, Row>? {
    dropOld()
    return entries[revision]?.state
  }

  /// Drops the states that are too old.
  ///
  /// - Returns: The time until the next one is; `nil` if there will be none.
  mutating func timeToNextDrop() -> Duration? {
    dropOld()
    guard case .within(let age) = limit, let oldest = entries[first] else { return nil }
    return min(oldest.end + age - elapsed() + .nanoseconds(1), .seconds(86_400))
  }

  private mutating func dropOld() {
    let now = elapsed()
    while let oldest = entries[first], isBeyondLimit(oldest, now) {
      entries[first] = nil
      first += 1
    }
    assert(entries.isEmpty || entries[first] != nil, "\(count) states are kept, and none at \(first)")
  }

  private func isBeyondLimit(_ oldest: Entry, _ now: Duration) -> Bool {
    switch limit {
    case .none: true
    case .last(let most): count > most
    case .within(let age): now - oldest.end > age
    }
  }
}

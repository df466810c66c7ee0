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
  /// The versions that were the newest one in the time up to now.
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
  /// States with consecutive revisions, behind ``dropped`` places that are free.
  private var entries: [Entry?] = []
  private var dropped = 0

  /// - Returns: `nil` for no history.
  /// - Precondition: The number of versions, or the time, is not negative.
  init?(_ limit: ListHistory, elapsed: @escaping @Sendable () -> Duration) {
    switch limit {
    case .none: return nil
    case .last(let count): precondition(count >= 0, "A history cannot have \(count) versions")
    case .within(let age): precondition(age >= .zero, "A history cannot be \(age) long")
    }
    self.limit = limit
    self.elapsed = elapsed
  }

  /// The number of states that are kept.
  var count: Int { entries.count - dropped }

  /// Keeps a state that is not the newest any more, and drops those that are beyond the limit.
  ///
  /// - Complexity: O(1), amortised.
  mutating func append(_ state: ListState<Section, Row>) {
    assert(
      entries.last.map { $0?.state.revision == state.revision - 1 } ?? true,
      "revision \(state.revision) after \(entries.last??.state.revision ?? -1)")
    entries.append(Entry(state: state, end: elapsed()))
    dropOld()
  }

  /// The state at a revision, if it is kept.
  mutating func state(at revision: Int) -> ListState<Section, Row>? {
    dropOld()
    guard let first = entries.last??.state.revision.advanced(by: 1 - count), count > 0, revision >= first,
      revision - first < count
    else { return nil }
    return entries[dropped + revision - first]?.state
  }

  private mutating func dropOld() {
    switch limit {
    case .none: break
    case .last(let most): while count > most { dropFirst() }
    case .within(let age):
      let now = elapsed()
      while count > 0, let entry = entries[dropped], now - entry.end > age { dropFirst() }
    }
    // Places are moved up when half of them are free, so that each is moved once on average.
    if dropped > 32, dropped * 2 > entries.count {
      entries.removeFirst(dropped)
      dropped = 0
    }
    assert(
      dropped <= entries.count && (count == 0 || entries[dropped] != nil)
        && (dropped == 0 || entries[dropped - 1] == nil),
      "\(dropped) of \(entries.count) places are free, and not the first ones")
  }

  private mutating func dropFirst() {
    entries[dropped] = nil
    dropped += 1
  }
}

import RowcastDiff
public import RowcastModel

/// The former versions of its list that a store keeps, for subscribers and mirrors that reconnect.
///
/// Versions share structure: each costs what the next one changed. A transaction that changed one row costs a path of nodes,
/// about 2.5 KB at 100,000 rows.
public enum ListHistory: Hashable, Sendable {
  /// None: a subscriber that reconnects gets the whole list.
  case none
  /// This many versions before the newest one.
  case last(Int)
  /// The versions that were the newest one at some time in the past `Duration`. They are dropped when they are older, even if
  /// nothing else happens.
  case within(Duration)
}

/// The former states of a store, part of its actor.
@usableFromInline
struct StateHistory<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// A state, and the time at which the next one took its place.
  private typealias Entry = (state: ListState<Section, Row>, end: Duration)

  private let limit: ListHistory
  private let clock: AnyClock
  private var entries: [Int: Entry] = [:]
  /// The revisions of the states, in ascending order. Revisions of an earlier run may have gaps.
  private var revisions: ArraySlice<Int> = []

  /// - Returns: `nil` for no history.
  /// - Precondition: The number of versions, or the time, is not negative.
  init?(_ limit: ListHistory, clock: AnyClock) {
    switch limit {
    case .none: return nil
    case .last(let count): require(count >= 0, "A history cannot have \(count) versions")
    case .within(let age): require(age >= .zero, "A history cannot be \(age) long")
    }
    self.limit = limit
    self.clock = clock
  }

  var count: Int { entries.count }

  /// The revision of the oldest state that is kept.
  var oldest: Int? { revisions.first }

  /// Keeps a state that is no longer the newest, and drops those beyond the limit. O(1), amortised.
  @usableFromInline
  mutating func append(_ state: ListState<Section, Row>) {
    assert(revisions.last ?? -1 < state.revision, "revision \(state.revision) follows \(revisions.suffix(1))")
    revisions.append(state.revision)
    entries[state.revision] = (state, clock.now)
    dropOld()
  }

  /// The state at a revision, or `nil` if it is not kept.
  mutating func state(at revision: Int) -> ListState<Section, Row>? {
    dropOld()
    return entries[revision]?.state
  }

  /// Drops the states that are too old. Returns when the next one is, or a day from now if that is earlier, on the clock;
  /// `nil` if there is none.
  mutating func nextDrop() -> Duration? {
    dropOld()
    guard case .within(let age) = limit, let first = revisions.first, let oldest = entries[first] else { return nil }
    return min(oldest.end + age + .nanoseconds(1), clock.now + .seconds(86_400))
  }

  private mutating func dropOld() {
    let now = clock.now
    while let first = revisions.first, let oldest = entries[first] {
      let isBeyondLimit =
        switch limit {
        case .none: true
        case .last(let most): count > most
        case .within(let age): now - oldest.end > age
        }
      if !isBeyondLimit { break }
      entries[first] = nil
      revisions.removeFirst()
    }
    assert(
      entries.count == revisions.count && revisions.first.map { entries[$0] != nil } ?? true,
      "\(count) states are kept, of the revisions \(revisions)")
  }
}

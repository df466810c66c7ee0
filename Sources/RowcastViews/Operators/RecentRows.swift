public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The rows of a list that are not older than an interval.
@usableFromInline
final class RecentRows<Section: SectionViewModel, Row: RowViewModel, Time: Strideable> where Time.Stride == Double {
  @usableFromInline typealias List = ListSnapshot<Section, Row>
  @usableFromInline typealias RowTime = (time: Time, row: Row.ID)

  @usableFromInline let time: (Row) -> Time
  /// The interval in seconds.
  @usableFromInline let interval: Double
  @usableFromInline var placement: Placement<Section, Row, Section, Row, Never>
  /// The times of the rows that are shown and will expire.
  @usableFromInline var times: MergeTree<Row.ID, RowTime>
  /// The time at which the list was made.
  @usableFromInline var now: Time

  @inlinable
  init(_ time: @escaping (Row) -> Time, within interval: Double, at now: Time, index: SourceIndex<Section, Row>) {
    (self.time, self.interval, self.now) = (time, interval, now)
    placement = Placement(.unchanged, index: index)
    times = MergeTree { $1.time < $0.time ? $1 : $0 }
  }

  @inlinable
  func isRecent(_ time: Time) -> Bool { time.distance(to: now) < interval }

  /// Returns a row if it is recent.
  @inlinable var passing: (Row) -> Row? {
    { [time, interval, now] in time($0).distance(to: now) < interval ? $0 : nil }
  }

  /// The seconds until the next row expires; `nil` if none will.
  @inlinable
  func secondsLeft(at now: Time) -> Double? { times.root.map { interval - $0.time.distance(to: now) } }

  /// Returns true if a row has expired, or the time went back.
  @inlinable
  func isDue(at now: Time) -> Bool { !(self.now <= now) || secondsLeft(at: now).map { !($0 > 0) } ?? false }

  /// Makes the output anew. Takes O(n) for n rows.
  @inlinable
  func rebuild(from list: List, at now: Time) {
    self.now = now
    placement.rebuild(from: list, passing)
    var shown: [RowTime] = []
    for row in placement.output.snapshot.allRows {
      let time = time(row)
      if expires(time) { shown.append((time, row.id)) }
    }
    times.rebuild(shown.map(\.row), shown)
    checkInvariants()
  }

  /// Brings the output up to date with the list and the time. Returns true if it changed.
  /// Takes O(log n) for each row that changed or expired.
  @inlinable
  func step(from before: List, to after: List, at now: Time) -> Bool {
    let output = placement.output
    let former = output.snapshot
    let changes = before.changes(to: after)
    placement.index.follow(changes, to: after)
    if !(self.now <= now) {
      rebuild(from: after, at: now)
      return output.commit(from: former)
    }
    self.now = now
    placement.step(changes, from: before, to: after, passing)
    let touched = TouchedRows(contentOf: changes, from: before, to: after)
    for path in touched.leaving { times.remove(before.row(at: path).id) }
    for path in touched.current {
      let row = after.row(at: path)
      let time = time(row)
      times.remove(row.id)
      if isRecent(time), expires(time) { times.insert((time, row.id), for: row.id) }
    }
    while let first = times.root, !isRecent(first.time) {
      times.remove(first.row)
      if let path = output.path(ofRow: first.row) { output.draft.removeRow(at: path) }
    }
    checkInvariants()
    return output.commit(from: former)
  }

  /// Returns false for a time that never comes.
  @inlinable
  func expires(_ time: Time) -> Bool { time.distance(to: now) > -.infinity }

  /// Checks, in debug builds, that the times are those of rows that are shown.
  @inlinable
  func checkInvariants() {
    assert(
      times.ids.count <= placement.output.snapshot.rowCount,
      "\(times.ids.count) of \(placement.output.snapshot.rowCount) rows will expire")
  }
}

extension ListNode {
  /// The rows of another list that are not older than an interval in seconds.
  @inlinable
  static func recent<Time: Strideable>(
    _ upstream: ListNode, _ time: @escaping (Row) -> Time, within interval: Double, now: @escaping () -> Time,
    waking wakeTime: WakeTime
  ) -> ListNode where Time.Stride == Double {
    var (moment, list) = (now(), Snapshot())
    let operation = RecentRows<Section, Row, Time>(
      time, within: interval, at: moment, index: SourceIndex(shared: upstream.path))
    return derived(
      pull: {
        let isChanged = upstream.pull()
        wakeTime.begin()
        moment = now()
        wakeTime.set(in: operation.secondsLeft(at: moment))
        guard operation.isDue(at: moment) else { return isChanged }
        wakeTime.noteChange()
        return true
      },
      rebuild: {
        list = upstream.snapshot()
        operation.rebuild(from: list, at: moment)
        wakeTime.set(in: operation.secondsLeft(at: moment))
      },
      step: {
        let after = upstream.snapshot()
        defer { wakeTime.set(in: operation.secondsLeft(at: moment)) }
        return operation.step(from: exchange(&list, with: after), to: after, at: moment)
      },
      snapshot: { operation.placement.output.snapshot }, path: { operation.placement.output.path(ofRow: $0) },
      failures: upstream.failures)
  }
}

extension Arrangement {
  /// Keeps the rows that are younger than an interval: the messages of the last five minutes.
  ///
  ///     .recent(\.date, within: .seconds(300), now: { .now })  // a `Date` of Foundation
  ///
  /// A row leaves the list when its time has come, in an update of its own. While a task waits for updates, one timer waits for
  /// the next row to expire; without such a task there is none. A row of the future is shown, and one whose time is not a number
  /// is not. Rows follow a time that is set forward within a minute. If it goes back, the rows that are young again return when
  /// the list is read next: within a minute while somebody waits and a row is shown that will expire.
  ///
  /// - Parameters:
  ///   - time: The time of a row: a `Date`, or a number of seconds. It is asked a fixed number of times for each row that
  ///     changed.
  ///   - interval: The age at which a row is left out.
  ///   - now: The present time. It is asked when the list is read.
  ///   - clock: The clock of the timer.
  /// - Returns: The arrangement with this operator at its end. A list ends when its source has ended and no row is left that
  ///   will expire.
  /// - Complexity: O(log n) for each row of n that changed or expired; O(n) if the time went back.
  @inlinable
  public func recent<Time: Strideable & Sendable>(
    _ time: @escaping @Sendable (Row) -> Time, within interval: Duration, now: @escaping @Sendable () -> Time,
    clock: some Clock<Duration> = ContinuousClock()
  ) -> Arrangement where Time.Stride == Double {
    let clock = AnyClock(clock)
    return .init("it is too old") { builder, tail in
      ListNode.recent(
        builder.node(of: self), time, within: interval / .seconds(1), now: now,
        waking: builder.upstreams.wakeTime(on: clock)
      ).ending(with: tail)
    }
  }
}

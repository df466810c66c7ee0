public import RowcastDiff
public import RowcastModel
public import RowcastStore

extension ListNode {
  /// The rows of another list that are not older than an interval in seconds.
  @inlinable
  static func recent<Time: Strideable>(
    _ upstream: ListNode, _ time: @escaping (Row) -> Time, within interval: Double, now: @escaping () -> Time,
    waking wakeTime: UpstreamState<Duration>, on clock: AnyClock
  ) -> ListNode where Time.Stride == Double {
    var placement = Placement<Section, Row, Section, Row, Never>(of: upstream)
    let output = placement.output
    /// The times of the rows that are shown and will expire.
    let times = MergeTree<Row.ID, (time: Time, row: Row.ID)> { $1.time < $0.time ? $1 : $0 }
    var list = Snapshot()
    /// The present time.
    var moment = now()
    /// The time at which the list was made.
    var made = moment
    /// The time on the clock before the list read its own time: work after that does not shorten the wait.
    var start = Duration.zero
    /// The seconds until the next row expires; `nil` if none will.
    func secondsLeft() -> Double? { times.root.map { interval - $0.time.distance(to: moment) } }
    func hasGoneBack() -> Bool { !(made <= moment) }
    func isRecent(_ time: Time) -> Bool { time.distance(to: made) < interval }
    /// False for a time that is never reached.
    func expires(_ time: Time) -> Bool { time.distance(to: made) > -.infinity }
    /// Returns a row if it is recent.
    func passing() -> (Row) -> Row? { { [made] in time($0).distance(to: made) < interval ? $0 : nil } }
    func check() {
      assert(
        times.ids.count <= output.snapshot.rowCount,
        "\(times.ids.count) of \(output.snapshot.rowCount) rows will expire")
    }
    /// Takes O(n) for n rows.
    func rebuild() {
      made = moment
      placement.rebuild(from: list, passing())
      var shown: [(time: Time, row: Row.ID)] = []
      for row in output.snapshot.allRows {
        let time = time(row)
        if expires(time) { shown.append((time, row.id)) }
      }
      times.rebuild(shown.map(\.row), shown)
      check()
    }
    /// Takes O(log n) for each row that changed or expired.
    func step(_ changes: ListChanges, from before: Snapshot) {
      placement.index.follow(changes, to: list)
      if hasGoneBack() { return rebuild() }
      made = moment
      placement.step(changes, from: before, to: list, passing())
      let touched = TouchedRows(contentOf: changes, from: before, to: list)
      for path in touched.leaving { times.remove(before.row(at: path).id) }
      for path in touched.current {
        let row = list.row(at: path)
        let time = time(row)
        if isRecent(time), expires(time) { times.set((time, row.id), for: row.id) } else { times.remove(row.id) }
      }
      while let first = times.root, !isRecent(first.time) {
        times.remove(first.row)
        if let path = output.path(ofRow: first.row) { output.draft.removeRow(at: path) }
      }
      check()
    }
    return derived(
      pull: {
        let isChanged = upstream.pull()
        start = clock.now
        moment = now()
        wakeTime.set(in: secondsLeft(), after: start)
        guard hasGoneBack() || secondsLeft().map({ !($0 > 0) }) ?? false else { return isChanged }
        wakeTime.noteChange()
        return true
      },
      rebuild: {
        list = upstream.snapshot()
        rebuild()
        wakeTime.set(in: secondsLeft(), after: start)
      },
      step: {
        let former = output.snapshot
        let before = exchange(&list, with: upstream.snapshot())
        step(before.changes(to: list), from: before)
        wakeTime.set(in: secondsLeft(), after: start)
        return output.commit(from: former)
      },
      snapshot: { output.snapshot }, path: { output.path(ofRow: $0) }, failures: upstream.failures)
  }
}

extension Arrangement {
  /// Keeps the rows that are younger than an interval: the messages of the last five minutes.
  ///
  ///     .recent(\.date, within: .seconds(300), now: { .now })  // a `Date` of Foundation
  ///
  /// A row is removed when it expires, in an update of its own. While a task waits for updates, one timer waits for the next row
  /// to expire; without such a task there is no timer. A row of the future is shown, and a row whose time is not a number is not.
  /// If the present time is set forward, rows follow within a minute. If it is set back, rows that are young again return when
  /// the list is read next: within a minute while a task waits and a row is shown that will expire.
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
        waking: builder.upstreams.wakeTime(on: clock), on: clock
      ).ending(with: tail)
    }
  }
}

public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The rows of a list that are not older than an interval in seconds.
@usableFromInline
struct RecentRows<Section: SectionViewModel, Row: RowViewModel, Time: Strideable>: ListOperator
where Time.Stride == Double {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>
  /// A list, and the present time.
  @usableFromInline typealias Input = (list: Snapshot, now: Time)
  /// The times of rows, merged to the first of them.
  @usableFromInline typealias Times = MergeTree<Row.ID, (time: Time, row: Row.ID)>

  @usableFromInline let time: (Row) -> Time
  @usableFromInline let interval: Double
  @usableFromInline var placement: Placement<Section, Row, Section, Row, Never>
  /// The times of the rows that are shown and will expire.
  @usableFromInline let times = Times { $1.time < $0.time ? $1 : $0 }

  @inlinable
  init(_ upstream: ListNode<Section, Row>, _ time: @escaping (Row) -> Time, within interval: Double) {
    (self.time, self.interval) = (time, interval)
    placement = Placement(of: upstream)
  }

  @inlinable var output: ListOutput<Section, Row> { placement.output }

  /// Returns a row if it is recent.
  @inlinable
  func passing(_ now: Time) -> (Row) -> Row? {
    { [time, interval] in time($0).distance(to: now) < interval ? $0 : nil }
  }

  /// False for a time that is never reached.
  @inlinable
  func expires(_ time: Time, _ now: Time) -> Bool { time.distance(to: now) > -.infinity }

  /// Takes O(n) for n rows.
  @inlinable
  mutating func rebuild(from input: Input) {
    placement.rebuild(from: input.list, passing(input.now))
    var shown: [(time: Time, row: Row.ID)] = []
    for row in output.snapshot.allRows {
      let time = time(row)
      if expires(time, input.now) { shown.append((time, row.id)) }
    }
    times.rebuild(shown.map(\.row), shown)
  }

  @inlinable
  func change(from before: Input, to after: Input) -> (list: ListChanges, hasTimeGoneBack: Bool) {
    (before.list.changes(to: after.list), !(before.now <= after.now))
  }

  /// If the time went back, rows that have expired may be recent again.
  @inlinable
  func work(for change: (list: ListChanges, hasTimeGoneBack: Bool), to after: Input) -> (step: Int, rebuild: Int) {
    (change.hasTimeGoneBack ? .max : 0, 0)
  }

  /// Takes O(log n) for each row that changed or expired.
  @inlinable
  mutating func step(
    _ change: (list: ListChanges, hasTimeGoneBack: Bool), from before: Input, to after: Input
  ) {
    let changes = change.list
    let (list, now) = after
    placement.index.follow(changes, to: list)
    placement.follow(changes, from: before.list, to: list, others: [], passing(now))
    let touched = TouchedRows(contentOf: changes, from: before.list, to: list)
    for path in touched.leaving { times.remove(before.list.row(at: path).id) }
    for path in touched.current {
      let row = list.row(at: path)
      let time = time(row)
      if time.distance(to: now) < interval, expires(time, now) {
        times.set((time, row.id), for: row.id)
      } else {
        times.remove(row.id)
      }
    }
    while let first = times.root, !(first.time.distance(to: now) < interval) {
      times.remove(first.row)
      if let path = output.path(ofRow: first.row) { output.draft.removeRow(at: path) }
    }
  }

  @inlinable
  func checkInvariants(for input: Input) {
    placement.checkInvariants(input.list)
    assert(
      times.ids.count <= output.snapshot.rowCount, "\(times.ids.count) of \(output.snapshot.rowCount) rows will expire")
  }
}

extension ListNode {
  /// The rows of another list that are not older than an interval in seconds.
  @inlinable
  static func recent<Time: Strideable>(
    _ upstream: ListNode, _ time: @escaping (Row) -> Time, within interval: Double, now: @escaping () -> Time,
    waking wakeTime: UpstreamState<Duration>, on clock: AnyClock
  ) -> ListNode where Time.Stride == Double {
    let operation = RecentRows(upstream, time, within: interval)
    let times = operation.times
    /// The present time, with the time on the clock just before, and the time of which the list is made.
    var (moment, start) = (now(), clock.now)
    var made = moment
    /// The seconds until the next row expires; `nil` if none will.
    func secondsLeft() -> Double? { times.root.map { interval - $0.time.distance(to: moment) } }
    let node = ListNode(
      operation,
      pull: {
        let isChanged = upstream.pull()
        // The time on the clock before the list reads its own time: work after that does not shorten the wait.
        start = clock.now
        moment = now()
        guard !(made <= moment) || secondsLeft().map({ !($0 > 0) }) ?? false else { return isChanged }
        wakeTime.noteChange()
        return true
      },
      input: {
        made = moment
        return (upstream.snapshot(), moment)
      }, failures: upstream.failures)
    return ListNode(
      pull: {
        defer { wakeTime.set(in: secondsLeft(), after: start) }
        return node.pull()
      }, snapshot: node.snapshot, path: node.path, failures: node.failures)
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

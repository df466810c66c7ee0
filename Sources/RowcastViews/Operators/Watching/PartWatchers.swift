public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A part of a list that can be watched.
@usableFromInline
enum ListPart<SectionID: Hashable & Sendable, RowID: Hashable & Sendable>: Hashable, Sendable {
  case row(RowID)
  /// A section with its rows, wherever it is among the others.
  case section(SectionID)
  case rowCount
}

/// Observes a list on behalf of everything that watches a part of it: computes each difference once, and wakes the watchers of
/// the parts that it affects.
///
/// The watchers keep it alive. While any of them waits, a task follows the list. A watcher that reads brings all parts up to date
/// itself: the task delays only those that wait for a change. Intermediate states are not kept.
final actor PartWatchers<Section: SectionViewModel, Row: RowViewModel> {
  typealias Part = ListPart<Section.ID, Row.ID>
  typealias Snapshot = ListSnapshot<Section, Row>
  typealias State = ListState<Section, Row>
  typealias Difference = @Sendable (Snapshot, Snapshot) -> ListChanges

  private let publisher: any ListPublisher<Section, Row>
  private let difference: Difference
  /// The newest state that was processed.
  private var current: State?
  /// True once the task that follows the list has seen its end.
  private var isFinished = false
  /// The watched parts: each with the revision that changed it last, and for a row its content after that change, which is
  /// unknown before the first change.
  private(set) var parts: [Part: (revision: Int, row: Row??, watcherCount: Int, waiters: WaiterList)] = [:]
  /// The number of tasks that have begun to wait, and have not removed their signals yet.
  private(set) var waiterCount = 0
  /// Waits for the next revision, while tasks wait for parts.
  private var follower: Task<Void, Never>?

  init(_ publisher: any ListPublisher<Section, Row>, difference: @escaping Difference) {
    (self.publisher, self.difference) = (publisher, difference)
  }

  deinit { follower?.cancel() }

  /// Brings all parts up to date. Returns the newest state, and true if it is the last.
  func newest() async -> (state: State, isFinal: Bool) {
    let (newest, isFinal) = await onSharedExecutor { [publisher] in await publisher.newest() }
    return (receive(newest), isFinal)
  }

  /// Processes a state, unless a later one is known already. Returns the newest state.
  @discardableResult
  private func receive(_ newest: State) -> State {
    if let current {
      if newest.revision <= current.revision { return current }
      let (before, after) = (current.snapshot, newest.snapshot)
      let changes = difference(before, after)
      Self.forEachPart(changedBy: changes, from: before, to: after, isWatched: { parts[$0] != nil }) { part, row in
        guard let index = parts.index(forKey: part) else { return }
        parts.values[index].revision = newest.revision
        parts.values[index].row = row
        parts.values[index].waiters.wakeAll()
      }
    }
    current = newest
    return newest
  }

  /// Calls a closure with the parts that changes affect, each with the new row if it is one. Rows that are not watched may be
  /// left out, and sections called several times.
  /// Takes O(d log n) for d changed rows and sections of n, including the rows of inserted and removed sections.
  static func forEachPart(
    changedBy changes: ListChanges, from before: Snapshot, to after: Snapshot, isWatched: (Part) -> Bool,
    _ body: (Part, Row?) -> Void
  ) {
    let touched = TouchedRows(contentOf: changes, from: before, to: after)
    // A row that moves into or out of an inserted or removed section can be listed both as leaving and as arriving.
    var former: [Row.ID: Row] = [:]
    for path in touched.former {
      let row = before.row(at: path)
      if isWatched(.row(row.id)) { former[row.id] = row }
    }
    for path in touched.current {
      let row = after.row(at: path)
      let part = Part.row(row.id)
      guard isWatched(part) else { continue }
      if let old = former.removeValue(forKey: row.id), areUnchanged(old, row) { continue }
      body(part, row)
    }
    for id in former.keys { body(.row(id), nil) }
    if before.rowCount != after.rowCount { body(.rowCount, nil) }
    for index in Self.distinct(changes.sections.deletes, touched.former) {
      body(.section(before.section(at: index).id), nil)
    }
    let updates = changes.sections.updates.map { $0.to }
    for index in Self.distinct(changes.sections.inserts + updates, touched.current) {
      body(.section(after.section(at: index).id), nil)
    }
  }

  /// Some sections and the sections of rows, each once for rows that are next to each other.
  private static func distinct(_ sections: [Int], _ rows: [RowPath]) -> [Int] {
    rows.reduce(into: sections) { sections, path in
      if sections.last != path.section { sections.append(path.section) }
    }
  }
}

// MARK: - Watchers

extension PartWatchers {
  /// Begins to keep a part up to date.
  func join(_ part: Part) {
    parts[part, default: (current?.revision ?? -1, nil, 0, WaiterList())].watcherCount += 1
  }

  /// Ends the watch that ``join(_:)`` began.
  func leave(_ part: Part) {
    parts[part]?.watcherCount -= 1
    if parts[part]?.watcherCount == 0 { parts[part] = nil }
  }

  /// The newest list and the revision that changed a part last, with the row if that is known; `nil` if it is not later than a
  /// revision, and others may follow.
  func change(of part: Part, after revision: Int) async -> UpstreamValue<(row: Row??, list: Snapshot)>? {
    let (state, isFinal) = await newest()
    guard let part = parts[part], part.revision > revision || isFinal else { return nil }
    return ((part.row, state.snapshot), max(part.revision, revision), isFinal)
  }

  /// Adds a signal that is sent when a part changes after a revision. Returns its token, for ``removeWaiter(_:from:)``;
  /// `nil` if the part has changed already, or will not change.
  func addWaiter(_ signal: Signal, to part: Part, after revision: Int) -> WaiterList.Token? {
    guard !isFinished, let changed = parts[part]?.revision, changed <= revision else { return nil }
    waiterCount += 1
    if follower == nil { follow() }
    return parts[part]?.waiters.add(signal)
  }

  /// Removes a signal, sent or not.
  func removeWaiter(_ token: WaiterList.Token, from part: Part) {
    parts[part]?.waiters.remove(token)
    waiterCount -= 1
    assert(waiterCount >= 0, "\(waiterCount) tasks wait for \(parts.count) parts")
    if waiterCount > 0 { return }
    follower?.cancel()
    follower = nil
  }

  // MARK: - Following

  /// Follows the list until no task waits.
  private func follow() {
    follower = Task.detached(priority: .high) { [weak self, publisher, start = current?.revision] in
      var revision = start
      while let delivery = await publisher.delivery(after: revision) {
        revision = delivery.state.revision
        guard await self?.follow(to: delivery.state) ?? false else { return }
      }
      await self?.finish()
    }
  }

  /// Processes a state. Returns true if tasks wait for the next.
  private func follow(to state: State) -> Bool {
    if Task.isCancelled {
      replaceCancelled()
      return false
    }
    receive(state)
    if waiterCount == 0 { follower = nil }
    return waiterCount > 0
  }

  private func finish() {
    if Task.isCancelled { return replaceCancelled() }
    isFinished = true
    for part in parts.keys { parts[part]?.waiters.wakeAll() }
  }

  /// Follows the list again if the task that follows it was cancelled. A task that was cancelled here has a successor, or needs
  /// none; but an exploration of schedules cancels any task.
  private func replaceCancelled() {
    if follower?.isCancelled == true { follow() }
  }
}

extension ListPublisher {
  /// The watchers of the parts of the list, made if there are none.
  fileprivate func findPartWatchers(_ difference: @escaping PartWatchers<Section, Row>.Difference) -> PartWatchers<
    Section, Row
  > {
    if let partWatchers = partWatchers as? PartWatchers<Section, Row> { return partWatchers }
    let new = PartWatchers(self, difference: difference)
    partWatchers = new
    return new
  }
}

// MARK: - Reading

/// Reads a part of a list. The first read finds it; after that the ``PartWatchers`` of the list keep it up to date.
@usableFromInline
final actor PartReader<Section: SectionViewModel, Row: RowViewModel, Value: Sendable>: Upstream {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  private let part: ListPart<Section.ID, Row.ID>
  private let list: any ListPublisher<Section, Row>
  private let difference: @Sendable (Snapshot, Snapshot) -> ListChanges
  private let read: @Sendable (_ row: Row??, _ list: Snapshot) -> Value
  private var partWatchers: PartWatchers<Section, Row>?

  /// `read` makes the value of a list, and of the row if that is known. `difference` is made where the types are known, so that
  /// the code is specialised.
  @usableFromInline
  init(
    _ part: ListPart<Section.ID, Row.ID>, of list: any ListPublisher<Section, Row>,
    difference: @escaping @Sendable (Snapshot, Snapshot) -> ListChanges = { $0.changes(to: $1) },
    read: @escaping @Sendable (_ row: Row??, _ list: Snapshot) -> Value
  ) {
    (self.part, self.list, self.difference, self.read) = (part, list, difference, read)
  }

  deinit {
    if let partWatchers { Task { [part] in await partWatchers.leave(part) } }
  }

  @usableFromInline
  func value(after revision: Int?) async -> UpstreamValue<Value>? {
    if let partWatchers, let revision {
      return await partWatchers.change(of: part, after: revision).map {
        (read($0.value.row, $0.value.list), $0.revision, $0.isFinal)
      }
    }
    let new = await list.findPartWatchers(difference)
    await new.join(part)
    let (newest, isFinal) = await new.newest()
    // Another task may have begun to watch since: one watch is enough.
    if partWatchers == nil { partWatchers = new } else { await new.leave(part) }
    return (read(nil, newest.snapshot), newest.revision, isFinal)
  }

  @usableFromInline
  func enqueue(_ signal: Signal, after revision: Int) async -> WaiterRemoval? {
    guard let partWatchers, let token = await partWatchers.addWaiter(signal, to: part, after: revision) else {
      return nil
    }
    return { [part] in await partWatchers.removeWaiter(token, from: part) }
  }
}

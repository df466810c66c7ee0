public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The list that a model follows, and the work on it that is done off the main actor.
///
/// The closures are made, and so compiled, where the types are known.
@usableFromInline
package struct ModelSource<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package typealias Snapshot = ListSnapshot<Section, Row>
  @usableFromInline package typealias Base = ShownList<Section, Row>
  @usableFromInline package typealias Step = ModelStep<Section, Row>

  /// The list, if it is a store.
  @usableFromInline let store: ListStore<Section, Row>?
  @usableFromInline let updates: @Sendable () -> AsyncStream<ListUpdate<Section, Row>>
  /// Makes a step to a list. The changes are found if they are not given.
  @usableFromInline let step: @Sendable (_ from: Base, _ to: Snapshot, ListPosition?, ListChanges?) -> Step
  /// Finds a row by its id, by reading the list.
  @usableFromInline let find: @Sendable (Row.ID, Snapshot) -> Row?
  @usableFromInline let fold: @Sendable (inout [Row.ID: Row], Step) -> Void

  @inlinable
  package init(_ list: some LiveList<Section, Row>) {
    let store = list as? ListStore<Section, Row>
    self.store = store
    // An edit of the model shows a state that the stream may not have seen. The model needs an update even if the store then
    // returns to the state that the stream has seen.
    updates = { store.map { Subscription(to: $0.core, yieldingEmpty: true).stream } ?? list.updates() }
    step = { Step(from: $0, to: $1, at: $2, $3 ?? $0.snapshot.changes(to: $1)) }
    find = { id, snapshot in snapshot.scanForPath(ofRow: id).map { snapshot.row(at: $0) } }
    fold = { $0.fold($1) }
  }

  /// Updates an index of rows by their ids, from one list to another.
  @concurrent
  func bring(_ index: inout [Row.ID: Row], from base: Base, to current: Base) async {
    fold(&index, step(base, current.snapshot, current.position, nil))
  }

  /// Makes a step from each update of a stream, until the stream ends or the closure returns `nil` because the model needs no
  /// more. The next step starts from the list that the closure returns.
  @concurrent
  func follow(
    _ updates: AsyncStream<ListUpdate<Section, Row>>, from base: Base, show: @Sendable (Step) async -> Base?
  ) async {
    var base = base
    for await update in updates {
      let step = step(base, update.snapshot, update.position, base.changes(of: update))
      guard let shown = await show(step) else { return }
      base = shown
    }
  }

  /// The same step from another list.
  @concurrent
  func step(from base: Base, to step: Step) async -> Step { self.step(base, step.after, step.position, nil) }

  /// A step to the list of the next update of a stream; `nil` if the task is cancelled.
  @concurrent
  func next(of updates: AsyncStream<ListUpdate<Section, Row>>, from base: Base) async -> Step? {
    for await update in updates { return step(base, update.snapshot, update.position, nil) }
    return nil
  }

  /// Changes a store, and makes a step to its new state.
  @concurrent
  func edit<Result: Sendable>(
    _ store: ListStore<Section, Row>, from base: Base,
    _ body: @Sendable (inout ListEditor<Section, Row>) throws -> Result
  ) async throws -> (Result, Step) {
    let result = try await store.edit(body)
    let state = await onSharedExecutor { [core = store.core] in await core.state }
    return (result, step(base, state.snapshot, ListPosition(epoch: store.epoch, revision: state.revision), nil))
  }
}

extension ListSnapshot {
  /// The phase of a list that its source has delivered.
  var phase: SectionPhase { rowCount == 0 ? .empty : .loaded }
}

extension ShownList {
  /// Advances by one step.
  mutating func advance(to step: ModelStep<Section, Row>) {
    assert(step.version == version, "A step from version \(step.version) leads from version \(version)")
    if let position = step.position { receive(step.after, at: position) } else { edit(step.after) }
  }
}

/// The effect of one update on a model, made off the main actor: values and ids in place of paths.
@usableFromInline
package final class ModelStep<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// The version that the step starts from.
  @usableFromInline let version: Int
  /// The list after the step, and its position; `nil` for an edit that a person has performed.
  @usableFromInline let after: ListSnapshot<Section, Row>
  @usableFromInline let position: ListPosition?
  @usableFromInline let sections: Changeset<Int>
  @usableFromInline let isEmpty: Bool

  /// Rows whose content changed.
  @usableFromInline let changed: [Row]
  /// Rows that are no longer in the list.
  @usableFromInline let gone: [Row.ID]
  /// Rows that are new in the list; not those that cross to an inserted section, or from a removed one.
  @usableFromInline let arrived: [Row]
  /// Sections whose own content changed, and those that were inserted and removed.
  @usableFromInline let headers: [Section.ID]
  /// Sections with rows whose content changed.
  @usableFromInline let contents: [Section.ID]
  /// Sections with rows that were inserted, removed or moved, and those that were inserted and removed themselves.
  @usableFromInline let orders: [Section.ID]

  /// Makes a step to a list that changes lead to.
  ///
  /// - Complexity: O(k log n) for k operations, and the rows of inserted and removed sections, in a list of n.
  @inlinable
  package init(
    from base: ShownList<Section, Row>, to after: ListSnapshot<Section, Row>, at position: ListPosition?,
    _ changes: ListChanges
  ) {
    (version, self.after, self.position) = (base.version, after, position)
    (sections, isEmpty) = (changes.sections, changes.isEmpty)
    let (before, rows) = (base.snapshot, changes.rows)
    var (changed, gone, arrived): ([Row], [Row.ID], [Row]) = ([], [], [])
    var (headers, contents, orders): ([Section.ID], [Section.ID], [Section.ID]) = ([], [], [])
    for update in rows.updates { changed.append(after.row(at: update.to)) }
    var crossing: Set<Row.ID> = []
    for path in changes.crossings(from: before, to: after).flatMap(\.rows) {
      let row = after.row(at: path.to)
      crossing.insert(row.id)
      if !areUnchanged(before.row(at: path.from), row) { changed.append(row) }
    }
    func remove(_ row: Row) { if !crossing.contains(row.id) { gone.append(row.id) } }
    func insert(_ row: Row) { if !crossing.contains(row.id) { arrived.append(row) } }
    for index in sections.deletes {
      headers.append(before.section(at: index).id)
      before.rows(inSection: index).forEach(remove)
    }
    for index in sections.inserts {
      headers.append(after.section(at: index).id)
      after.rows(inSection: index).forEach(insert)
    }
    for update in sections.updates { headers.append(after.section(at: update.to).id) }
    for path in rows.deletes { remove(before.row(at: path)) }
    for path in rows.inserts { insert(after.row(at: path)) }
    let parts = changes.parts
    for index in parts.left { orders.append(before.section(at: index).id) }
    for index in parts.entered { orders.append(after.section(at: index).id) }
    for index in parts.updated { contents.append(after.section(at: index).id) }
    (self.changed, self.gone, self.arrived) = (changed, gone, arrived)
    (self.headers, self.contents, self.orders) = (headers, contents, orders)
  }
}

extension ListChanges {
  /// The sections that rows have left, by their indexes before the changes, and the sections that rows have entered or have
  /// changed in, by their indexes after them. A section of several such rows may be listed several times.
  @usableFromInline
  var parts: (left: [Int], entered: [Int], updated: [Int]) {
    var parts = (left: sections.deletes, entered: sections.inserts, updated: [Int]())
    func add(_ path: RowPath, to sections: inout [Int]) {
      if sections.last != path.section { sections.append(path.section) }
    }
    for path in rows.deletes { add(path, to: &parts.left) }
    for path in rows.inserts { add(path, to: &parts.entered) }
    for move in rows.moves {
      add(move.from, to: &parts.left)
      add(move.to, to: &parts.entered)
    }
    for update in rows.updates { add(update.to, to: &parts.updated) }
    return parts
  }
}

extension Dictionary {
  /// Advances the rows of a list, by their ids, by one step.
  @inlinable
  mutating func fold<Section>(_ step: ModelStep<Section, Value>) where Key == Value.ID, Value: RowViewModel {
    if isEmpty { reserveCapacity(step.arrived.count) }
    for id in step.gone { self[id] = nil }
    for row in step.arrived { self[row.id] = row }
    for row in step.changed { self[row.id] = row }
  }
}

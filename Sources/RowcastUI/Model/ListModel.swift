public import Observation
public import RowcastModel
public import RowcastSources
public import RowcastStore

/// A list on the main actor for views that observe their reads: SwiftUI.
///
///     model = ListModel(store, startingWith: snapshot)  // once: in the app's state, or in a task of the view
///
/// It follows a store, or a list that is arranged, merged or joined from others. Differences are made off the main actor,
/// whose own work is proportional to the changes that are observed.
///
/// A view is notified of changes of the parts that it has read, and of nothing else:
///
/// - ``row(_:)``: the content of this row, its insertion and its removal.
/// - ``rowIDs(inSection:)``: rows of this section that are inserted, removed or moved.
/// - ``rows(inSection:)``: the same, and the content of rows of this section.
/// - ``section(_:)``: the content of this section, its insertion and its removal.
/// - ``sections``: sections that are inserted, removed, moved or changed.
/// - ``snapshot``: any change. ``phase``: its own.
///
/// A model created with a snapshot shows it from the first read. That costs nothing on the main actor, for a list of any
/// size: the snapshot may be older than the list, and the difference is found off the main actor. It is a value, so an app
/// that has read it from a store once may pass it to any model. Without a snapshot a model is empty, and its phase is
/// `loading`, until the main actor takes the first update.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class ListModel<Section: SectionViewModel, Row: RowViewModel>: Observable {
  typealias Base = ShownList<Section, Row>

  /// The list that is shown. Steps start from a version of it.
  package private(set) var base: ShownList<Section, Row>
  private var signals = ModelSignals<Section.ID, Row.ID>()
  /// The rows by their ids, once a view has asked for one by its id and the index has been made.
  private(set) var index: [Row.ID: Row]?
  /// The positions of the sections, made when they are needed.
  private var sectionIndex: [Section.ID: Int]?
  private var currentPhase: SectionPhase
  /// True if the model was given a list to start with.
  private let hasStart: Bool
  private(set) var sources = WatchedSources()
  /// True if rows are found by their ids without reading the list. For tests.
  package var isIndexed: Bool { index != nil }

  let source: ModelSource<Section, Row>
  private var isIndexing = false
  /// Follows the list for as long as the model exists.
  private var following: Task<Void, Never>?
  /// The number of streams that were followed. The newest one has delivered the list that is shown, or will deliver a newer one.
  private var streamCount = 0

  /// Follows a list.
  ///
  /// - Parameters:
  ///   - list: A store, or a list that is made of others. The model retains it.
  ///   - snapshot: The list that the model shows at first: the current list, an earlier state of it, or a similar one.
  /// - Complexity: O(1). The difference between `snapshot` and the list is found off the main actor.
  @inlinable
  public convenience init(_ list: some LiveList<Section, Row>, startingWith snapshot: ListSnapshot<Section, Row>? = nil)
  {
    self.init(ModelSource(list), snapshot)
  }

  @usableFromInline
  init(_ source: ModelSource<Section, Row>, _ snapshot: ListSnapshot<Section, Row>?) {
    self.source = source
    base = ShownList(snapshot ?? ListSnapshot())
    currentPhase = snapshot.map(\.phase) ?? .loading
    hasStart = snapshot != nil
    follow(source.updates())
  }

  deinit {
    following?.cancel()
    sources.cancel()
  }

  // MARK: - Reading

  /// The whole list. A view that reads it is notified of any change.
  public var snapshot: ListSnapshot<Section, Row> {
    signals.list.read()
    return base.snapshot
  }

  /// The sections, in order.
  public var sections: some RandomAccessCollection<Section> & Sendable {
    signals.sections.read()
    return base.snapshot.sections
  }

  /// The section with an id, or `nil` if the list does not have it.
  ///
  /// - Complexity: O(log s) for s sections; O(s) for the first look-up after sections were inserted, removed or moved.
  public func section(_ id: Section.ID) -> Section? {
    signals.headers.read(id)
    return position(of: id).map { base.snapshot.section(at: $0) }
  }

  /// The rows of a section, in order; none if the list does not have the section.
  ///
  /// - Complexity: That of ``section(_:)``.
  public func rows(inSection id: Section.ID) -> ListRows<Row> {
    signals.contents.read(id)
    return currentRows(inSection: id)
  }

  /// The ids of the rows of a section, in order; none if the list does not have the section.
  ///
  /// A view that reads ids and leaves the rows to views of their own is not notified of changes of content.
  ///
  ///     ForEach(model.rowIDs(inSection: section.id), id: \.self) { MessageView(model: model, id: $0) }
  ///
  /// - Complexity: That of ``section(_:)``.
  public func rowIDs(inSection id: Section.ID) -> some RandomAccessCollection<Row.ID> & Sendable {
    signals.orders.read(id)
    return RowIDs(rows: currentRows(inSection: id))
  }

  /// The row with an id, or `nil` if the list does not have it.
  ///
  /// - Complexity: O(1); O(n) for n rows until the index is ready, which the first call starts to make off the main
  ///   actor.
  public func row(_ id: Row.ID) -> Row? {
    signals.rows.read(id)
    if let index { return index[id] }
    makeIndex()
    return source.find(id, base.snapshot)
  }

  /// The phase of the whole list: `loading` before the first list, then `loaded`, or `empty` without rows; `failed` while a
  /// watched source fails.
  public var phase: SectionPhase {
    signals.phase.read()
    return currentPhase
  }

  private func currentRows(inSection id: Section.ID) -> ListRows<Row> {
    position(of: id).map { base.snapshot.rows(inSection: $0) } ?? ListRows()
  }

  private func position(of id: Section.ID) -> Int? {
    if let sectionIndex { return sectionIndex[id] }
    var index = Dictionary<Section.ID, Int>()
    for section in base.snapshot.sections { index.updateValue(index.count, forKey: section.id) }
    sectionIndex = index
    return index[id]
  }

  // MARK: - Changing

  /// Follows a stream of updates instead of the previous one.
  private func follow(_ updates: AsyncStream<ListUpdate<Section, Row>>) {
    following?.cancel()
    streamCount += 1
    following = Task { @concurrent [weak self, source, base, number = streamCount] in
      await source.follow(updates, from: base) { [weak self] step in await self?.show(step, ofStream: number) }
    }
  }

  /// Shows the list after a step of a stream. Returns the list that is shown then; `nil` if another stream is followed.
  private func show(_ step: ModelStep<Section, Row>, ofStream number: Int) async -> Base? {
    await show(step) { number == streamCount }
    return number == streamCount ? base : nil
  }

  /// Shows the list after a step. A step that starts from another list than the shown one changes nothing; the shown list is
  /// then returned.
  package func apply(_ step: ModelStep<Section, Row>) -> ShownList<Section, Row>? {
    guard step.version == base.version else { return base }
    var next = base
    next.advance(to: step)
    let isTaken = change(to: phase(of: next), telling: signals.collect(step)) {
      // A reader that was notified may have changed the list.
      guard step.version == base.version else { return false }
      base = next
      foldIndex(step)
      if step.sections.hasStructure { sectionIndex = nil }
      return true
    }
    return isTaken ? nil : base
  }

  /// Makes a change, and notifies the readers of the parts that it concerns, and of the phase if that differs. `body` returns
  /// false if it has changed nothing. The phase is read again afterwards, as a notified reader may have changed the list.
  @discardableResult
  private func change(
    to phase: @autoclosure () -> SectionPhase, telling signaled: [ModelSignal] = [], _ body: () -> Bool = { true }
  ) -> Bool {
    let told = phase() == currentPhase ? signaled : signaled + [signals.phase]
    // Readers are notified before the change, and still find the previous list then.
    for signal in told { signal.willChange() }
    let isMade = body()
    if isMade { currentPhase = phase() }
    checkInvariants()
    for signal in told { signal.hasChanged() }
    return isMade
  }

  /// Checks, in debug builds, that the indexes have as many elements as the list.
  private func checkInvariants() {
    let list = base.snapshot
    assert(index.map { $0.count == list.rowCount } ?? true, "not all of \(list.rowCount) rows are in the index")
    assert(sectionIndex.map { $0.count == list.sectionCount } ?? true, "not all of \(list.sectionCount) sections are")
  }

  private func phase(of list: ShownList<Section, Row>) -> SectionPhase {
    let hasList = hasStart || list.position != nil
    return sources.failure ?? (hasList ? list.snapshot.phase : .loading)
  }

  private func makeIndex() {
    if isIndexing { return }
    isIndexing = true
    Task { [weak self, source, base] in
      var (index, known, next): ([Row.ID: Row], Base, Base?) = (Dictionary(), Base(), base)
      while let current = next {
        await source.bring(&index, from: known, to: current)
        known = current
        next = self?.adopt(index, of: known)
      }
    }
  }

  /// Adopts an index of the shown list. An index of an earlier list changes nothing; the shown list is then returned.
  private func adopt(_ made: [Row.ID: Row], of list: Base) -> Base? {
    if list.version != base.version { return base }
    index = made
    checkInvariants()
    return nil
  }

  private func foldIndex(_ step: ModelStep<Section, Row>) {
    guard var index else { return }
    // Changed in place: two references would cause a copy.
    self.index = nil
    source.fold(&index, step)
    self.index = index
  }

  /// Changes the store that the model follows, in one transaction. When it returns the model shows the change.
  ///
  ///     TextField("Title", text: $title).onSubmit { Task { try await model.edit { try $0.update(id) { $0.title = title } } } }
  ///
  /// - Parameter body: Edits the list; see `ListStore.edit(_:)`. It runs off the main actor, once.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body; `ListStoreError.finished` if the store is finished;
  ///   ``ListModelError/notAStore`` if the model follows a list that is made of others.
  @discardableResult
  public func edit<Result: Sendable>(
    _ body: @Sendable (inout ListEditor<Section, Row>) throws -> Result
  ) async throws -> Result {
    guard let store = source.store else { throw ListModelError.notAStore }
    let (result, step) = try await source.edit(store, from: base, body)
    await show(step)
    return result
  }

  /// Shows the list after a step, while that is wanted. Returns false if the model already shows a newer list, or the same
  /// one with an edit that stays until there is a newer list.
  @discardableResult
  private func show(
    _ first: ModelStep<Section, Row>, replacingEdits: Bool = false, while isWanted: () -> Bool = { true }
  ) async -> Bool {
    var step = first
    while isWanted(), let current = apply(step) {
      if current.hasReached(step.position), !replacingEdits || current.position != step.position { return false }
      step = await source.step(from: current, to: step)
    }
    return true
  }

  /// Shows an edit at once, because the view has performed it already: the `onMove` or `onDelete` of SwiftUI.
  ///
  ///     .onDelete { offsets in
  ///       try? model.viewDidPerform { try $0.removeRows(atOffsets: offsets, in: "inbox") }
  ///       …
  ///     }
  ///
  /// The list that the model follows is not edited. Its next update applies only the rest: nothing if it has the edit and
  /// nothing else; the reverse if it lacks the edit. If the edit fails, call ``showNewest()``: there may be no update.
  ///
  /// - Parameter body: The edit, of the list that the model shows. It runs again if a notified view edits the list first.
  /// - Throws: The error of the body; the model then shows the list as before.
  /// - Complexity: O(n) for n rows.
  public func viewDidPerform(_ body: (inout ListEditor<Section, Row>) throws -> Void) throws {
    var current: Base?
    repeat {
      var editor = ListEditor(draft: ListDraft(base.snapshot))
      try body(&editor)
      current = apply(source.step(base, editor.snapshot, nil, nil))
    } while current != nil
  }

  /// Makes views read again the rows whose look depends on what `==` ignores, such as a picture that was loaded.
  ///
  ///     Task { await thumbnails.load(row.url); model.refresh([row.id]) }
  ///
  /// There is no update and no revision. Views are notified if they have read one of the rows by ``row(_:)``,
  /// ``rows(inSection:)`` of any section, or ``snapshot``.
  ///
  /// - Parameter ids: The rows.
  /// - Complexity: O(k + p) for k ids and p parts of the list that views have read.
  public func refresh(_ ids: some Sequence<Row.ID>) {
    change(to: currentPhase, telling: signals.collect(rows: Array(ids)))
  }

  /// Shows the newest list, without the edits that a view has performed and the list does not have.
  public func showNewest() async {
    // From now on the new stream is followed: the old one reports nothing if the list returns to its last delivered state,
    // which is no longer shown.
    let updates = source.updates()
    guard let step = await source.next(of: updates, from: base) else { return }
    if await show(step, replacingEdits: true) { follow(updates) }
  }

  /// Shows the failures of a source in ``phase``, for as long as it fails.
  ///
  /// While a source waits to be attached again, the retry of the phase `failed` is `automatic`. If several sources fail, the
  /// one that was watched first is shown.
  ///
  /// A source that has failed permanently fails until another one replaces it: a source that is watched, too, was attached
  /// after that failure, and works. Each replaces one source.
  ///
  /// - Parameter binding: The binding of the source to its store. The model does not retain it.
  public func watch(_ binding: SourceBinding) {
    let publisher = binding.publisher
    let number = sources.add(attachedAt: publisher.start)
    let task = Task { [weak self] in
      for await status in publisher.values {
        let end = status.isFinal ? await publisher.end : nil
        self?.note(status, ofSource: number, endedAt: end)
      }
    }
    sources.keep(task)
  }

  private func note(_ status: SourceStatus, ofSource number: Int, endedAt end: Duration?) {
    sources.note(status, of: number, endedAt: end)
    change(to: phase(of: base))
  }
}

/// The reason why a model refused an edit.
public enum ListModelError: Error, Hashable {
  /// The model follows a list that is made of others; edit the stores of its rows instead.
  case notAStore
}

extension ListModelError: CustomStringConvertible {
  /// Describes the problem and its remedy.
  public var description: String {
    switch self {
    case .notAStore: "the model follows a list that is made of others: edit the store that its rows come from"
    }
  }
}

/// The ids of rows, in order.
struct RowIDs<Row: RowViewModel>: RandomAccessCollection, Sendable {
  let rows: ListRows<Row>

  var startIndex: Int { 0 }
  var endIndex: Int { rows.count }
  subscript(index: Int) -> Row.ID { rows[index].id }
}

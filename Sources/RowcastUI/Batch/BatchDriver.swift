package import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Applies the updates of a list to a view that is changed in batches and refuses batches that do not add up.
///
///     let driver = BatchDriver<Channel, Message>(tableView)
///     for await update in store.updates() { driver.apply(update) }
///
/// An app that makes whole lists, instead of following one, passes them to ``show(_:)``.
///
/// The view's data source answers with ``snapshot``: the driver swaps it inside each batch, which is the moment at which the
/// view expects it to change. Content updates follow the batches; the cell of a row that got another `reuseIdentifier` is
/// replaced. The first update reloads the view without animation, as does an update that is received while the view is in no
/// window, or that has more changes than ``animationLimit``.
///
/// If the view tells its ``BatchView/viewport``, the topmost visible line of a row that stays and does not move itself keeps its
/// place when rows above it are inserted, removed, grow or fold, also if the row moves to an inserted section, or from a removed
/// one. A view at its start shows what is inserted there. In no window a view stays at its offset.
///
/// Updates that are received while the view still animates, or from inside a batch, wait. When the animation has ended they are
/// applied as one net update.
///
/// A view that left its window, or was released, may never report the end of its animation. A completion that is released without
/// a call counts as called. The driver does not wait for a view outside of a window, and at most five seconds for one
/// inside; the next list then reloads the view.
///
/// The driver does not keep its view alive.
@MainActor
public final class BatchDriver<Section: SectionViewModel, Row: RowViewModel> {
  /// The list that the view shows: the answer of its data source.
  public private(set) var snapshot: ListSnapshot<Section, Row> {
    didSet { currentLayout = nil }
  }
  private var currentLayout: FlatLayout?

  /// The places of the sections and rows in a view of rows alone: the answer of its data source. It is made once for each list.
  ///
  /// - Complexity: O(1); O(s) for s sections at the first call for a list.
  public var layout: FlatLayout {
    if let currentLayout { return currentLayout }
    let layout = FlatLayout(snapshot, hasHeaders: hasHeaders)
    currentLayout = layout
    return layout
  }

  /// The maximum number of changes that the view animates in one update. If there are more, the view reloads.
  public var animationLimit = 1_000

  /// True if the view begins at its end, with its first rows in a window, and stays at its end when rows are added while it
  /// is there. The view must tell its ``BatchView/viewport``.
  public var followsTail = false

  /// True if rows inserted above the first one push it down while the view is at its start. If false, the rows on the screen
  /// stay in place there as well, as when the history of a chat is loaded.
  public var showsArrivalsAtTop = true

  /// Shows a section in its existing header, or returns false if the section is to be reloaded for that.
  package var configureHeader: ((_ index: Int, _ before: Section, _ after: Section) -> Bool)?
  /// Called to reload the view, which loses the state that only the view has.
  package var aroundReload: ((_ reload: () -> Void) -> Void)?

  /// Measures how long a view is waited for.
  var clock = AnyClock(ContinuousClock())
  private(set) weak var view: (any BatchView)?
  private(set) weak var flatView: (any FlatBatchView)?
  /// True if each section begins with a row for its header in a view of rows alone.
  let hasHeaders: Bool
  /// True while the view is being called.
  private var isUpdating = false
  /// The number of batches of the current update that the view has not completed.
  private var openBatches = 0
  /// Counts the updates, so that a late completion is recognised as stale.
  private var turn = 0
  /// The last update that is waited for with a time limit.
  private var limitedTurn = 0
  /// True if the view is to load the next list, because it has loaded none, or because it is unknown how much of a batch it
  /// has performed.
  private var mustReload = true
  /// True if the view has shown rows in a window.
  private var hasOpened = false
  /// The newest list: the pending one, else the shown one.
  private var newest: ShownList<Section, Row>
  /// True while the newest list waits to be shown.
  private var isWaiting = false
  /// The changes from the list that the view shows to the pending one; `nil` if they are not known yet.
  private var waitingChanges: ListChanges?
  /// The rows that are to be configured again.
  private var stale = Set<Row.ID>()
  /// Counters: the lists received, and the last one that was forwarded.
  private var lastGiven = 0
  private(set) var lastPassedOn = 0
  /// The pending calls of ``settled()``.
  private(set) var waiters = WaiterList()

  private init(
    _ view: (any BatchView)?, flat flatView: (any FlatBatchView)?, hasHeaders: Bool,
    showing snapshot: ListSnapshot<Section, Row>
  ) {
    (self.view, self.flatView, self.hasHeaders) = (view, flatView, hasHeaders)
    self.snapshot = snapshot
    newest = ShownList(snapshot)
  }

  /// Drives a view of sections.
  ///
  /// - Parameters:
  ///   - view: The view. Its data source reads ``snapshot``.
  ///   - snapshot: The list that the view shows when it first loads itself.
  public convenience init(_ view: some BatchView, showing snapshot: ListSnapshot<Section, Row> = .init()) {
    self.init(view, flat: nil, hasHeaders: false, showing: snapshot)
  }

  /// Drives a view of rows alone.
  ///
  /// - Parameters:
  ///   - view: The view. Its data source reads ``snapshot`` through ``layout``.
  ///   - hasHeaders: True if each section begins with a row for its header.
  ///   - snapshot: The list that the view shows when it first loads itself.
  public convenience init(
    flat view: some FlatBatchView, hasHeaders: Bool, showing snapshot: ListSnapshot<Section, Row> = .init()
  ) {
    self.init(nil, flat: view, hasHeaders: hasHeaders, showing: snapshot)
  }

  private var isAtRest: Bool { !isUpdating && openBatches == 0 }

  /// True if the view shows the newest list and is at rest.
  public var isSettled: Bool { isAtRest && !isWaiting }

  /// Shows the list after an update, now or as soon as the view is at rest.
  ///
  /// The changes of consecutive updates of one list are used as they are. For any other update, such as the first of
  /// another list, the difference from the newest list is made here.
  ///
  /// - Parameter update: An update of any stream.
  /// - Complexity: That of the view; O(s + k) for s sections and k changes besides.
  public func apply(_ update: ListUpdate<Section, Row>) {
    lastGiven += 1
    pass(lastGiven, update.snapshot, newest.changes(of: update), at: update.position)
  }

  /// Shows a list, now or as soon as the view is at rest.
  ///
  /// - Parameter snapshot: The list.
  /// - Complexity: That of `ListSnapshot.changes(to:)`, and that of the view.
  public func apply(_ snapshot: ListSnapshot<Section, Row>) {
    lastGiven += 1
    pass(lastGiven, snapshot, nil)
  }

  /// Shows a list, and waits until the view is at rest. The difference is made off the main actor.
  ///
  ///     await driver.show(try ListSnapshot(sections))
  ///
  /// If several lists are given before the view is at rest, only the newest is shown.
  ///
  /// - Parameter list: The list.
  public func show(_ list: ListSnapshot<Section, Row>) async {
    lastGiven += 1
    let (number, base) = (lastGiven, newest)
    let changes = await Self.changes(from: base.snapshot, to: list)
    // Differences may be found in another order than the lists were given in.
    if number > lastPassedOn { pass(number, list, newest.version == base.version ? changes : nil) }
    await settled()
  }

  /// Takes over an edit that the view has performed already, because a person dragged a row or deleted it with a swipe.
  ///
  ///     func tableView(_ view: UITableView, moveRowAt from: IndexPath, to: IndexPath) {
  ///       let id = driver.snapshot.row(at: RowPath(from)).id
  ///       try? driver.viewDidPerform { try $0.move(id, to: RowPath(to)) }
  ///       Task { try await shown.edit { try $0.move(id, to: RowPath(to)) } confirming: { try await server.move(id) } }
  ///     }
  ///
  /// The view is not called for rows that the edit inserted, removed or moved. Only rows whose content it changed are
  /// configured again. The next list applies only the rest: nothing if it has the edit and nothing else; the reverse if it
  /// lacks the edit.
  ///
  /// - Parameter body: The edit, of the list that the view shows.
  /// - Throws: The error of the body. ``snapshot`` is then unchanged, and no longer fits the view: reload the view.
  /// - Precondition: The call is not made from inside a batch.
  /// - Complexity: O(n) for n rows.
  public func viewDidPerform(_ body: (inout ListEditor<Section, Row>) throws -> Void) throws {
    require(!isUpdating, "The view reports its own edit from inside a batch, of \(snapshot.rowCount) rows")
    let before = snapshot
    var editor = ListEditor(draft: ListDraft(before))
    // The body and the view may give lists, which are shown afterwards.
    isUpdating = true
    defer {
      isUpdating = false
      showWaiting()
    }
    try body(&editor)
    snapshot = editor.snapshot
    // A pending list does not have the edit, and the changes to it start elsewhere now.
    if isWaiting { waitingChanges = nil } else { newest.edit(snapshot) }
    var changes = before.changes(to: snapshot)
    // A row that crosses to another section is not listed as changed.
    for row in changes.crossings(from: before, to: snapshot).flatMap(\.rows)
    where !areUnchanged(before.row(at: row.from), snapshot.row(at: row.to)) {
      changes.rows.updates.append(row)
    }
    changes.rows.updates = changes.rows.updates.inOrder { $0.to < $1.to }
    reconfigure(changes, from: before)
  }

  /// Configures again the cells of rows whose look depends on what `==` ignores, such as a picture that was loaded.
  ///
  ///     Task { await thumbnails.load(row.url); driver.refresh([row.id]) }
  ///
  /// There is no update and no revision. Inside a batch, the rows are configured when it is over; a view in no window is
  /// reloaded. From inside a cell provider, call it in a task: a view that asks for cells cannot be changed.
  ///
  /// - Parameter ids: The rows. Rows that the list does not have are left out.
  /// - Complexity: O(n) for n rows.
  public func refresh(_ ids: some Sequence<Row.ID>) {
    stale.formUnion(ids)
    showWaiting()
  }

  @concurrent
  private nonisolated static func changes(
    from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) async -> ListChanges { before.changes(to: after) }

  /// Waits until the view shows the newest list and is at rest, or the calling task is cancelled.
  public func settled() async {
    goOn()
    if isSettled { return }
    let signal = Signal()
    let token = waiters.add(signal)
    if await !signal.wait() { waiters.remove(token) }
  }

  /// Shows a list, with its changes from the newest one if they are known, and its position if it is from a stream.
  private func pass(
    _ number: Int, _ list: ListSnapshot<Section, Row>, _ changes: ListChanges?, at position: ListPosition? = nil
  ) {
    lastPassedOn = number
    newest.receive(list, at: position)
    (isWaiting, waitingChanges) = (true, isWaiting ? nil : changes)
    goOn()
  }

  /// Shows the pending list, now or as soon as the view is at rest or need not be waited for.
  private func goOn() {
    guard !isUpdating, openBatches > 0 else { return showWaiting() }
    // A view that has left its window may never complete a batch.
    if !isInWindow { return giveUp(turn) }
    limitWait()
  }

  /// Waits for the batches of an update no longer than five seconds.
  private func limitWait() {
    if limitedTurn == turn { return }
    limitedTurn = turn
    Task { [weak self, clock, turn] in
      try? await clock.sleep(until: clock.now + .seconds(5))
      self?.giveUp(turn)
    }
  }

  /// Stops waiting for the batches of an update. Their effect is unknown, so the next list reloads the view.
  private func giveUp(_ turn: Int) {
    guard turn == self.turn, !isUpdating, openBatches > 0 else { return }
    (openBatches, mustReload) = (0, true)
    showWaiting()
  }

  /// Shows the pending list if the view is at rest, and configures the stale rows.
  private func showWaiting() {
    while !isUpdating {
      if isAtRest, isWaiting {
        let changes = waitingChanges
        (isWaiting, waitingChanges, isUpdating) = (false, nil, true)
        turn += 1
        update(to: newest.snapshot, changes)
      } else if !stale.isEmpty {
        isUpdating = true
        configureStaleRows()
      } else {
        break
      }
      isUpdating = false
    }
    if isSettled { waiters.wakeAll() }
    // A list given inside a batch, or tasks waiting since the previous update.
    if !isUpdating, openBatches > 0, isWaiting || !waiters.isEmpty { limitWait() }
    assert(!isAtRest || !isWaiting && waiters.isEmpty, "\(waiters.count) tasks wait for a view at rest")
  }

  /// Makes the calls to the view that lead to a list.
  private func update(to next: ListSnapshot<Section, Row>, _ known: ListChanges?) {
    defer {
      if !hasOpened, snapshot.rowCount > 0 {
        if followsTail { scrollToEnd() }
        hasOpened = isInWindow
      }
    }
    guard isInWindow else { return load(next) }
    let (before, viewport) = (snapshot, viewport)
    if mustReload, viewport == nil { return load(next) }
    let changes = known ?? before.changes(to: next)
    defer { if let viewport { keepPlace(viewport, changes, from: before) } }
    if mustReload || operationCount(of: changes) > animationLimit { return load(next) }
    if changes.sections.hasStructure || changes.rows.hasStructure {
      for stage in changes.stages(from: before, to: next) { perform(stage) }
    }
    snapshot = next
    reconfigure(changes, from: before)
  }

  /// Configures again the cells of stale rows. A request made while its row is being configured is already served.
  private func configureStaleRows() {
    let ids = stale
    defer { stale.subtract(ids) }
    if mustReload || !isInWindow { return load(snapshot) }
    var changes = ListChanges()
    changes.rows.updates = snapshot.paths(ofRows: ids).map { .init(from: $0, to: $0) }
    let viewport = viewport
    reconfigure(changes, from: snapshot)
    if let viewport { keepPlace(viewport, ListChanges(), from: snapshot) }
  }

  private func load(_ list: ListSnapshot<Section, Row>) {
    let reload = {
      self.snapshot = list
      self.mustReload = false
      self.view?.reload()
      self.flatView?.reload()
    }
    if let aroundReload { aroundReload(reload) } else { reload() }
  }

  private func perform(_ stage: ListStage<Section, Row>) {
    openBatches += 1
    let completion = BatchCompletion { [weak self, turn] in self?.batchEnded(turn) }
    perform(stage, swap: { self.snapshot = stage.snapshot }, completion: { completion.call() })
  }

  /// Counts a batch that the view has completed. A view that does not animate completes it during the update.
  private func batchEnded(_ turn: Int) {
    guard turn == self.turn, openBatches > 0 else { return }
    openBatches -= 1
    if isAtRest { showWaiting() }
  }
}

extension ListSnapshot {
  /// The paths of some rows, ascending. Takes O(n) for n rows.
  package func paths(ofRows ids: Set<Row.ID>) -> [RowPath] {
    var paths: [RowPath] = []
    for section in 0..<sectionCount {
      var path = RowPath(section: section, row: 0)
      for row in rows(inSection: section) {
        if ids.contains(row.id) { paths.append(path) }
        path.row += 1
      }
    }
    return paths
  }
}

/// Reports once that a batch was completed: when it is called, or released without a call.
@MainActor
private final class BatchCompletion {
  private var end: (@MainActor @Sendable () -> Void)?

  init(_ end: @escaping @MainActor @Sendable () -> Void) { self.end = end }

  deinit {
    if let end { Task { @MainActor in end() } }
  }

  func call() {
    let end = end
    self.end = nil
    end?()
  }
}

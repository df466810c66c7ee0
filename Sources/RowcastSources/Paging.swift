import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The edge of a section where further pages are inserted.
public enum PagingEdge: Hashable, Sendable {
  /// Above the present rows: a history that is read backwards.
  case top
  /// Below the present rows.
  case bottom
}

/// Fills a section page by page, on demand.
///
///     let history = Paging(store, section: "general", at: .top, query: "") { query, cursor in
///       let answer = try await server.messages(matching: query, before: cursor)
///       return .init(rows: answer.messages, next: answer.hasMore ? answer.cursor : nil)
///     }
///     await history.demand()                // the table came near its end
///     await history.change(to: "swift")     // another text was typed
///
/// - One page is loaded at a time.
/// - Demands during a load are not dropped: one more page is requested for all of them.
/// - After a change of the query, answers to the former one are discarded, and its load is cancelled. The rows stay until the
///   first page of the new query replaces them, with the difference as its update.
/// - Other rows of the section stay, such as those of a live feed. Rows of a page that are in another section stay there, with the
///   content of the page. Rows inserted, changed or removed while a page loads win over the page. Only a row that was both
///   inserted and removed in that time is taken from the page.
/// - A failure shows in the phase of the section and in ``failure``; the next demand tries again. Nothing is loaded for a
///   list without the section.
///
/// A `load` cannot wait for a page of its own paging: that page waits for the load. Such a request is refused at once, with
/// ``PagingError/requestedByItsOwnLoad`` as the ``failure``, and the load continues. To have the next page ready, request it in a
/// task that `load` starts and does not await: `Task { await paging.demand() }`. A task that `load` does await, as it does its
/// child tasks, would wait for ever.
///
/// A load runs in a task that is cancelled with its demand. A check and the edit after it are one step, as the store and this
/// are one isolation domain. Nothing waits for the executor that a task prefers.
public final actor Paging<
  Section: PhasedSection, Row: RowViewModel, Query: Equatable & Sendable, Cursor: Sendable
> {
  /// Rows that are loaded at once.
  public struct Page: Sendable {
    /// The rows, in order of the section. Rows that the list already has are updated.
    package var rows: [Row]
    /// The beginning of the next page; `nil` if this is the last one.
    package var next: Cursor?

    /// Creates a page.
    public init(rows: [Row], next: Cursor?) {
      self.rows = rows
      self.next = next
    }
  }

  private let core: StoreCore<Section, Row>
  private let section: Section.ID
  private let edge: PagingEdge
  private let load: @Sendable (Query, Cursor?) async throws -> Page

  private var latestQuery: Query
  private var hasLastPage = false
  private var latestFailure: (any Error)?
  /// True if a page was refused since the current load began.
  private var hasRefused = false
  /// The beginning of the next page; `nil` before the first one.
  private var cursor: Cursor?
  /// True if the first page replaces rows that answer a former query, or an outdated one.
  private var replacesRows = false
  /// The page that is being loaded, and its number.
  private var flight: (number: Int, load: Task<Page, any Error>)?
  /// The number of requested pages.
  private var requestCount = 0
  /// The number of the last page that was loaded or failed; a page whose load was cancelled does not count.
  private var latestAnswer = 0
  /// The tasks that wait for the page that is being loaded.
  private var waiters = WaiterList()

  /// The executor of the store.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe core.unownedExecutor }

  /// Creates a source of pages. Nothing is loaded before it is requested.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - section: The section for the rows. The list must have it.
  ///   - edge: The edge where further pages are inserted.
  ///   - query: The query that the pages answer.
  ///   - load: Loads the page of a query that begins at a cursor; without one, the first page.
  public init(
    _ store: ListStore<Section, Row>, section: Section.ID, at edge: PagingEdge = .bottom, query: Query,
    load: @escaping @Sendable (Query, Cursor?) async throws -> Page
  ) {
    core = store.core
    self.section = section
    self.edge = edge
    latestQuery = query
    self.load = load
  }

  /// The number of tasks that wait for the page that is being loaded. For tests.
  var waitingCount: Int { waiters.count }

  /// Runs a function isolated to this, whatever executor the task prefers.
  private nonisolated func perform<Result: Sendable>(
    _ body: @Sendable (isolated Paging) async -> Result
  ) async -> Result {
    await onSharedExecutor { await body(self) }
  }

  /// Runs a function that loads pages, unless the current load waits for it.
  private nonisolated func request(
    _ body: @Sendable (_ paging: isolated Paging, _ waiting: [OwnTask]) async -> Void
  ) async {
    let waiting = OwnTask.current
    await perform { if !$0.refuses(waiting) { await body($0, waiting) } }
  }

  /// The query that the pages answer.
  public nonisolated var query: Query { get async { await perform { $0.latestQuery } } }
  /// True if the last page was loaded.
  public nonisolated var isComplete: Bool { get async { await perform { $0.hasLastPage } } }
  /// The reason why the page that was requested last is not in the list: the error of its source, `finished`, the error of a list
  /// that has no such section or refuses a row, or ``PagingError``. `nil` once a page was inserted.
  public nonisolated var failure: (any Error)? { get async { await perform { $0.latestFailure } } }

  /// Requests the next page, and waits until it is loaded, or has failed, or there is none.
  ///
  /// Cancelling the task loses nothing for other tasks: each has its own request.
  public nonisolated func demand() async {
    await request { await $0.loadPages(after: $0.requestCount, $1) }
  }

  /// Changes the query, and waits for its first page, which replaces the rows that the section has now. The same query is no
  /// change; its first page is waited for, and requested again if its load was cancelled or has failed.
  public nonisolated func change(to query: Query) async {
    await request { paging, waiting in
      guard query != paging.latestQuery else {
        if paging.replacesRows { await paging.loadPages(after: paging.latestAnswer, waiting) }
        return
      }
      paging.latestQuery = query
      await paging.loadFirst(waiting)
    }
  }

  /// Starts over, and waits for the first page, which replaces the rows that the section has now.
  public nonisolated func reload() async {
    await request { await $0.loadFirst($1) }
  }
}

// MARK: - Loading

extension Paging {
  /// Refuses a page if a task that waits for it is the current load, directly or through loads of other pages.
  private func refuses(_ waiting: [OwnTask]) -> Bool {
    guard let flight, waiting.contains(where: { $0.owner == ObjectIdentifier(self) && $0.number == flight.number })
    else { return false }
    (latestFailure, hasRefused) = (PagingError.requestedByItsOwnLoad, true)
    return true
  }

  /// Loads pages until one with a greater number was loaded or failed, unless there is none.
  private func loadPages(after number: Int, _ waiting: [OwnTask]) async {
    while !Task.isCancelled {
      if flight != nil {
        let signal = Signal()
        let token = waiters.add(signal)
        if await !signal.wait() { waiters.remove(token) }
      } else if latestAnswer > number || hasLastPage {
        return
      } else {
        await loadPage(waiting)
      }
    }
  }

  private func loadFirst(_ waiting: [OwnTask]) async {
    flight?.load.cancel()
    (flight, cursor, hasLastPage, replacesRows) = (nil, nil, false, true)
    await loadPage(waiting)
  }

  private func loadPage(_ waiting: [OwnTask]) async {
    requestCount += 1
    hasRefused = false
    let number = requestCount
    let requested: ListSnapshot<Section, Row>
    do {
      requested = try edit { [section] in
        try $0.setPhase(.loading, of: section)
        return $0.snapshot
      }
    } catch {
      // A page that cannot be shown is not loaded.
      (latestFailure, latestAnswer) = (error, number)
      return waiters.wakeAll()
    }
    let owner = ObjectIdentifier(self)
    let task = Task { [load, latestQuery, cursor] in
      try await OwnTask.run(owner, number, under: waiting) { try await load(latestQuery, cursor) }
    }
    flight = (number, task)
    checkInvariants()
    let answer = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    // Otherwise another page was requested since, and this is a late answer.
    guard flight?.number == number else { return }
    flight = nil
    insert(answer, requested)
    waiters.wakeAll()
    checkInvariants()
  }

  private func checkInvariants() {
    assert(
      (flight.map { $0.number == requestCount } ?? waiters.isEmpty)
        && (cursor == nil || !replacesRows && !hasLastPage),
      "Page \(flight?.number ?? 0) of \(requestCount) is loaded, \(waiters.count) tasks wait, "
        + "\(String(describing: cursor)) is next")
  }

  /// Inserts a page into the list, which may have changed since the page was requested.
  private func insert(_ answer: Result<Page, any Error>, _ requested: ListSnapshot<Section, Row>) {
    let (section, edge, replacesRows, isFirst) = (section, edge, replacesRows, cursor == nil)
    do {
      let page = try answer.get()
      try Task.checkCancellation()
      try edit {
        let rows = $0.bringUpToDate(page.rows, requested)
        if replacesRows {
          try $0.replaceRows(of: requested, in: section, with: rows, at: edge)
        } else {
          try $0.insert(rows, in: section, at: edge)
        }
        try $0.markLoaded(section)
      }
      (cursor, hasLastPage) = (page.next, page.next == nil)
      // The page that was requested last may have been refused.
      if !hasRefused { latestFailure = nil }
      self.replacesRows = false
    } catch  where Task.isCancelled {
      // The task of the demand was cancelled, which is no failure of the source.
      return show { if isFirst { try $0.setPhase(.idle, of: section) } else { try $0.markLoaded(section) } }
    } catch {
      latestFailure = error
      show { try $0.setPhase(.failed(message: "\(error)", retry: .onRequest), of: section) }
    }
    latestAnswer = requestCount
  }

  private func edit<Result: Sendable>(
    _ body: @Sendable (inout ListEditor<Section, Row>) throws -> Result
  ) throws -> Result { try core.assumeIsolated { try $0.edit(body) } }

  /// Shows the end of a load, if the list is not finished and still has the section.
  private func show(_ body: @Sendable (inout ListEditor<Section, Row>) throws -> Void) {
    do { try edit(body) } catch { latestFailure = latestFailure ?? error }
  }
}

extension ListEditor {
  /// The rows of a page that the list has not removed since the request. Rows that were inserted or changed since are as in the
  /// list.
  fileprivate func bringUpToDate(_ page: [Row], _ requested: ListSnapshot<Section, Row>) -> [Row] {
    let since = requested.changes(to: snapshot)
    // A row whose section was removed or inserted is listed so, even if another section had or has it.
    let gone = requested.rows(ofSections: since.sections.deletes, rows: since.rows.deletes)
    let newer = snapshot.rows(
      ofSections: since.sections.inserts, rows: since.rows.inserts + since.rows.updates.map(\.to))
    var rows: [Row] = []
    for row in page {
      let (former, present) = (gone[row.id], newer[row.id])
      if former == present { rows.append(row) } else if let present { rows.append(present) }
    }
    return rows
  }

  /// Replaces the rows that a section had in a former list; rows inserted since keep their order. Rows of the page that are in
  /// another section are updated there.
  ///
  /// - Throws: `unknownSection`; `duplicateRow` if the page has an id twice.
  fileprivate mutating func replaceRows(
    of former: ListSnapshot<Section, Row>, in section: Section.ID, with page: [Row], at edge: PagingEdge
  ) throws {
    let index = try requiredIndex(ofSection: section)
    var (rows, arrived, replaced) = ([Row](), [Row](), Set<Row.ID>())
    for row in page {
      if let path = path(ofRow: row.id), path.section != index {
        try update(row.id) { $0 = row }
      } else {
        rows.append(row)
        replaced.insert(row.id)
      }
    }
    if let old = former.scanForIndex(ofSection: section) {
      for row in former.rows(inSection: old) { replaced.insert(row.id) }
    }
    for row in snapshot.rows(inSection: index) where !replaced.contains(row.id) { arrived.append(row) }
    try replaceRows(in: section, with: edge == .top ? rows + arrived : arrived + rows)
  }

  /// Inserts the rows of a page that the list does not have at an edge of a section, and updates the others.
  ///
  /// - Throws: `unknownSection`; `duplicateRow` if the page has a new id twice.
  fileprivate mutating func insert(_ page: [Row], in section: Section.ID, at edge: PagingEdge) throws {
    var new: [Row] = []
    for row in page {
      if path(ofRow: row.id) == nil { new.append(row) } else { try update(row.id) { $0 = row } }
    }
    switch edge {
    case .top: try insert(contentsOf: new, at: RowPath(section: try requiredIndex(ofSection: section), row: 0))
    case .bottom: try append(contentsOf: new, to: section)
    }
  }
}

extension ListSnapshot {
  /// Single rows, and all rows of some sections, by their ids. Changes do not list rows that are inserted or removed with their
  /// section.
  fileprivate func rows(ofSections sections: [Int], rows paths: [RowPath]) -> [Row.ID: Row] {
    var rows = Dictionary<Row.ID, Row>()
    for section in sections { for row in self.rows(inSection: section) { rows[row.id] = row } }
    for path in paths {
      let row = row(at: path)
      rows[row.id] = row
    }
    return rows
  }
}

/// The reason why a page was not requested.
public enum PagingError: Error, Hashable {
  /// The `load` of a ``Paging`` waited for a page of the same paging, which would have waited for that load.
  case requestedByItsOwnLoad
}

extension PagingError: CustomStringConvertible {
  /// Describes the problem, and what to write instead.
  public var description: String {
    "`load` waits for a page of its own paging, which waits for this load; request it in a task that `load` does not await"
  }
}

import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The edge of a section where further pages are inserted.
public enum PagingEdge: Hashable, Sendable {
  /// Above the rows that are there: a history that is read backwards.
  case top
  /// Below the rows that are there.
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
/// - A failure shows in the phase of the section and in ``failure``; the next demand tries again. Nothing is loaded for a
///   list without the section.
///
/// A load runs in a task that is cancelled with its demand. A check and the edit after it are one step, as the store and this
/// are one isolation domain. Nothing waits for the executor that a task prefers.
public actor Paging<
  Section: PhasedSection, Row: RowViewModel, Query: Equatable & Sendable, Cursor: Sendable
> {
  /// Rows that are loaded at once.
  public struct Page: Sendable {
    /// The rows, in order of the section. Rows that the list already has are updated.
    public var rows: [Row]
    /// The beginning of the next page; `nil` if this is the last one.
    public var next: Cursor?

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
  /// The beginning of the next page; `nil` before the first one.
  private var cursor: Cursor?
  /// True if the rows answer the query, and not a former one.
  private var hasFirstPage = false
  /// The page that is being loaded, and its number.
  private var flight: (number: Int, load: Task<Page, any Error>)?
  /// The number of requested pages.
  private var requestCount = 0
  /// The tasks that wait for the page that is being loaded.
  private var waiters = WaiterList()

  /// The executor of the store.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe core.unownedExecutor }

  /// Creates a source of pages. Nothing is loaded before it is requested.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - section: The section for the rows. The list has to have it.
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

  /// The query that the pages answer.
  public nonisolated var query: Query { get async { await perform { $0.latestQuery } } }
  /// True if the last page was loaded.
  public nonisolated var isComplete: Bool { get async { await perform { $0.hasLastPage } } }
  /// The reason why the page that was requested last is not in the list: the error of its source, `finished`, or that of the
  /// list, which has no such section or refuses a row. `nil` once a page was inserted.
  public nonisolated var failure: (any Error)? { get async { await perform { $0.latestFailure } } }

  /// Requests the next page, and waits until it is loaded, or has failed, or there is none.
  ///
  /// Cancelling the task loses nothing for other tasks: each has its own request.
  public nonisolated func demand() async { await perform { await $0.loadNext() } }

  /// Changes the query, and waits for its first page. The same query again is no change.
  public nonisolated func change(to query: Query) async {
    await perform { paging in
      guard query != paging.latestQuery else { return }
      paging.latestQuery = query
      await paging.loadFirst()
    }
  }

  /// Starts anew, and waits for the first page, which replaces all rows.
  public nonisolated func reload() async { await perform { await $0.loadFirst() } }
}

// MARK: - Loading

extension Paging {
  private func loadNext() async {
    let seen = requestCount
    while !Task.isCancelled {
      if flight != nil {
        let signal = Signal()
        let token = waiters.add(signal)
        if await !signal.wait() { waiters.remove(token) }
      } else if requestCount > seen || hasLastPage {
        return
      } else {
        await loadPage()
      }
    }
  }

  private func loadFirst() async {
    flight?.load.cancel()
    (flight, cursor, hasLastPage, hasFirstPage) = (nil, nil, false, false)
    await loadPage()
  }

  private func loadPage() async {
    requestCount += 1
    let number = requestCount
    do {
      try edit { [section] in try $0.setPhase(.loading, of: section) }
    } catch {
      // A page that cannot be shown is not loaded.
      latestFailure = error
      return waiters.wakeAll()
    }
    let task = Task { [load, latestQuery, cursor] in try await load(latestQuery, cursor) }
    flight = (number, task)
    checkInvariants()
    let answer = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    // Otherwise another page was requested meanwhile, and this is a late answer.
    guard flight?.number == number else { return }
    flight = nil
    insert(answer)
    waiters.wakeAll()
    checkInvariants()
  }

  private func checkInvariants() {
    assert(
      (flight.map { $0.number == requestCount } ?? waiters.isEmpty)
        && (cursor == nil || hasFirstPage && !hasLastPage),
      "Page \(flight?.number ?? 0) of \(requestCount) is loaded, \(waiters.count) tasks wait, "
        + "\(String(describing: cursor)) is next")
  }

  private func insert(_ answer: Result<Page, any Error>) {
    let (section, edge) = (section, hasFirstPage ? edge : nil)
    do {
      let page = try answer.get()
      try Task.checkCancellation()
      try edit { try $0.insert(page.rows, in: section, at: edge) }
      (cursor, hasLastPage, hasFirstPage, latestFailure) = (page.next, page.next == nil, true, nil)
    } catch  where Task.isCancelled {
      // The task of the demand was cancelled, which is no failure of the source.
      show { if edge == nil { try $0.setPhase(.idle, of: section) } else { try $0.markLoaded(section) } }
    } catch {
      latestFailure = error
      show { try $0.setPhase(.failed(message: "\(error)", retry: .onRequest), of: section) }
    }
  }

  private func edit(_ body: @Sendable (inout ListEditor<Section, Row>) throws -> Void) throws {
    try core.assumeIsolated { try $0.edit(body) }
  }

  /// Shows the end of a load, if the list is not finished and still has the section.
  private func show(_ body: @Sendable (inout ListEditor<Section, Row>) throws -> Void) {
    do { try edit(body) } catch { latestFailure = latestFailure ?? error }
  }
}

extension ListEditor where Section: PhasedSection {
  /// Inserts a page into a section at an edge, and updates rows that the list already has. Without an edge the page is the
  /// first one, and replaces all rows.
  ///
  /// - Throws: `unknownSection`; `duplicateRow` if the page has an id twice, or a first page one of another section.
  fileprivate mutating func insert(_ rows: [Row], in section: Section.ID, at edge: PagingEdge?) throws {
    if let edge {
      let new = rows.filter { path(ofRow: $0.id) == nil }
      for row in rows where path(ofRow: row.id) != nil { try update(row.id) { $0 = row } }
      switch edge {
      case .top: try insert(contentsOf: new, at: RowPath(section: try requiredIndex(ofSection: section), row: 0))
      case .bottom: try append(contentsOf: new, to: section)
      }
    } else {
      try replaceRows(in: section, with: rows)
    }
    try markLoaded(section)
  }
}

import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Where further pages are put.
public enum PagingEdge: Hashable, Sendable {
  /// Above the rows that are there: a history that is read backwards.
  case top
  /// Below the rows that are there.
  case bottom
}

/// Fills a section page by page, as its rows are asked for.
///
///     let history = Paging(store, section: "general", at: .top, query: "") { query, cursor in
///       let answer = try await server.messages(matching: query, before: cursor)
///       return .init(rows: answer.messages, next: answer.hasMore ? answer.cursor : nil)
///     }
///     await history.demand()                // the table came near its end
///     await history.change(to: "swift")     // another text was typed
///
/// - One page is loaded at a time.
/// - A demand that comes while a page is loaded is not dropped: a page that is asked for after it follows, one for all
///   demands that came meanwhile.
/// - After a change of the query, answers to the former one are discarded, and what is being loaded is cancelled. The rows
///   stay until the first page of the new query takes their place, with the difference as its update.
/// - A failure shows in the phase of the section and in ``failure``; the next demand tries again. A list without the
///   section has nothing to show it in, and nothing is loaded for it.
///
/// Everything happens in the tasks that make demands. What is checked here is edited in the same step, as the store and
/// this are one isolation domain. Nothing waits for the executor that a task prefers.
public actor Paging<
  Section: PhasedSection, Row: RowViewModel, Query: Equatable & Sendable, Cursor: Sendable
> {
  /// What was loaded at once.
  public struct Page: Sendable {
    /// The rows, in the order in which they are shown. Rows that the list has already are brought up to date.
    public var rows: [Row]
    /// Where the next page begins, or `nil` if this is the last one.
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
  /// Where the next page begins; `nil` before the first one.
  private var cursor: Cursor?
  /// Whether the rows answer the query, and not a former one.
  private var isUnderWay = false
  /// The number of the page that is being loaded, and what makes an end of it.
  private var flight: (number: Int, abort: Signal)?
  /// How many pages were asked for.
  private var begun = 0
  /// The tasks that wait for the page that is being loaded.
  private var waiters = WaiterList()

  /// The executor of the store.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe core.unownedExecutor }

  /// Creates a source of pages. Nothing is loaded before it is asked for.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - section: The section that the rows are put into. The list has to have it.
  ///   - edge: Where further pages are put.
  ///   - query: What the pages answer.
  ///   - load: Loads the page of a query that begins at a cursor, or for the first one.
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

  /// What the pages answer.
  public nonisolated var query: Query { get async { await onSharedExecutor { await self.latestQuery } } }
  /// Whether the last page was loaded.
  public nonisolated var isComplete: Bool { get async { await onSharedExecutor { await self.hasLastPage } } }
  /// Why the page that was asked for last is not in the list: the error of its source, or `finished`, or
  /// that of the list, which has no such section or refuses a row. `nil` once a page was put into the list.
  public nonisolated var failure: (any Error)? { get async { await onSharedExecutor { await self.latestFailure } } }

  /// Requests the next page, and waits until it is there, or failed, or there is none.
  ///
  /// Cancelling the task loses nothing for other tasks: each has its own request.
  public nonisolated func demand() async { await onSharedExecutor { await self.loadNext() } }

  /// Changes the query, and waits for its first page. The same query again is no change.
  public nonisolated func change(to query: Query) async { await onSharedExecutor { await self.setQuery(query) } }

  /// Begins anew, and waits for the first page, which takes the place of all rows.
  public nonisolated func reload() async { await onSharedExecutor { await self.loadFirst() } }
}

// MARK: - Loading

extension Paging {
  private func loadNext() async {
    let seen = begun
    while !Task.isCancelled {
      if flight != nil {
        let signal = Signal()
        let token = waiters.add(signal)
        if await !signal.wait() { waiters.remove(token) }
      } else if begun > seen || hasLastPage {
        return
      } else {
        await loadPage()
      }
    }
  }

  private func setQuery(_ query: Query) async {
    guard query != latestQuery else { return }
    latestQuery = query
    await loadFirst()
  }

  private func loadFirst() async {
    flight?.abort.send()
    flight = nil
    cursor = nil
    hasLastPage = false
    isUnderWay = false
    await loadPage()
  }

  private func loadPage() async {
    begun += 1
    let number = begun
    do {
      try edit { [section] in try $0.setPhase(.loading, of: section) }
    } catch {
      // What cannot be shown is not loaded.
      latestFailure = error
      return waiters.wakeAll()
    }
    let abort = Signal()
    flight = (number, abort)
    checkInvariants()
    let answer = await answer(to: latestQuery, at: cursor, abort: abort)
    // Another page was asked for meanwhile; this is a late answer.
    guard flight?.number == number else { return }
    flight = nil
    land(answer)
    waiters.wakeAll()
    checkInvariants()
  }

  private func checkInvariants() {
    assert(
      (flight.map { $0.number == begun } ?? waiters.isEmpty) && (cursor == nil || isUnderWay && !hasLastPage),
      "Page \(flight?.number ?? 0) of \(begun) is loaded, \(waiters.count) tasks wait, \(String(describing: cursor)) is next"
    )
  }

  /// Loads a page, until it is aborted.
  private func answer(to query: Query, at cursor: Cursor?, abort: Signal) async -> Result<Page, any Error> {
    let load = load
    return await withTaskGroup(of: Result<Page, any Error>.self) { group in
      group.addTask {
        do { return .success(try await load(query, cursor)) } catch { return .failure(error) }
      }
      group.addTask {
        await abort.wait()
        return .failure(CancellationError())
      }
      defer { group.cancelAll() }
      return await group.next() ?? .failure(CancellationError())
    }
  }

  private func land(_ answer: Result<Page, any Error>) {
    let (section, edge) = (section, isUnderWay ? edge : nil)
    do {
      let page = try answer.get()
      try edit { try $0.put(page.rows, in: section, at: edge) }
      cursor = page.next
      hasLastPage = page.next == nil
      isUnderWay = true
      latestFailure = nil
    } catch  where Task.isCancelled {
      // The task that asked was cancelled: that is no failure of the source.
      show { if edge == nil { try $0.setPhase(.idle, of: section) } else { try $0.markLoaded(section) } }
    } catch {
      latestFailure = error
      show { try $0.setPhase(.failed(message: "\(error)", retry: .onRequest), of: section) }
    }
  }

  private func edit(_ body: @Sendable (inout ListEditor<Section, Row>) throws -> Void) throws {
    try core.assumeIsolated { try $0.edit(body) }
  }

  /// Shows how a load ended, if the list is not finished and still has the section.
  private func show(_ body: @Sendable (inout ListEditor<Section, Row>) throws -> Void) {
    do { try edit(body) } catch { latestFailure = latestFailure ?? error }
  }
}

extension ListEditor where Section: PhasedSection {
  /// Puts a page into a section. Rows that the list has already are brought up to date where they are; the new ones are
  /// put at an edge. Without an edge the page is the first one, and takes the place of all rows.
  ///
  /// - Throws: `unknownSection`; `duplicateRow` if the page has an id twice, or a first page one of another section.
  fileprivate mutating func put(_ rows: [Row], in section: Section.ID, at edge: PagingEdge?) throws {
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

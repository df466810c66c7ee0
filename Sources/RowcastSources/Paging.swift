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
///     await history.change(to: "swift")     // somebody typed
///
/// - One page is loaded at a time.
/// - A demand that comes while a page is loaded is not dropped: a page that is asked for after it follows, one for all
///   demands that came meanwhile.
/// - After a change of the query, answers to the former one are discarded, and what is being loaded is cancelled. The rows
///   stay until the first page of the new query takes their place, with the difference as its update.
/// - A failure shows in the phase of the section; the next demand tries again.
///
/// Everything happens in the tasks of those who ask. What is checked here is edited in the same step, as the store and
/// this are one isolation domain.
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

  /// What the pages answer.
  public private(set) var query: Query
  /// Whether the last page was loaded.
  public private(set) var isComplete = false
  /// Where the next page begins; `nil` before the first one.
  private var cursor: Cursor?
  /// Whether the rows answer the query, and not a former one.
  private var isUnderWay = false
  /// The number of the page that is being loaded, and what makes an end of it.
  private var flight: (number: Int, abort: Signal)?
  /// How many pages were asked for.
  private var begun = 0
  /// Those who wait for the page that is being loaded.
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
  ///   - load: Asks for the page of a query that begins at a cursor, or for the first one.
  public init(
    _ store: ListStore<Section, Row>, section: Section.ID, at edge: PagingEdge = .bottom, query: Query,
    load: @escaping @Sendable (Query, Cursor?) async throws -> Page
  ) {
    self.init(store.core, section: section, at: edge, query: query, load: load)
  }

  init(
    _ core: StoreCore<Section, Row>, section: Section.ID, at edge: PagingEdge, query: Query,
    load: @escaping @Sendable (Query, Cursor?) async throws -> Page
  ) {
    self.core = core
    self.section = section
    self.edge = edge
    self.query = query
    self.load = load
  }

  /// The number of tasks that wait for the page that is being loaded. For tests.
  var waitingCount: Int { waiters.count }

  /// Asks for the next page, and waits until it is there, or failed, or there is none.
  ///
  /// If the task is cancelled nothing is lost for others: they ask themselves.
  public func demand() async {
    let seen = begun
    while !Task.isCancelled {
      if flight != nil {
        let signal = Signal()
        let token = waiters.add(signal)
        if await !signal.wait() { waiters.remove(token) }
      } else if begun > seen || isComplete {
        return
      } else {
        await loadPage()
      }
    }
  }

  /// Asks something else, and waits for its first page. The same query again is no change.
  public func change(to query: Query) async {
    guard query != self.query else { return }
    self.query = query
    await reload()
  }

  /// Begins anew, and waits for the first page, which takes the place of all rows.
  public func reload() async {
    flight?.abort.send()
    flight = nil
    cursor = nil
    isComplete = false
    isUnderWay = false
    await loadPage()
  }
}

// MARK: - Loading

extension Paging {
  private func loadPage() async {
    begun += 1
    let number = begun
    let abort = Signal()
    flight = (number, abort)
    edit { [section] in try $0.setPhase(.loading, of: section) }
    let answer = await answer(to: query, at: cursor, abort: abort)
    // Somebody asks something else by now; this is a late answer.
    guard flight?.number == number else { return }
    flight = nil
    land(answer)
    waiters.wakeAll()
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
    let (section, isUnderWay) = (section, isUnderWay)
    do {
      let page = try answer.get()
      let edge = isUnderWay ? edge : nil
      try core.assumeIsolated { try $0.edit { try $0.put(page.rows, in: section, at: edge) } }
      cursor = page.next
      isComplete = page.next == nil
      self.isUnderWay = true
    } catch  where Task.isCancelled {
      // Who asked has gone away: that is no failure of the source.
      edit { if isUnderWay { try $0.markLoaded(section) } else { try $0.setPhase(.idle, of: section) } }
    } catch {
      edit { try $0.setPhase(.failed(message: "\(error)", retry: .onRequest), of: section) }
    }
  }

  /// Shows something in a list that may be finished, or without the section; then there is nothing to show it in.
  private func edit(_ body: @Sendable (inout ListEditor<Section, Row>) throws -> Void) {
    core.assumeIsolated { _ = try? $0.edit(body) }
  }
}

extension ListEditor where Section: PhasedSection {
  /// Puts a page into a section.
  ///
  /// - Parameters:
  ///   - rows: The rows of the page. Those that the list has already are brought up to date where they are.
  ///   - section: The section.
  ///   - edge: Where the new rows are put; `nil` if the page is the first one, and takes the place of all rows.
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

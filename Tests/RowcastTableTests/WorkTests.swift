import Testing

/// W1: what an update and a line of scrolling look at, in counts: on a small screen and on a large one, in short lists and
/// in long ones.
@Suite(.watched) struct WorkTests {
  /// The work of a row that appears where another one leaves: that ends, and its cell is prepared, configured and
  /// displayed.
  private let exchange: TableWork = [.requests: 1, .cellCalls: 4, .configured: 1]

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [40, 200])
  func `W1 a change below the screen looks at no row, no id and no cell`(height: Int) throws {
    let subject = try MeteredTable(rows: 10_000, height: height)
    let work = try subject.update { draft in
      _ = draft.removeRow(at: path(9_000))
      draft.insertRow(subject.row(-1), at: path(8_000))
      draft.replaceRow(at: path(7_000), with: subject.row(7_000, "new"))
      draft.moveRow(from: path(6_000), to: path(6_500))
    }
    #expect(work == [:] && subject.table.topLine == subject.top)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [40, 200])
  func `W1 a change above the screen looks at no row, no id and no cell, and the screen moves with its rows`(
    height: Int
  ) throws {
    let subject = try MeteredTable(rows: 10_000, height: height)
    let shown = subject.table.visibleRows.map(\.row)
    let work = try subject.update { draft in
      _ = draft.removeRow(at: path(900))
      draft.insertRow(subject.row(-1), at: path(800))
      draft.insertRow(subject.row(-2), at: path(10))
      draft.replaceRow(at: path(700), with: subject.row(698, "new"))
    }
    #expect(work == [:])
    #expect(subject.table.topLine == subject.top + 1 && subject.table.visibleRows.map(\.row) == shown)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [40, 200])
  func `W1 a change on the screen looks at the row that it changes, and at what comes into view`(height: Int) throws {
    func work(_ edit: (inout MeteredTable.Draft, MeteredTable, _ middle: Int) -> Void) throws -> TableWork {
      let subject = try MeteredTable(rows: 10_000, height: height)
      return try subject.update { edit(&$0, subject, subject.top + height / 2) }
    }
    let update = try work { draft, subject, middle in
      draft.replaceRow(at: path(middle), with: subject.row(middle, "new"))
    }
    #expect(update == [.comparisons: 1, .requests: 1, .cellCalls: 1, .configured: 1])
    #expect(try work { $0.insertRow($1.row(-1), at: path($2)) } == exchange)
    #expect(try work { draft, _, middle in _ = draft.removeRow(at: path(middle)) } == exchange)
    #expect(try work { draft, _, middle in draft.moveRow(from: path(middle), to: path(middle + 3)) } == [:])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [40, 200])
  func `W1 scrolling asks for what comes into view, and for nothing that stays`(height: Int) throws {
    let subject = try MeteredTable(rows: 10_000, height: height)
    #expect(try subject.scroll { try $0.scroll(byLines: 1) } == exchange)
    #expect(try subject.scroll { try $0.scroll(byLines: -1) } == exchange)
    #expect(try subject.scroll { try $0.scroll(byLines: 0) } == [:])
    let page = try subject.scroll { try $0.scroll(byPages: 1) }
    #expect(page == [.requests: height - 1, .cellCalls: 4 * (height - 1), .configured: height - 1])
    let jump = try subject.scroll { try $0.scroll(toLine: 9_000) }
    #expect(jump == [.requests: height, .cellCalls: 4 * height, .configured: height])
    #expect(subject.table.totals.created == height)
  }

  // MARK: - The length of the list

  /// A table with all rows on its screen selected.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func selected(rows count: Int) throws -> MeteredTable {
    let subject = try MeteredTable(rows: count, height: 20)
    subject.table.selectionMode = .multiple
    for visible in subject.table.visibleRows { subject.table.select(visible.row.id) }
    return subject
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `W1 an update costs what is visible and what changed, whatever the list's length`() throws {
    func work(rows count: Int) throws -> TableWork {
      let subject = try selected(rows: count)
      return try subject.update { draft in
        for step in 0..<10 {
          _ = draft.removeRow(at: path(7 * step))
          draft.insertRow(subject.row(-1 - step), at: path(90 + step))
        }
      }
    }
    let many = try work(rows: 100_000)
    #expect(try work(rows: 1_000) == many)
    #expect(many.looks < 10 * (20 + 20) && many[.configured] == nil, "\(many)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `W1 a thousand changes off the screen look at no more rows than those, and configure nothing`() throws {
    let subject = try selected(rows: 100_000)
    let thousand = try subject.update { draft in
      for step in 0..<1_000 { draft.replaceRow(at: path(37 * step), with: subject.row(37 * step, "new")) }
    }
    #expect(thousand.looks < 10 * (1_000 + 20) && thousand[.configured] == nil, "\(thousand)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `W1 a list that is replaced with its section costs its rows once, however many were visible`() throws {
    let subject = try selected(rows: 10_000)
    let replaced = try subject.update { draft in
      _ = draft.removeSection(at: 0)
      draft.insertSection(TestSection("b"), rows: (20_000..<30_000).map { subject.row($0) }, at: 0)
    }
    #expect(replaced[.configured] == 20)
    #expect(replaced.looks < 3 * 20_000, "\(replaced)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `W1 all rows, or some, are selected and deselected in time for each, also one by one`() throws {
    let count = 4_000
    let metered = try MeteredTable(rows: count, height: 20)
    metered.table.selectionMode = .multiple
    let ids = (0..<count).map { metered.row($0).id }
    let ways: [(hashes: Int, select: (RetainedTable<TestSection, MeteredRow>) -> Void)] = [
      (12, { table in for id in ids { #expect(table.select(id)) } }), (16, { $0.selectAll() }),
      (16, { $0.select(ids) }),
    ]
    for (hashes, select) in ways {
      let selecting = metered.meter.work(in: metered.table) { select(metered.table) }
      #expect(metered.table.selection.count == count)
      #expect(
        selecting[.ids, default: 0] < 8 * count && selecting[.hashes, default: 0] < hashes * count, "\(selecting)")
      let deselecting = metered.meter.work(in: metered.table) { metered.table.deselectAll() }
      #expect(metered.table.selection.isEmpty)
      #expect(
        deselecting[.ids, default: 0] < 8 * count && deselecting[.hashes, default: 0] < 16 * count, "\(deselecting)")
    }
  }

  // MARK: - Headers

  @Test func `W1 headers are asked for when their sections come or change, and not otherwise`() throws {
    let headers = PlacedHeaders()
    let table = PlacedTable(
      cells: PlacedCells(surroundings: Surroundings(estimates: true)), headers: headers, height: 4)
    try table.show(
      PlacedList(
        (0..<100).map { section in
          ListSection(
            PlacedSection(id: section), rows: (0..<3).map { PlacedRow(id: 3 * section + $0, lines: 1, group: 0) })
        }))
    // All, and once more for the cell of the visible one.
    #expect(headers.requests.count == 101)
    try table.scroll(byLines: 1)
    #expect(headers.requests.count == 102)
    var parts = table.snapshot.contents.map { ListSection($0.section, rows: Array($0.rows)) }
    parts[50].rows.removeLast()
    try table.show(PlacedList(parts))
    #expect(headers.requests.count == 102)
    parts[60].model.lines = 2
    try table.show(PlacedList(parts))
    #expect(headers.requests.count == 103 && table.contentHeight == 100 + 299 + 1)
  }
}

import Testing

/// How snapshots are read, and how they print themselves.
@Suite(.watched) struct ReadingTests {
  private let list: TestSnapshot

  init() throws {
    list = try TestSnapshot([
      ListSection(TestSection("a", "A"), rows: [TestRow(1, "x"), TestRow(2)]), ListSection(TestSection("b")),
      ListSection(TestSection("c"), rows: [TestRow(3, "y")]),
    ])
  }

  @Test func `rows are read by path, and all together`() {
    #expect(list[RowPath(section: 2, row: 0)] == TestRow(3, "y"))
    #expect(list.allRows.map(\.id) == [1, 2, 3])
    #expect(list.allRows.count == 3 && list.allRows.first == TestRow(1, "x"))
    #expect(TestSnapshot().allRows.count == 0 && TestSnapshot().allRows.first == nil)
    #expect(list.allRows.count { $0.id > 1 } == 2 && list.allRows.first { $0.id > 1 }?.id == 2)
    #expect(list.scanForPath(ofRow: 3) == RowPath(section: 2, row: 0) && list.scanForPath(ofRow: 4) == nil)
    #expect(list.scanForIndex(ofSection: "c") == 2 && list.scanForIndex(ofSection: "d") == nil)
    #expect(list.contents.map(\.section.id) == ["a", "b", "c"])
    #expect(list.contents.map { $0.rows.map(\.id) } == [[1, 2], [], [3]])
  }

  @Test(arguments: [0, 1, 32, 513, 20_000])
  func `a binary search finds every border, however deep the tree is`(count: Int) {
    let rows = ListSnapshot(numbered: [ListSection(TestSection("a"), rows: (0..<count).map { TestRow($0) })])
    let sections = ListSnapshot(numbered: (0..<count).map { ListSection(TestSection("\($0)"), rows: [TestRow($0)]) })
    for border in stride(from: 0, through: count, by: max(1, count / 97)) {
      #expect(rows.partitioningRow(inSection: 0) { $0.id >= border } == border)
      #expect(sections.partitioningSection { $1[0].id >= border } == border)
    }
  }

  @Test func `lists of any shape and size are read in order, all at once and one by one`() {
    for shape in TreeDraftTests.shapes {
      for count in [0, 1, 2, 3, 7, 33, 200, 1_000] {
        let rows = (0..<count).map { TestRow($0) }
        let flat = TestSnapshot(
          unchecked: [ListSection(TestSection("a")), ListSection(TestSection("b"), rows: rows)], sectionShape: shape,
          rowShape: shape)
        for list in [flat, ListDraft(flat).snapshot] {
          #expect(Array(list.allRows) == rows, "\(count) rows, \(shape)")
          #expect(list.rows(inSection: 1).elementsEqual(rows))
          #expect(list.rows(inSection: 1).indices.allSatisfy { list.rows(inSection: 1)[$0] == rows[$0] })
        }
      }
    }
  }

  @Test func `an iterator goes on reading its list when the list is gone`() {
    func list(sections: Int) -> TestSnapshot {
      let size = 500 / sections
      let material = (0..<sections).map { section in
        let rows = (section * size..<(section + 1) * size).map {
          TestRow($0, "a text that is too long to stand in the value itself, \($0)")
        }
        return ListSection(TestSection("\(section)"), rows: rows)
      }
      return ListDraft(TestSnapshot(unchecked: material)).snapshot
    }
    func read(_ iterator: some IteratorProtocol<TestRow>) -> [TestRow] {
      var iterator = iterator
      var read: [TestRow] = []
      while let row = iterator.next() { read.append(row) }
      #expect(iterator.next() == nil)
      return read
    }
    let inSection = list(sections: 1).rows(inSection: 0).makeIterator()
    let inAll = list(sections: 20).allRows.makeIterator()
    for rows in [read(inSection), read(inAll)] {
      #expect(rows.map(\.id) == Array(0..<500) && rows.allSatisfy { $0.text.hasSuffix(", \($0.id)") })
    }
  }

  @Test func `a list prints its rows, not its nodes`() {
    #expect(
      list.description == """
        3 sections, 3 rows
        0: \(TestSection("a", "A"))
          0-0: \(TestRow(1, "x"))
          0-1: \(TestRow(2))
        1: \(TestSection("b"))
        2: \(TestSection("c"))
          2-0: \(TestRow(3, "y"))
        """)
    #expect(list.rows(inSection: 0).description == "\([TestRow(1, "x"), TestRow(2)])")
    let update = TestUpdate(initial: list, revision: 4)
    #expect(update.description.hasPrefix("revision 4, the whole list: ") && update.description.hasSuffix("\(list)"))
    var dumped = ""
    dump(update, to: &dumped)
    #expect(dumped.contains("text: \"y\"") && !dumped.contains("number"))
  }

  @Test func `a long list prints its beginning, and how much is left out`() {
    let long = TestSnapshot(unchecked: [ListSection(TestSection("a"), rows: (0..<10_000).map { TestRow($0) })])
    #expect(long.description.hasPrefix("1 section, 10000 rows\n0: "))
    #expect(long.description.hasSuffix("more rows") && long.description.split(separator: "\n").count < 70)
    #expect(long.rows(inSection: 0).description.hasSuffix("… and 9940 more]"))
  }
}

/// Reading outside of a list stops, with a message that has the values.
@Suite(.watched) struct OutsideTests {
  private func expect(_ result: ExitTest.Result?, _ text: String) throws {
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains(text), "\(message)")
  }

  @Test(arguments: [
    (0, 5, "Row 0-5 is out of range: its section has 2 rows"), (3, 0, "Section 3 is out of range 0..<1"),
    (-1, 9, "9 is out of range 0..<2"),
  ])
  func `a row outside of its section, or of the rows of a section, and a section outside of the list`(
    section: Int, row: Int, text: String
  ) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [section, row] in
      let list = try TestSnapshot.of(("a", [1, 2]))
      if section < 0 { _ = list.rows(inSection: 0)[row] } else { _ = list.row(at: RowPath(section: section, row: row)) }
    }
    try expect(result, text)
  }

  @Test(arguments: [
    (true, "delete row 2 from section 0 which only contains 1 rows before the update"),
    (false, "attempt to insert section 1 but there are only 1 sections after the update"),
  ])
  func `stages of changes from another list, or to one`(isFrom: Bool, text: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isFrom] in
      let (one, three) = (try TestSnapshot.of(("a", [1])), try TestSnapshot.of(("a", [1, 2, 3])))
      let (two, longer) = (try TestSnapshot.of(("a", [1, 2])), try TestSnapshot.of(("a", [1]), ("b", [])))
      if isFrom { _ = three.changes(to: two).stages(from: one, to: two) }
      _ = one.changes(to: longer).stages(from: one, to: one)
    }
    try expect(result, text)
  }
}

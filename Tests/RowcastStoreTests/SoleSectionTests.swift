@Suite(.watched) struct SoleSectionTests {
  @Test func `a store is made of rows, which are set and put at the end, and never come twice`() async throws {
    let store = try ListStore([TestRow(1, "a"), TestRow(2)])
    #expect(await store.snapshot.rows(inSection: 0).map(\.id) == [1, 2])
    #expect(throws: ListError<Int, Int>.self) { _ = try ListStore([TestRow(1), TestRow(1)]) }
    #expect(await (try ListStore([TestRow(1), TestRow(1, "b")], duplicates: .keepLast)).snapshot.rowCount == 1)
    var updates = store.updates().makeAsyncIterator()
    _ = await updates.next()
    try await store.set([TestRow(2), TestRow(3)])
    let changes = try #require(await updates.next()).changes
    #expect(changes.rows.deletes.count == 1 && changes.rows.inserts.count == 1 && changes.count == 2)
    await #expect(throws: ListError<Int, Int>.self) { try await store.set([TestRow(4), TestRow(4)]) }
    try await store.edit { try $0.append(TestRow(1)) }
    await #expect(throws: ListError<Int, Int>.self) { try await store.edit { try $0.append(TestRow(2, "b")) } }
    #expect(await store.snapshot.allRows.map(\.id) == [2, 3, 1])
  }

  @Test func `other sections are not made up`() async throws {
    let store = try ListStore([TestRow(1)])
    await #expect(throws: ListError<Int, Int>.unknownSection(1)) {
      try await store.edit { try $0.append(TestRow(2), to: 1) }
    }
    let lists = TestSnapshot()
    await #expect(throws: ListError<String, Int>.unknownSection("a")) {
      try await ListStore(lists).edit { try $0.replaceRows(in: "a", with: []) }
    }
  }

  @Test func `a section with another id is not taken for it`() throws {
    let list = try ListSnapshot([ListSection(SoleSection(), rows: [TestRow(1)])])
    let message = WireMessage(ListUpdate(initial: list, revision: 0))
    let own = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
    let foreign = own.replacingOccurrences(of: #""id":0"#, with: #""id":7"#)
    #expect(foreign != own)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(WireMessage<SoleSection, TestRow>.self, from: Data(foreign.utf8))
    }
  }

  private typealias Editor = ListEditor<SoleSection, TestRow>
  private typealias List = ListSnapshot<SoleSection, TestRow>

  private static func update(_ before: List, _ after: List) -> ListUpdate<SoleSection, TestRow> {
    ListUpdate(revision: 1, previous: 0, changes: before.changes(to: after), snapshot: after)
  }

  /// An editor of a list that lacks the section, as one that was read from another writer may.
  private static func lacking() -> Editor { Editor(draft: ListDraft(List())) }

  @Test func `no edit removes the section`() async throws {
    let operations: [@Sendable (inout Editor) throws -> Void] = [
      { $0.removeAll() }, { _ = try $0.removeSection(0) }, { $0.replace(with: List()) },
      { try $0.apply(ListUpdate(initial: List(), revision: 7)) },
      { try $0.apply(Self.update($0.snapshot, List())) },
    ]
    for (index, operation) in operations.enumerated() {
      let store = try ListStore([TestRow(1)])
      var updates = store.updates().makeAsyncIterator()
      _ = await updates.next()
      try await store.edit {
        try operation(&$0)
        #expect($0.snapshot == List(unchecked: [ListSection(SoleSection())]), "operation \(index)")
      }
      let changes = try #require(await updates.next()).changes
      #expect(changes.sections.isEmpty && changes.rows.deletes.count == 1 && changes.count == 1, "operation \(index)")
    }
  }

  @Test func `a copy of a list that loses and gets back the section gets its rows`() throws {
    var copy = Self.lacking()
    var former = List()
    let lists = [[1, 2], nil, [3], [3, 4], [], nil, nil, [5]] as [[Int]?]
    for (revision, rows) in lists.enumerated() {
      let list = List(unchecked: rows.map { [ListSection(SoleSection(), rows: $0.map { TestRow($0) })] } ?? [])
      try copy.apply(Self.update(former, list))
      #expect(copy.snapshot.sectionCount == 1 && copy.snapshot.allRows.map(\.id) == rows ?? [], "list \(revision)")
      former = list
    }
    let other = List(unchecked: [ListSection(SoleSection(), rows: [TestRow(6)])])
    do {
      try copy.apply(Self.update(List(), other))
      Issue.record("a second section has been inserted")
    } catch {}
    #expect(copy.snapshot == former)
    // A section that is deleted and inserted in one update, as changes made by hand may be.
    copy.removeAll()
    let changes = ListChanges(sections: Changeset(deletes: [0], inserts: [0]))
    try copy.apply(ListUpdate(revision: 1, previous: 0, changes: changes, snapshot: other))
    #expect(copy.snapshot == other)
  }

  @Test func `an operation that fails puts no section in`() throws {
    struct Refusal: Error {}
    let operations: [(inout Editor) throws -> Void] = [
      { try $0.move(1, to: 0, in: 0) }, { try $0.move(1, toEndOf: 0) }, { try $0.insert(TestRow(2), at: 1, in: 0) },
      { try $0.append(contentsOf: [TestRow(2), TestRow(2)], to: 0) }, { try $0.set([TestRow(2), TestRow(2)]) },
      { try $0.updateSection(0) { _ in throw Refusal() } }, { try $0.moveSection(0, to: 1) },
      { try $0.insert(TestRow(2), at: RowPath(section: 1, row: 0)) },
    ]
    for (index, operation) in operations.enumerated() {
      var list = Self.lacking()
      do {
        try operation(&list)
        Issue.record("operation \(index) has not failed")
      } catch {}
      #expect(list.snapshot.sectionCount == 0, "operation \(index)")
    }
  }

  @Test func `each operation that names the section finds it in a list that lacks it`() throws {
    let operations: [(rows: Int, operation: (inout Editor) throws -> Void)] = [
      (1, { try $0.append(TestRow(2), to: 0) }), (2, { try $0.append(contentsOf: [TestRow(2), TestRow(3)], to: 0) }),
      (1, { try $0.insert(TestRow(2), at: 0, in: 0) }), (1, { try $0.upsert(TestRow(2), to: 0) }),
      (1, { try $0.upsert(TestRow(2)) }), (1, { try $0.set([TestRow(2)]) }), (0, { try $0.moveSection(0, to: 0) }),
      (0, { try $0.updateSection(0) { _ in } }),
      (0, { _ = try $0.removeSection(0) }), (0, { $0.removeAll() }),
    ]
    for (index, (rows, operation)) in operations.enumerated() {
      var list = Self.lacking()
      try operation(&list)
      #expect(list.snapshot.rowCount == rows && list.snapshot.sectionCount == 1, "operation \(index)")
    }
  }
}

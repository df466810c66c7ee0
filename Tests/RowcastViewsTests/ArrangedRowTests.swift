import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Rows that become others, rows without a position, and rows that fail.
@Suite(.watched) struct ArrangedRowTests {
  struct Label: RowViewModel {
    let id: Int
    var text: String
  }

  struct Unreadable: Error, Equatable {
    let text: String
  }

  private static let read: @Sendable (TestRow) throws -> Label = { row in
    guard let number = Int(row.text) else { throw Unreadable(text: row.text) }
    return Label(id: row.id, text: "number \(number)")
  }

  private static func store(_ texts: String...) throws -> TestStore {
    TestStore(
      try TestSnapshot([ListSection(TestSection("a"), rows: texts.enumerated().map { TestRow($0, $1) })]))
  }

  private static func texts(_ list: ListSnapshot<TestSection, Label>) -> [String] {
    list.rows(inSection: 0).map(\.text)
  }

  @Test func `a row whose mapping throws is left out, and its error is told until the row is another one`() async throws
  {
    let store = try Self.store("1", "one", "2", "two")
    let view = store.arranged { $0.map(Self.read) }
    #expect(Self.texts(await view.snapshot) == ["number 1", "number 2"])
    #expect(
      await view.failures.mapValues { $0 as? Unreadable } == [1: Unreadable(text: "one"), 3: Unreadable(text: "two")])
    try await store.edit { list in
      try list.update(1) { $0.text = "11" }
      try list.remove(3)
    }
    #expect(Self.texts(await view.snapshot) == ["number 1", "number 11", "number 2"])
    #expect(await view.failures.isEmpty)
  }

  @Test func `errors of a section that goes are forgotten`() async throws {
    let store = try Self.store("one")
    let view = store.arranged { $0.map(Self.read) }
    #expect(await view.failures.count == 1)
    try await store.edit { try $0.removeSection("a") }
    #expect(await view.failures.isEmpty)
  }

  @Test func `a row whose mapping throws shows its error, if that is wanted, and the view goes on`() async throws {
    let store = try Self.store("1", "one")
    let view = store.arranged {
      $0.map(onFailure: .show { row, _ in Label(id: row.id, text: "cannot read \(row.text)") }, Self.read)
    }
    var stream = view.updates().makeAsyncIterator()
    #expect(Self.texts(try #require(await stream.next()).snapshot) == ["number 1", "cannot read one"])
    try await store.edit { try $0.update(0) { $0.text = "zero" } }
    let update = try #require(await stream.next())
    #expect(Self.texts(update.snapshot) == ["cannot read zero", "cannot read one"])
    #expect(update.changes.count == 1 && update.changes.rows.updates.count == 1)
    #expect(await view.failures.isEmpty)
  }

  @Test func `a row whose mapping throws keeps what it was, if that is wanted, and moves with its row`() async throws {
    let store = try Self.store("1", "2", "3", "no")
    let view = store.arranged { $0.map(onFailure: .keepLast, Self.read) }
    #expect(Self.texts(await view.snapshot) == ["number 1", "number 2", "number 3"])
    try await store.edit { list in
      try list.update(0) { $0.text = "one" }
      try list.move(0, to: RowPath(section: 0, row: 2))
    }
    #expect(Self.texts(await view.snapshot) == ["number 2", "number 3", "number 1"])
    #expect(Set(await view.failures.keys) == [0, 3])
    // Also if most of the list is another one.
    try await store.edit { list in for id in 10..<200 { try list.append(TestRow(id, "7"), to: "a") } }
    #expect(Self.texts(await view.snapshot).prefix(4) == ["number 2", "number 3", "number 1", "number 7"])
    try await store.edit { try $0.update(0) { $0.text = "11" } }
    #expect(Self.texts(await view.snapshot)[2] == "number 11")
    #expect(Set(await view.failures.keys) == [3])
  }

  @Test func `a row that keeps what it was keeps it as it goes into a section that comes, and out of one that goes`()
    async throws
  {
    let store = try Self.store("1", "2", "3")
    let view = store.arranged { $0.map(onFailure: .keepLast, Self.read) }
    #expect(await view.snapshot.rowCount == 3)
    try await store.edit { list in
      try list.append(TestSection("b"))
      try list.update(0) { $0.text = "zero" }
      try list.move(0, to: RowPath(section: 1, row: 0))
    }
    #expect(
      NaiveList(await view.snapshot).parts.map { $0.rows.map(\.text) } == [["number 2", "number 3"], ["number 1"]])
    // Out of two sections that go, one row into a section that stays and one into a section that comes.
    try await store.edit { list in
      try list.append(TestSection("c"))
      try list.update(1) { $0.text = "one" }
      try list.move(1, to: RowPath(section: 2, row: 0))
      try list.append(TestSection("d"))
      try list.move(0, to: RowPath(section: 3, row: 0))
      try list.removeSection("b")
    }
    #expect(Self.texts(await view.snapshot) == ["number 3"])
    try await store.edit { list in
      try list.move(1, to: RowPath(section: 0, row: 0))
      try list.removeSection("c")
      try list.append(TestSection("e"))
      try list.move(0, to: RowPath(section: 2, row: 0))
      try list.removeSection("d")
    }
    #expect(
      NaiveList(await view.snapshot).parts.map { $0.rows.map(\.text) } == [["number 2", "number 3"], ["number 1"]])
    #expect(Set(await view.failures.keys) == [0, 1])
    // A row that goes leaves nothing behind.
    let row = TestRow(0, "zero")
    try await store.edit { try $0.remove(0) }
    #expect(await view.snapshot.rowCount == 2)
    try await store.edit { try $0.append(row, to: "e") }
    #expect(await view.snapshot.rowCount == 2)
  }

  @Test func `a mapping to another id is a failure of that row`() async throws {
    let store = try Self.store("a", "b")
    let view = store.arranged { $0.map { Label(id: $0.id * 10, text: $0.text) } }
    #expect(Self.texts(await view.snapshot) == ["a"])
    let failures = await view.failures
    #expect(failures[1] as? TestListError == .changedRowID(from: 1, to: 10))
    // The list in which an error is shown checks the row that shows it as well.
    let shown = store.arranged { $0.map(onFailure: .show { row, _ in Label(id: 7, text: row.text) }, Self.read) }
    #expect(await shown.snapshot.rowCount == 0)
    #expect(await shown.failures[0] as? TestListError == .changedRowID(from: 0, to: 7))
  }

  @Test func `rows without a position form a set, which an arrangement gives sections and order`() async throws {
    let store = ListStore<SoleSection, TestRow>()
    try await store.edit { list in for id in [5, 3, 4] { try list.upsert(TestRow(id, "old")) } }
    let view = store.arranged {
      $0.sectioned(by: { $0.id % 2 }, order: .descending) { TestSection("\($0)") }.sorted(by: .ascending(\.id))
    }
    var stream = view.updates().makeAsyncIterator()
    _ = await stream.next()
    try await store.edit { list in
      try list.upsert(TestRow(3, "new"))
      try list.upsert(TestRow(2, "new"))
    }
    let update = try #require(await stream.next())
    #expect(NaiveList(update.snapshot).parts.map { $0.rows.map(\.id) } == [[3, 5], [2, 4]])
    #expect(update.changes.rows.updates.count == 1 && update.changes.rows.inserts.count == 1)
    let all = await store.snapshot
    #expect(all.sectionCount == 1 && all.rowCount == 4)
  }

  @Test func `a row without a position stays in its place, goes to the end if it is new, and needs a section`()
    async throws
  {
    let store = TestStore(try .of(("a", [1, 2]), ("b", [3])))
    try await store.edit { list in
      try list.upsert(TestRow(1, "new"))
      try list.upsert(TestRow(4))
    }
    #expect(NaiveList(await store.snapshot).parts.map { $0.rows.map(\.id) } == [[1, 2], [3, 4]])
    #expect(await store.snapshot.row(at: RowPath(section: 0, row: 0)).text == "new")
    let empty = TestStore()
    await #expect(throws: TestListError.sectionOutOfRange(0, count: 0)) {
      try await empty.edit { try $0.upsert(TestRow(1)) }
    }
  }

}

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

}

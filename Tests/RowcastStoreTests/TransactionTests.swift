import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@Suite(.watched) struct TransactionTests {
  @Test func `a transaction without effect is no revision`() async throws {
    let store = try TestStore.with([1, 2])
    try await store.edit { _ in }
    try await store.edit { try $0.update(1) { $0.text = "" } }
    try await store.edit { list in
      try list.move(1, to: RowPath(section: 0, row: 1))
      try list.move(1, to: RowPath(section: 0, row: 0))
    }
    try await store.replace(with: .of(("a", [1, 2])))
    #expect(await store.revision == 0)
  }

  @Test func `an edit gives back what its body returns`() async throws {
    let store = try TestStore.with([4])
    let path = try await store.edit { $0.path(ofRow: 4) }
    #expect(path == RowPath(section: 0, row: 0))
  }

  @Test func `an edit after finish is refused`() async throws {
    let store = TestStore()
    await store.finish()
    await #expect(throws: ListStoreError.finished) { try await store.edit { try $0.append(TestSection("a")) } }
  }

  // MARK: Refusals

  private func refused(_ error: TestListError, _ body: @Sendable (inout TestEditor) throws -> Void) async throws {
    let store = TestStore(try .of(("a", [1, 2]), ("b", [3])))
    await #expect(throws: error) { try await store.edit(body) }
    #expect(await store.revision == 0)
  }

  @Test func `unknown ids are refused by name`() async throws {
    try await refused(.unknownRow(9)) { try $0.remove(9) }
    try await refused(.unknownRow(9)) { try $0.update(9) { $0.text = "" } }
    try await refused(.unknownRow(9)) { try $0.move(9, toEndOf: "a") }
    try await refused(.unknownSection("z")) { try $0.append(TestRow(9), to: "z") }
    try await refused(.unknownSection("z")) { try $0.upsert(TestRow(1), to: "z") }
    try await refused(.unknownSection("z")) { try $0.removeSection("z") }
    try await refused(.unknownSection("z")) { try $0.moveSection("z", to: 0) }
    try await refused(.unknownSection("z")) { try $0.replaceRows(in: "z", with: []) }
  }

  @Test func `places outside the list are refused with the counts`() async throws {
    try await refused(.rowOutOfRange(RowPath(section: 0, row: 3), count: 2)) {
      try $0.insert(TestRow(9), at: RowPath(section: 0, row: 3))
    }
    try await refused(.rowOutOfRange(RowPath(section: 0, row: -1), count: 2)) {
      try $0.insert(TestRow(9), at: RowPath(section: 0, row: -1))
    }
    try await refused(.sectionOutOfRange(2, count: 2)) { try $0.insert(TestRow(9), at: RowPath(section: 2, row: 0)) }
    // The row that moves is not counted: it leaves its place first.
    try await refused(.rowOutOfRange(RowPath(section: 0, row: 2), count: 1)) {
      try $0.move(1, to: RowPath(section: 0, row: 2))
    }
    try await refused(.sectionOutOfRange(2, count: 1)) { try $0.moveSection("a", to: 2) }
    try await refused(.sectionOutOfRange(3, count: 2)) { try $0.insert(TestSection("c"), at: 3) }
  }

  @Test func `ids that exist are refused with both places`() async throws {
    try await refused(.duplicateRow(3, first: RowPath(section: 1, row: 0), second: RowPath(section: 0, row: 1))) {
      try $0.insert(TestRow(3), at: RowPath(section: 0, row: 1))
    }
    try await refused(.duplicateRow(9, first: RowPath(section: 0, row: 2), second: RowPath(section: 0, row: 3))) {
      try $0.append(contentsOf: [TestRow(9), TestRow(9)], to: "a")
    }
    try await refused(.duplicateRow(3, first: RowPath(section: 1, row: 0), second: RowPath(section: 0, row: 1))) {
      try $0.replaceRows(in: "a", with: [TestRow(1), TestRow(3)])
    }
    try await refused(.duplicateSection("b", first: 1, second: 2)) { try $0.append(TestSection("b")) }
  }

  @Test func `an update that changes an id is refused`() async throws {
    try await refused(.changedRowID(from: 1, to: 9)) { try $0.update(1) { $0 = TestRow(9) } }
    try await refused(.changedSectionID(from: "a", to: "z")) { try $0.updateSection("a") { $0 = TestSection("z") } }
  }

  @Test func `a failed operation changes nothing even if the body goes on`() async throws {
    let store = try TestStore.with([1, 2])
    try await store.edit { list in
      try? list.append(contentsOf: [TestRow(8), TestRow(1)], to: "a")
      try? list.update(2) { row in
        row.text = "half"
        throw TestListError.unknownRow(0)
      }
      #expect(list.path(ofRow: 8) == nil)
    }
    #expect(await store.revision == 0)
  }
}

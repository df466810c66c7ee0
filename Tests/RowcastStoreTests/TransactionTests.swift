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

  @Test func `offsets and rows that a list does not have are refused`() async throws {
    let path = RowPath(section: 0, row: 2)
    try await refused(.rowOutOfRange(path, count: 2)) { try $0.removeRows(atOffsets: [0, 2], in: "a") }
    try await refused(.rowOutOfRange(path, count: 2)) { try $0.moveRows(fromOffsets: [0, 2], toOffset: 0, in: "a") }
    for destination in [-1, 3] {
      try await refused(.rowOutOfRange(RowPath(section: 0, row: destination), count: 2)) {
        try $0.moveRows(fromOffsets: [0], toOffset: destination, in: "a")
      }
    }
    for anchor in [1, 3, 9] {
      try await refused(.unknownRow(anchor)) { try $0.moveRows([1, 2], before: anchor, in: "a") }
    }
  }

  @Test func `a failed operation changes nothing even if the body goes on`() async throws {
    let store = try TestStore.with([1, 2])
    try await store.edit { list in
      try? list.append(contentsOf: [TestRow(8), TestRow(1)], to: "a")
      try? list.update(2) { row in
        row.text = "half"
        throw TestListError.unknownRow(0)
      }
      #expect(throws: TestListError.unknownRow(9)) { try list.moveRows([2, 9], before: 1, in: "a") }
      #expect(list.path(ofRow: 8) == nil)
    }
    #expect(await store.revision == 0)
  }
}

/// Moves and removals by the offsets that SwiftUI gives.
@Suite(.watched) struct ListEditorOffsetTests {
  /// The subsets of six indexes.
  private static let subsets = (0..<64).map { bits in (0..<6).filter { bits >> $0 & 1 == 1 } }

  @Test func `rows move and go as SwiftUI describes it, for every set of six rows and every destination`() async throws
  {
    let start = try TestSnapshot.of(("z", [8]), ("a", Array(0..<6)), ("b", [9]))
    let store = TestStore(start)
    func rows() async -> [Int] { await store.snapshot.rows(inSection: 1).map(\.id) }
    for offsets in Self.subsets {
      let rest = (0..<6).filter { !offsets.contains($0) }
      for destination in 0...6 {
        try await store.edit { try $0.moveRows(fromOffsets: offsets, toOffset: destination, in: "a") }
        #expect(
          await rows() == rest.filter { $0 < destination } + offsets + rest.filter { $0 >= destination },
          "\(offsets) to \(destination)")
        try await store.replace(with: start)
      }
      try await store.edit { try $0.removeRows(atOffsets: offsets, in: "a") }
      #expect(await rows() == rest)
      try await store.replace(with: start)
    }
  }

  @Test func `a row whose offset is there twice is removed, or moved, once`() async throws {
    let store = TestStore(try .of(("a", Array(0..<5))))
    try await store.edit { try $0.removeRows(atOffsets: [1, 1, 2], in: "a") }
    #expect(try await store.snapshot == .of(("a", [0, 3, 4])))
    try await store.edit { try $0.moveRows(fromOffsets: [0, 0], toOffset: 2, in: "a") }
    #expect(try await store.snapshot == .of(("a", [3, 0, 4])))
  }

  @Test func `rows of several sections move before a row by their ids, in the order given`() async throws {
    let store = TestStore(try .of(("a", [1, 2, 3]), ("b", [4, 5])))
    try await store.edit { try $0.moveRows([5, 1], before: 3, in: "a") }
    #expect(try await store.snapshot == .of(("a", [2, 5, 1, 3]), ("b", [4])))
    try await store.edit { try $0.moveRows([2, 3], before: nil, in: "b") }
    #expect(try await store.snapshot == .of(("a", [5, 1]), ("b", [4, 2, 3])))
  }
}

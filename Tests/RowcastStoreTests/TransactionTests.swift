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

  /// What is refused of the list [1, 2], [3], and the error.
  private static let refusals: [(error: TestListError, operation: @Sendable (inout TestEditor) throws -> Void)] = [
    // Unknown ids, by name.
    (.unknownRow(9), { try $0.remove(9) }), (.unknownRow(9), { try $0.update(9) { $0.text = "" } }),
    (.unknownRow(9), { try $0.move(9, toEndOf: "a") }),
    (.unknownSection("z"), { try $0.append(TestRow(9), to: "z") }),
    (.unknownSection("z"), { try $0.upsert(TestRow(1), to: "z") }),
    (.unknownSection("z"), { try $0.removeSection("z") }), (.unknownSection("z"), { try $0.moveSection("z", to: 0) }),
    (.unknownSection("z"), { try $0.replaceRows(in: "z", with: []) }),
    // Places outside the list, with the counts.
    (.rowOutOfRange(at(0, 3), count: 2), { try $0.insert(TestRow(9), at: at(0, 3)) }),
    (.rowOutOfRange(at(0, -1), count: 2), { try $0.insert(TestRow(9), at: at(0, -1)) }),
    (.rowOutOfRange(at(0, 3), count: 2), { try $0.insert(contentsOf: [TestRow(9)], at: at(0, 3)) }),
    (.sectionOutOfRange(2, count: 2), { try $0.insert(TestRow(9), at: at(2, 0)) }),
    // The row that moves is not counted: it leaves its place first.
    (.rowOutOfRange(at(0, 2), count: 1), { try $0.move(1, to: at(0, 2)) }),
    (.sectionOutOfRange(2, count: 1), { try $0.moveSection("a", to: 2) }),
    (.sectionOutOfRange(3, count: 2), { try $0.insert(TestSection("c"), at: 3) }),
    // Ids that exist, with both places.
    (.duplicateRow(3, first: at(1, 0), second: at(0, 1)), { try $0.insert(TestRow(3), at: at(0, 1)) }),
    (
      .duplicateRow(9, first: at(0, 2), second: at(0, 3)),
      { try $0.append(contentsOf: [TestRow(9), TestRow(9)], to: "a") }
    ),
    (
      .duplicateRow(3, first: at(1, 0), second: at(0, 1)),
      { try $0.replaceRows(in: "a", with: [TestRow(1), TestRow(3)]) }
    ),
    (.duplicateSection("b", first: 1, second: 2), { try $0.append(TestSection("b")) }),
    // Updates that change an id.
    (.changedRowID(from: 1, to: 9), { try $0.update(1) { $0 = TestRow(9) } }),
    (.changedSectionID(from: "a", to: "z"), { try $0.updateSection("a") { $0 = TestSection("z") } }),
    // Offsets and anchors that a section does not have.
    (.rowOutOfRange(at(0, 2), count: 2), { try $0.removeRows(atOffsets: [0, 2], in: "a") }),
    (.rowOutOfRange(at(0, 2), count: 2), { try $0.moveRows(fromOffsets: [0, 2], toOffset: 0, in: "a") }),
    (.rowOutOfRange(at(0, -1), count: 2), { try $0.moveRows(fromOffsets: [0], toOffset: -1, in: "a") }),
    (.rowOutOfRange(at(0, 3), count: 2), { try $0.moveRows(fromOffsets: [0], toOffset: 3, in: "a") }),
    (.unknownRow(1), { try $0.moveRows([1, 2], before: 1, in: "a") }),
    (.unknownRow(3), { try $0.moveRows([1, 2], before: 3, in: "a") }),
    (.unknownRow(9), { try $0.moveRows([1, 2], before: 9, in: "a") }),
  ]

  private static func at(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

  @Test func `what a list cannot do is refused with ids, places and counts, and changes nothing`() async throws {
    let store = TestStore(try .of(("a", [1, 2]), ("b", [3])))
    for (error, operation) in Self.refusals {
      await #expect(throws: error) { try await store.edit(operation) }
      #expect(await store.revision == 0, "after \(error)")
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

  @Test func `rows move and go as SwiftUI describes it, for each set of six rows and each destination`() async throws {
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

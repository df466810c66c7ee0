import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

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

  @Test func `offsets and rows that a list does not have are refused, and nothing changes`() async throws {
    let start = try TestSnapshot.of(("a", [1, 2, 3]), ("b", [4]))
    let store = TestStore(start)
    let path = RowPath(section: 0, row: 3)
    await #expect(throws: TestListError.rowOutOfRange(path, count: 3)) {
      try await store.edit { try $0.removeRows(atOffsets: [0, 3], in: "a") }
    }
    await #expect(throws: TestListError.rowOutOfRange(path, count: 3)) {
      try await store.edit { try $0.moveRows(fromOffsets: [0, 3], toOffset: 0, in: "a") }
    }
    for destination in [-1, 4] {
      await #expect(throws: TestListError.rowOutOfRange(RowPath(section: 0, row: destination), count: 3)) {
        try await store.edit { try $0.moveRows(fromOffsets: [0], toOffset: destination, in: "a") }
      }
    }
    for anchor in [1, 4, 9] {
      await #expect(throws: TestListError.unknownRow(anchor)) {
        try await store.edit { try $0.moveRows([1, 2], before: anchor, in: "a") }
      }
    }
    // An edit that goes on after such an error has nothing of it.
    try await store.edit { list in
      #expect(throws: TestListError.unknownRow(9)) { try list.moveRows([3, 9], before: 1, in: "a") }
    }
    #expect(await store.snapshot == start)
    #expect(await store.revision == 0)
  }
}

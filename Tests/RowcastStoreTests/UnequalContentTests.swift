import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTesting
import RowcastTestSupport
import Testing

/// Rows whose content is not equal to itself: those with a number in them that is none.
@Suite(.watched) struct UnequalContentTests {
  struct Reading: RowViewModel {
    let id: Int
    var name = "cpu"
    var load: Double?
  }

  typealias Store = ListStore<SoleSection, Reading>

  private static func readings(_ names: String...) -> [Reading] {
    names.enumerated().map { Reading(id: $0.offset, name: $0.element, load: .nan) }
  }

  private static func row(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }

  @Test func `an edit of one row updates this row alone`() async throws {
    let store = try Store(Self.readings("a", "b", "c"))
    try await UpdateRecorder.record(store) { recorder in
      try await recorder.expectInitial { $0.rowCount == 3 }
      try await store.edit { try $0.update(1) { $0.name = "B" } }
      try await recorder.expect(rows: Changeset(updates: [.init(from: Self.row(1), to: Self.row(1))]))
      try await store.edit { try $0.update(1) { $0.load = 1 } }
      try await recorder.expect(rows: Changeset(updates: [.init(from: Self.row(1), to: Self.row(1))]))
      try await store.edit { try $0.update(1) { $0.load = .nan } }
      try await recorder.expect(rows: Changeset(updates: [.init(from: Self.row(1), to: Self.row(1))]))
    }
  }

  @Test func `the same content made again is no change`() async throws {
    let store = try Store(Self.readings("a", "b", "c"))
    for _ in 0..<10 { try await store.set(Self.readings("a", "b", "c")) }
    try await store.replace(with: await Store(Self.readings("a", "b", "c")).snapshot)
    try await store.edit { try $0.update(1) { $0.load = .nan } }
    #expect(await store.revision == 0)
    let (list, again) = (await store.snapshot, try await Store(Self.readings("a", "b", "c")).snapshot)
    #expect(list == again)
    try await store.set(Self.readings("a", "B", "c"))
    #expect(await store.revision == 1)
    #expect(await store.snapshot.allRows.map(\.name) == ["a", "B", "c"])
  }

  @Test func `a difference is empty exactly where two lists are equal`() throws {
    let lists = try [("a", 1.0), ("a", .nan), ("b", .nan)].map { name, load in
      try ListSnapshot([ListSection(SoleSection(), rows: [Reading(id: 1, name: name, load: load)])])
    }
    for (index, before) in lists.enumerated() {
      for (other, after) in lists.enumerated() {
        #expect(before.changes(to: after).isEmpty == (index == other) && (before == after) == (index == other))
      }
    }
  }
}

import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastUI
import RowcastViews
import Testing

/// Edits that SwiftUI has performed before the model knows of them.
@MainActor
@Suite(.watched) struct PerformedModelEditTests {
  private struct Refused: Error {}

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test func `a model shows an edit at once, and what is left of it after the answer`() async throws {
    let store = try TestStore.with([1, 2, 3])
    let model = ListModel(store, startingWith: await store.snapshot)
    func ids() -> [Int] { model.rows(inSection: "a").map(\.id) }
    try model.viewDidPerform { try $0.moveRows(fromOffsets: [0], toOffset: 3, in: "a") }
    #expect(ids() == [2, 3, 1])
    // Somebody else's row, then the edit itself.
    try await store.edit { try $0.append(TestRow(4), to: "a") }
    try await model.edit { try $0.moveRows([1], before: 4, in: "a") }
    #expect(ids() == [2, 3, 1, 4])
    try model.viewDidPerform { try $0.removeRows(atOffsets: [0, 3], in: "a") }
    #expect(ids() == [3, 1])
    #expect(throws: TestListError.unknownRow(9)) {
      try model.viewDidPerform {
        try $0.remove(1)
        try $0.remove(9)
      }
    }
    #expect(ids() == [3, 1])
    await model.showNewest()
    #expect(ids() == [2, 3, 1, 4])
    #expect(model.row(2) == TestRow(2))
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test func `a model without a list takes the first list that comes`() async throws {
    let store = try TestStore.with([1, 2])
    let model = ListModel(store)
    try model.viewDidPerform { try $0.append(TestSection("b"), rows: [TestRow(7)]) }
    while model.snapshot.rowCount != 2 { await Task.yield() }
    #expect(model.rows(inSection: "a").map(\.id) == [1, 2])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test func `a row that was dragged in an optimistic list goes back when the edit is refused`() async throws {
    let store = try TestStore.with([1, 2])
    let shown = OptimisticList(store)
    let model = ListModel(shown, startingWith: await shown.snapshot)
    try model.viewDidPerform { try $0.moveRows([2], before: 1, in: "a") }
    await #expect(throws: Refused.self) {
      try await shown.edit {
        try $0.moveRows([2], before: 1, in: "a")
      } confirming: {
        throw Refused()
      }
    }
    // An edit that was refused before anybody read the list was no update.
    await model.showNewest()
    #expect(model.rows(inSection: "a").map(\.id) == [1, 2])
  }
}

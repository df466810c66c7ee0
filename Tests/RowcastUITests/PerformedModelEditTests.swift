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
  @Test(arguments: [false, true])
  func
    `an edit in the view just after one of the model stays until the next update, and that brings the list of the store`(
      isNewest: Bool
    ) async throws
  {
    for round in 0..<100 {
      let store = try TestStore.with([0, 1, 2, 3, 4])
      let model = ListModel(store, startingWith: await store.snapshot)
      _ = model.row(1)
      await soon { model.base.position != nil && model.isIndexed }
      if isNewest {
        try await store.edit { try $0.append(TestRow(5), to: "a") }
        await model.showNewest()
      } else {
        try await model.edit { try $0.append(TestRow(5), to: "a") }
      }
      try model.viewDidPerform { for id in 0..<4 { try $0.remove(id) } }
      #expect(model.rows(inSection: "a").map(\.id) == [4, 5])
      // The stream brings the list with row 5, which is no news.
      for _ in 0..<round { await Task.yield() }
      try #require(model.rows(inSection: "a").map(\.id) == [4, 5])
      try await store.edit { try $0.update(5) { $0.text = "remote" } }
      await soon { model.row(5)?.text == "remote" }
      try #require((0..<6).allSatisfy { model.row($0)?.id == $0 })
      #expect(model.rows(inSection: "a").map(\.id) == Array(0..<6))
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test func `a model without a list is loading, also while it shows an edit of the view`() async throws {
    let model = ListModel(try TestStore.with([1, 2]))
    try model.viewDidPerform { try $0.append(TestSection("b"), rows: [TestRow(7)]) }
    #expect(model.phase == .loading)
    await soon { model.phase == .loaded }
    #expect(model.rows(inSection: "a").map(\.id) == [1, 2])
  }
}

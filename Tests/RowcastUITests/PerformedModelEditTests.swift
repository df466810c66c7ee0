import Observation
import Testing

@testable import RowcastUI

/// Edits that SwiftUI has performed before the model knows of them.
@MainActor @Suite(.watched) struct PerformedModelEditTests {
  @Test func `an edit that a reader makes when it is told of another is kept, and so is the other`() async throws {
    let store = try TestStore.with([1, 2, 3, 4])
    let model = ListModel(store, startingWith: await store.snapshot)
    _ = model.row(1)
    await eventually { model.base.position != nil && model.isIndexed }
    func performWhenTold(of id: Int, removing other: Int) {
      withObservationTracking {
        _ = model.row(id)
      } onChange: {
        MainActor.assumeIsolated { try? model.viewDidPerform { try $0.remove(other) } }
      }
    }
    performWhenTold(of: 1, removing: 2)
    try model.viewDidPerform { try $0.update(1) { $0.text = "performed" } }
    #expect(model.rows(inSection: "a").map(\.id) == [1, 3, 4])
    #expect(model.row(1)?.text == "performed" && model.row(2) == nil)
    performWhenTold(of: 3, removing: 4)
    try await store.edit { try $0.update(3) { $0.text = "edited" } }
    await eventually { model.row(3)?.text == "edited" }
    #expect(model.row(4) == nil || model.rows(inSection: "a").map(\.id) == [1, 2, 3, 4])
    // The phase is the list's after both.
    withObservationTracking {
      _ = model.row(1)
    } onChange: {
      MainActor.assumeIsolated { try? model.viewDidPerform { $0.removeAll() } }
    }
    model.refresh([1])
    #expect(model.phase == .empty)
  }

  @Test(arguments: [false, true])
  func `an edit in the view just after one of the model stays until the next update`(isNewest: Bool) async throws {
    for round in 0..<100 {
      let store = try TestStore.with([0, 1, 2, 3, 4])
      let model = ListModel(store, startingWith: await store.snapshot)
      _ = model.row(1)
      await eventually { model.base.position != nil && model.isIndexed }
      if isNewest {
        try await store.edit { try $0.append(TestRow(5), to: "a") }
        await model.showNewest()
      } else {
        try await model.edit { try $0.append(TestRow(5), to: "a") }
      }
      try model.viewDidPerform { for id in 0..<4 { try $0.remove(id) } }
      #expect(model.rows(inSection: "a").map(\.id) == [4, 5])
      // The stream delivers the list with row 5, which is already shown.
      for _ in 0..<round { await Task.yield() }
      try #require(model.rows(inSection: "a").map(\.id) == [4, 5])
      try await store.edit { try $0.update(5) { $0.text = "remote" } }
      await eventually { model.row(5)?.text == "remote" }
      try #require((0..<6).allSatisfy { model.row($0)?.id == $0 })
      #expect(model.rows(inSection: "a").map(\.id) == Array(0..<6))
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.enabled(if: Schedule.canSettle))
  nonisolated func `a model that shows the newest list again and again waits for its list once`() async throws {
    let list = try TestSnapshot.of(("a", [1]))
    let counts = await Schedule.run(seed: 1, settles: true) { () async -> [Int] in
      let store = TestStore(list)
      let model = await ListModel(store)
      var counts: [Int] = []
      for _ in 0..<3 {
        await model.showNewest()
        try? await Schedule.settle()
        counts.append(await store.waiterCount)
      }
      return await model.phase == .loaded ? counts : []
    }.value
    #expect(counts == [1, 1, 1])
  }

  @Test func `a model without a list is loading until the first update, also with an edit of the view`() async throws {
    let model = ListModel(try TestStore.with([1, 2]))
    #expect(model.phase == .loading && model.row(1) == nil)
    try model.viewDidPerform { try $0.append(TestSection("b"), rows: [TestRow(7)]) }
    #expect(model.phase == .loading)
    let (phase, row) = (told { _ = model.phase }, told { _ = model.row(1) })
    await eventually { model.phase == .loaded }
    #expect(model.rows(inSection: "a").map(\.id) == [1, 2])
    #expect((phase.value, row.value) == (1, 1))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a row that is moved in a sorted list returns to its place, though the list has no update`() async throws {
    let store = try TestStore.with([1, 2, 3])
    let sorted = store.arranged { $0.sorted(by: \.id) }
    let model = ListModel(sorted, startingWith: await sorted.snapshot)
    let edit = model.moveRows(fromOffsets: [0], toOffset: 3, in: "a", of: store) { Issue.record($0) }
    #expect(model.snapshot.allRows.map(\.id) == [2, 3, 1])
    await edit.value
    #expect(model.snapshot.allRows.map(\.id) == [1, 2, 3])
    #expect(await store.snapshot.allRows.map(\.id) == [2, 3, 1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an edit that the store refuses is told, and taken back`() async throws {
    let store = try TestStore.with([2, 1, 4])
    let even = store.arranged { $0.filter { $0.id % 2 == 0 } }
    let model = ListModel(even, startingWith: await even.snapshot)
    await store.finish()
    var failures: [String] = []
    await model.removeRows(atOffsets: [0], in: "a", of: store) { failures.append("\($0)") }.value
    await model.moveRows(fromOffsets: [0], toOffset: 2, in: "a", of: store) { failures.append("\($0)") }.value
    #expect(failures == Array(repeating: "\(ListStoreError.finished)", count: 2))
    #expect(model.snapshot.allRows.map(\.id) == [2, 4])
    await model.removeRows(atOffsets: [7], in: "a", of: store) { failures.append("\($0)") }.value
    #expect(failures.count == 3)
    #expect(model.snapshot.allRows.map(\.id) == [2, 4])
  }
}

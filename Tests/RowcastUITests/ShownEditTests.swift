import Observation
import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

@testable import RowcastUI

/// Edits of people in a list that is made of others: offsets of what is shown become ids, edited where the rows come from.
@MainActor
@Suite(.watched) struct ShownEditTests {
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  private typealias Sent = (store: TestStore, model: ListModel<TestSection, TestRow>)

  /// Notes by their texts, of which those with an odd id are hidden.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  private func filtered(_ ids: [Int]) async throws -> Sent {
    let store = try TestStore.with(ids)
    let even = store.arranged { $0.filter { $0.id % 2 == 0 } }
    return (store, ListModel(even, startingWith: await even.snapshot))
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
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

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test func `an edit that the store refuses is told, and taken back`() async throws {
    let (store, model) = try await filtered([2, 1, 4])
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

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test func `observations of a model have each of its states that somebody waits for`() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let store = try TestStore.with([1])
    let model = ListModel(store, startingWith: await store.snapshot)
    var counts: [Int] = []
    for await count in Observations({ model.snapshot.rowCount }) {
      counts.append(count)
      if count == 4 { break }
      try await model.edit { try $0.append(TestRow(10 + count), to: "a") }
    }
    #expect(counts == [1, 2, 3, 4])
  }
}

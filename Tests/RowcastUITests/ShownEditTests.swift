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
  @Test func `a row that is moved in a filtered list is after the row that was shown before it`() async throws {
    let (store, model) = try await filtered([2, 1, 4, 3, 6, 5])
    let edit = model.moveRows(fromOffsets: [0], toOffset: 2, in: "a", of: store) { Issue.record($0) }
    // At once, in the turn of the main actor in which SwiftUI has moved it.
    #expect(model.snapshot.allRows.map(\.id) == [4, 2, 6])
    await edit.value
    #expect(model.snapshot.allRows.map(\.id) == [4, 2, 6])
    #expect(await store.snapshot.allRows.map(\.id) == [1, 4, 2, 3, 6, 5])
    await model.moveRows(fromOffsets: [2], toOffset: 0, in: "a", of: store) { Issue.record($0) }.value
    #expect(await store.snapshot.allRows.map(\.id) == [1, 6, 4, 2, 3, 5])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test func `rows that are deleted in a filtered list leave the store, and those that are gone already are no error`()
    async throws
  {
    let (store, model) = try await filtered([2, 1, 4, 3, 6])
    try await store.edit { _ = try $0.remove(4) }
    await model.removeRows(atOffsets: [0, 1], in: "a", of: store) { Issue.record($0) }.value
    #expect(await store.snapshot.allRows.map(\.id) == [1, 3, 6])
    #expect(model.snapshot.allRows.map(\.id) == [6])
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

  /// A store as arrays, and the edits in it by hand.
  private struct NaiveStore {
    var sections: [(id: String, rows: [TestRow])]

    func shown(_ isShown: (TestRow) -> Bool) -> [(id: String, rows: [TestRow])] {
      sections.map { ($0.id, $0.rows.filter(isShown)) }
    }

    mutating func remove(_ ids: [Int]) {
      for index in sections.indices { sections[index].rows.removeAll { ids.contains($0.id) } }
    }

    /// Moves rows to the place that shows them between two others.
    mutating func move(_ ids: [Int], _ section: String, after previous: Int?, before next: Int?) {
      let all = sections.flatMap(\.rows)
      let rows = ids.compactMap { id in all.first { $0.id == id } }
      remove(ids)
      for index in sections.indices {
        let here = sections[index].rows
        if let place = here.firstIndex(where: { $0.id == previous }) {
          return sections[index].rows.insert(contentsOf: rows, at: place + 1)
        }
        if previous == nil, let place = here.firstIndex(where: { $0.id == next }) {
          return sections[index].rows.insert(contentsOf: rows, at: place)
        }
        if previous == nil, next == nil, sections[index].id == section { return sections[index].rows += rows }
      }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @Test func `any edits in a filtered list of sections have the effect that they show, in the store, too`() async throws
  {
    var random = SeededGenerator.forFuzzing("edits through what is shown")
    for round in 0..<SeededGenerator.rounds(60, long: 6_000) {
      let list = try TestSnapshot.random(sections: 3, rows: 12, using: &random)
      let store = TestStore(list)
      let found = store.arranged { $0.filter { $0.id % 3 != 0 } }
      let model = ListModel(found, startingWith: await found.snapshot)
      var naive = NaiveStore(
        sections: list.sections.indices.map { (list.section(at: $0).id, Array(list.rows(inSection: $0))) })
      for _ in 0..<8 {
        let shown = naive.shown { $0.id % 3 != 0 }
        guard let section = shown.randomElement(using: &random) else { break }
        let offsets = section.rows.indices.filter { _ in Bool.random(using: &random) }
        let ids = offsets.map { section.rows[$0].id }
        if Bool.random(using: &random) {
          await model.removeRows(atOffsets: offsets, in: section.id, of: store) { Issue.record($0) }.value
          naive.remove(ids)
        } else {
          let destination = Int.random(in: 0...section.rows.count, using: &random)
          await model.moveRows(fromOffsets: offsets, toOffset: destination, in: section.id, of: store) {
            Issue.record($0)
          }.value
          let staying = section.rows.enumerated().filter { !offsets.contains($0.offset) }
          naive.move(
            ids, section.id, after: staying.last { $0.offset < destination }?.element.id,
            before: staying.first { $0.offset >= destination }?.element.id)
        }
        let note = Comment(rawValue: "seed \(random.seed), round \(round)")
        let stored = await store.snapshot
        #expect(stored.sections.indices.map { Array(stored.rows(inSection: $0)) } == naive.sections.map(\.rows), note)
        let seen = model.snapshot
        #expect(
          seen.sections.indices.map { Array(seen.rows(inSection: $0)) } == naive.shown { $0.id % 3 != 0 }.map(\.rows),
          note)
      }
    }
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

import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// Rows with their neighbours.
@Suite(.watched) struct NeighbourTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [100, 5_000])
  func `an event makes a row and at most four neighbours anew, however long the list is`(count: Int) async throws {
    let made = CallCount()
    let store = try ListStore((0..<count).map { TestRow($0, "0") })
    let list = store.arranged { $0.withNeighbours().map { made.note(TestRow($0.id, $0.row.text)) } }
    _ = await list.snapshot
    #expect(made.value == count)
    for (event, most) in try await [
      work { try $0.update(50) { $0.text = "1" } },
      work { try $0.insert(TestRow(-1, "2"), at: RowPath(section: 0, row: 20)) },
      work { try $0.remove(70) }, work { try $0.move(40, to: RowPath(section: 0, row: 60)) },
    ].enumerated() {
      #expect(most == [3, 3, 2, 5][event], "event \(event)")
    }
    func work(
      _ edit: @Sendable @escaping (inout ListEditor<SoleSection, TestRow>) throws -> Void
    ) async throws -> Int {
      let before = made.value
      try await store.edit { try edit(&$0) }
      _ = await list.snapshot
      return made.value - before
    }
  }

  private struct Reading: RowViewModel {
    let id: Int
    var value: Double
  }

  @Test func `neighbours that are not equal to themselves are as unchanged as they are without neighbours`()
    async throws
  {
    let store = try ListStore((0..<200).map { Reading(id: $0, value: $0 < 20 ? .nan : 0) })
    let list = store.arranged { $0.withNeighbours() }
    var updates = list.updates().makeAsyncIterator()
    _ = try #require(await updates.next())
    // So many changes that all rows are rebuilt, the unchanged ones, too.
    try await store.edit { for id in 60..<200 { try $0.update(id) { $0.value = 1 } } }
    let rows = try #require(await updates.next()).changes.rows
    #expect(Set(rows.updates.map(\.to.row)) == Set(59..<200))
    #expect(rows.inserts.isEmpty && rows.deletes.isEmpty)
  }
}

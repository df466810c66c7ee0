import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastViews
import TestSupport
import Testing

@Suite(.watched) struct SortedByKeyTests {
  /// A row whose ids have no order.
  private struct Note: RowViewModel {
    struct ID: Hashable, Sendable { let number: Int }
    let id: ID
    var title: String
  }

  @Test func `rows are sorted by a key path, and by id where the keys are equal`() async throws {
    let store = try ListStore([TestRow(3, "b"), TestRow(2, "a"), TestRow(1, "b")])
    let list = store.arranged { $0.sorted(by: \.text) }
    #expect(await list.snapshot.rows(inSection: 0).map(\.id) == [2, 1, 3])
  }

  @Test func `rows whose ids have no order stand as they stood where the keys are equal`() async throws {
    let rows = [(3, "b"), (2, "a"), (1, "b")].map { Note(id: .init(number: $0), title: $1) }
    let list = try ListStore(rows).arranged { $0.sorted(by: \.title) }
    #expect(await list.snapshot.rows(inSection: 0).map(\.id.number) == [2, 3, 1])
  }
}

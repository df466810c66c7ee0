import RowcastDiff
import RowcastModel
import RowcastTestSupport
import RowcastViews
import Testing

@testable import RowcastStore

/// Gives on what a store has.
final class Outside<Section: SectionViewModel, Row: RowViewModel>: LiveList {
  private let store: ListStore<Section, Row>

  init(_ store: ListStore<Section, Row>) { self.store = store }

  var snapshot: ListSnapshot<Section, Row> { get async { await store.snapshot } }
  var revision: Int { get async { await store.revision } }
  func updates() -> AsyncStream<ListUpdate<Section, Row>> { store.updates() }
}

/// Lists of an app's own types, which have what `LiveList` requires and nothing else.
@Suite(.watched) struct OutsideListTests {
  /// A list without an identity.
  struct OutsideValue: LiveList {
    let store: TestStore

    var snapshot: TestSnapshot { get async { await store.snapshot } }
    var revision: Int { get async { await store.revision } }
    func updates() -> AsyncStream<TestUpdate> { store.updates() }
  }

  private static func odd(_ list: some LiveList<TestSection, TestRow>) -> ArrangedList<TestSection, TestRow> {
    list.arranged { $0.filter { $0.id % 2 == 1 } }.arranged { $0 }
  }

  @Test(arguments: [true, false])
  func `an arranged list follows a list of any type, to its end`(_ hasIdentity: Bool) async throws {
    let store = try TestStore.with([1, 2, 3])
    let view = hasIdentity ? Self.odd(Outside(store)) : Self.odd(OutsideValue(store: store))
    var stream = view.updates().makeAsyncIterator()
    #expect(try await stream.next()?.snapshot == .of(("a", [1, 3])))
    async let next = stream.next()
    await eventually { await store.waiterCount == 1 }
    try await store.edit { try $0.remove(3) }
    let update = try #require(await next)
    #expect(update.changes.rows.deletes == [RowPath(section: 0, row: 1)] && update.revision == 1)
    #expect(try await view.snapshot == .of(("a", [1])))
    await store.finish()
    #expect(await stream.next() == nil)
  }
}

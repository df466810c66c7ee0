import RowcastDiff
import RowcastModel
import RowcastViews
import RowcastTestSupport
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

  private static func odd(_ row: TestRow) -> Bool { row.id % 2 == 1 }

  @Test(arguments: [true, false])
  func `an arranged list follows a list of any type, to its end`(_ hasIdentity: Bool) async throws {
    let store = try TestStore.with([1, 2, 3])
    let view =
      hasIdentity
      ? Outside(store).arranged { $0.filter(Self.odd) }.arranged { $0 }
      : OutsideValue(store: store).arranged { $0.filter(Self.odd) }.arranged { $0 }
    #expect(try await view.snapshot == .of(("a", [1, 3])))
    var stream = view.updates().makeAsyncIterator()
    #expect(await stream.next()?.snapshot.rowCount == 2)
    async let next = stream.next()
    await eventually { await store.waiterCount == 1 }
    try await store.edit { try $0.remove(3) }
    let update = try #require(await next)
    #expect(update.changes.rows.deletes == [RowPath(section: 0, row: 1)] && update.revision == 1)
    #expect(try await view.snapshot == .of(("a", [1])))
    await store.finish()
    #expect(await stream.next() == nil)
  }

  @Test func `parts of a list of any type are watched`() async throws {
    let store = try TestStore.with([1, 2])
    let list = Outside(store)
    var rows = list.row(2).updates().makeAsyncIterator()
    var counts = list.rowCount.updates().makeAsyncIterator()
    var sections = list.updates(inSection: "a").makeAsyncIterator()
    #expect(await rows.next() == .some(TestRow(2)))
    #expect(await counts.next() == 2)
    #expect(await sections.next()?.snapshot.rowCount == 2)
    async let row = rows.next()
    try await store.edit { try $0.update(2) { $0.text = "new" } }
    #expect(await row == .some(TestRow(2, "new")))
    try await store.edit { try $0.remove(2) }
    #expect(await counts.next() == 1)
    #expect(await sections.next()?.snapshot.rowCount == 1)
    await store.finish()
    #expect(await counts.next() == nil)
  }

  @Test func `under any schedule all that is read of one list of any type is read at one revision`() async throws {
    await Schedule.explore("outside lists", 100, long: 20_000) { _ in try await Self.scene() }
  }

  /// Rows go from one view to the other: a list of both never lacks one, and never has one that is in neither.
  private static func scene() async throws -> String? {
    let store = try TestStore.with([1, 2, 3])
    let list = Outside(store)
    let views = [true, false].map { isIn in list.arranged { $0.filter { $0.text.isEmpty == isIn } } }
    let merged = MergedList(views)
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var follower = Follower()
          for await update in merged.updates() {
            try follower.take(update)
            if update.snapshot.rowCount != 3 { return "half a state: \(update.snapshot)" }
          }
          return follower.list.parts.flatMap { $0.rows.map(\.text) }.sorted() == ["", "4", "4"]
            ? nil : "ended at \(follower.list)"
        }
      }
      group.addTask {
        for round in 1...4 {
          try await store.edit { list in
            for id in 1...3 { try list.update(id) { $0.text = id == round % 3 + 1 ? "" : "\(round)" } }
          }
        }
        await store.finish()
        return nil
      }
      return try await group.firstFailure()
    }
  }
}

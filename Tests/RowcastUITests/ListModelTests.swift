import Foundation
import Observation
import Testing

@testable import RowcastUI

typealias TestModel = ListModel<TestSection, TestRow>

/// Reads something, and counts how often it was told that this has changed: never, or once.
@MainActor
func told(of read: () -> Void) -> CallCount {
  let count = CallCount()
  withObservationTracking(read) { count.note(()) }
  return count
}

/// Waits on the main actor for what other tasks are about to bring about.
@MainActor
func eventually(_ condition: () async -> Bool) async {
  while await !condition() { await Task.yield() }
}

@MainActor @Suite(.watched) struct ListModelTests {
  /// A section whose id counts how often it is hashed.
  private struct CountedSection: SectionViewModel {
    static let hashes = CallCount()

    struct ID: Hashable, Sendable {
      let number: Int

      func hash(into hasher: inout Hasher) { hasher.combine(CountedSection.hashes.note(number)) }
    }

    let id: ID
  }

  @Test func `sections are found by their ids without the others, after the first look-up`() throws {
    let list = try ListSnapshot<CountedSection, TestRow>(
      (0..<1_000).map { ListSection(CountedSection(id: .init(number: $0)), rows: [TestRow($0)]) })
    let model = ListModel(ListStore(list), startingWith: list)
    #expect(model.section(.init(number: 7)) != nil)
    let before = CountedSection.hashes.value
    for number in 0..<10 {
      #expect(model.section(.init(number: number)) != nil)
      #expect(model.rows(inSection: .init(number: number)).count == 1)
      #expect(model.rowIDs(inSection: .init(number: number)).count == 1)
    }
    #expect(CountedSection.hashes.value - before <= 300)
  }

  @Test func `a row that another section gets as it was tells nobody, though it is unequal to itself`() async throws {
    struct Measurement: RowViewModel { let id: Int, value: Double }
    func list(_ section: String, _ value: Double) throws -> ListSnapshot<TestSection, Measurement> {
      let rows = [Measurement(id: 1, value: .nan), Measurement(id: 2, value: value)]
      return try ListSnapshot([ListSection(TestSection(section), rows: rows)])
    }
    let (first, second) = (try list("a", 1), try list("b", 2))
    let model = ListModel(ListStore(first), startingWith: first)
    let counts = (1...2).map { id in told { _ = model.row(id) } }
    try await model.edit { $0.replace(with: second) }
    #expect(counts.map(\.value) == [0, 1])
    #expect(model.row(1) != nil && model.row(2)?.value == 2)
  }

  private struct Broken: Error, CustomStringConvertible { let description: String }

  /// A source that fails for good as soon as it is attached.
  private static func broken(_ store: TestStore, _ message: String) -> SourceBinding {
    let (events, source) = AsyncThrowingStream.makeStream(of: TestRow.self)
    source.finish(throwing: Broken(description: message))
    return store.attach(events) { _, _ in }
  }

  @Test func `a source that was given up is seen in the phase until one that was attached since works`() async throws {
    let store = TestStore(try .of(("a", [1])))
    let model = TestModel(store, startingWith: await store.snapshot)
    let (former, source) = AsyncStream.makeStream(of: TestRow.self)
    let earlier = store.attach(former) { _, _ in }
    let first = Self.broken(store, "first")
    let second = Self.broken(store, "second")
    _ = await (first.outcome, second.outcome)
    model.watch(first)
    await eventually { model.phase == .failed(message: "first", retry: .never) }
    model.watch(second)
    model.watch(earlier)
    let again = store.attach(former) { _, _ in }
    model.watch(again)
    // Each takes the place of one source, and the former sources take none.
    await eventually { model.phase == .failed(message: "second", retry: .never) }
    let third = Self.broken(store, "third")
    // A source that is seen while it connects counts as working, and takes a place itself.
    _ = await third.outcome
    model.watch(third)
    let last = store.attach(former) { _, _ in }
    model.watch(last)
    await eventually { model.phase == .failed(message: "third", retry: .never) }
    source.finish()
    await eventually { model.sources.liveCount == 0 }
    #expect(model.phase == .failed(message: "third", retry: .never))
  }

  @Test func `a model keeps nothing of sources that have ended, and when it is gone, it watches none`() async throws {
    let store = try TestStore.with([1])
    let ended = store.attach(AsyncStream<Int> { $0.finish() }) { _, _ in }
    _ = await ended.outcome
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    let (lasting, endless) = (store.attach(events) { _, _ in }, store.attach(AsyncStream<Int> { _ in }) { _, _ in })
    weak var former: TestModel?
    do {
      let model = TestModel(store)
      former = model
      for _ in 0..<100 { model.watch(ended) }
      model.watch(lasting)
      await eventually { model.sources.liveCount == 1 }
      source.finish()
      await eventually { model.sources.liveCount == 0 }
      model.watch(endless)
      await eventually { await endless.publisher.watched.readerCount == 1 }
    }
    await eventually { await endless.publisher.watched.readerCount == 0 }
    #expect(former == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
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

  @Test func `readers of very many rows are told all together`() async throws {
    let list = try TestSnapshot.of(("a", Array(0..<10_001)))
    let model = TestModel(TestStore(list), startingWith: list)
    // Rows are found by reading the list until the index is ready.
    _ = model.row(0)
    await eventually { model.isIndexed }
    let few = (0..<10_000).map { id in told { _ = model.row(id) } }
    try await model.edit { try $0.update(5) { $0.text = "a" } }
    #expect(few.map(\.value).reduce(0, +) == 1)
    let many = (0..<10_001).map { id in told { _ = model.row(id) } }
    try await model.edit { try $0.update(5) { $0.text = "b" } }
    #expect(many.allSatisfy { $0.value == 1 })
    // A view that then reads two rows is not a reader of the others.
    let two = [5, 6].map { id in told { _ = model.row(id) } }
    try await model.edit { try $0.update(5) { $0.text = "c" } }
    #expect(two.map(\.value) == [1, 0])
  }
}

/// A row that counts where it is compared.
private struct WatchedRow: RowViewModel {
  static let onMain = CallCount()
  static let elsewhere = CallCount()

  let id: Int
  var text = ""

  static func == (lhs: WatchedRow, rhs: WatchedRow) -> Bool {
    Thread.isMainThread ? onMain.note(()) : elsewhere.note(())
    return lhs.id == rhs.id && lhs.text == rhs.text
  }
}

@MainActor @Suite(.watched) struct ListModelThreadTests {
  /// A list that shares nothing with others, so that a difference compares all rows.
  private func list(_ ids: Range<Int>) throws -> ListSnapshot<TestSection, WatchedRow> {
    try ListSnapshot([ListSection(TestSection("a"), rows: ids.map { WatchedRow(id: $0) })])
  }

  @Test func `no rows are compared on the main actor`() async throws {
    let model = try ListModel(ListStore(list(0..<1_000)), startingWith: list(0..<900))
    await eventually { model.rowIDs(inSection: "a").count == 1_000 }
    for id in 0..<20 { try await model.edit { try $0.update(id) { $0.text = "new" } } }
    #expect(model.row(3)?.text == "new")
    #expect(WatchedRow.onMain.value == 0)
    #expect(WatchedRow.elsewhere.value > 900)
  }

  @Test func `no rows are compared on the main actor when the index comes late`() async throws {
    let (before, after) = (try list(0..<100), try list(1..<101))
    let model = ListModel(ListStore(before), startingWith: before)
    await eventually { model.base.position != nil }
    let step = await Self.step(from: model.base, to: after)
    let comparisons = WatchedRow.onMain.value
    // The index is of the list that is shown now, and another list is shown before it is made.
    #expect(model.row(0) != nil)
    #expect(model.apply(step) == nil)
    await eventually { model.isIndexed }
    #expect((model.row(0)?.id, model.row(100)?.id) == (nil, 100))
    #expect(WatchedRow.onMain.value == comparisons)
  }

  @concurrent
  private static func step(
    from base: ShownList<TestSection, WatchedRow>, to after: ListSnapshot<TestSection, WatchedRow>
  ) async -> ModelStep<TestSection, WatchedRow> {
    let changes = base.snapshot.changes(to: after)
    return ModelStep(from: base, to: after, at: ListPosition(epoch: "", revision: 1), changes)
  }
}

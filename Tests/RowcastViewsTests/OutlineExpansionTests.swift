import Foundation
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// The expanded rows of an outline: what is kept, and its cost.
@Suite(.watched) struct OutlineExpansionTests {
  /// An id that counts how often it is looked at.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct CountedID: Hashable, Sendable {
    let number: Int
    let count: CallCount
    static func == (lhs: CountedID, rhs: CountedID) -> Bool { lhs.count.note(lhs.number) == rhs.number }
    func hash(into hasher: inout Hasher) { hasher.combine(count.note(number)) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct CountedRow: RowViewModel {
    let id: CountedID
    var reuseIdentifier: String { "" }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `expanding a row looks at a few ids, however many rows were expanded before`() async throws {
    let count = CallCount()
    let expansion = OutlineExpansion<CountedID>(depth: 0)
    let number = 4_000
    for id in 0..<number { await expansion.expand(CountedID(number: id, count: count)) }
    #expect(count.value <= 20 * number, "\(count.value) looks at ids")
    let store = try ListStore((0..<number).map { CountedRow(id: CountedID(number: $0, count: count)) })
    let tree = store.arranged { $0.outlined(parent: { _ in nil }, expansion: expansion) { row, _ in row } }
    _ = await tree.snapshot
    await expansion.collapse(CountedID(number: 0, count: count))
    _ = await tree.snapshot
    let before = count.value
    for id in 1..<100 {
      await expansion.collapse(CountedID(number: id, count: count))
      _ = await tree.snapshot
    }
    #expect(
      count.value - before <= 99 * 600, "\(count.value - before) looks at ids for 99 changes that an outline follows")
  }

  @Test(arguments: [0, Int.max])
  func `a row that is as all others are by default is no exception`(depth: Int) throws {
    var rows = ExpandedRows<Int>(depth: depth)
    var expected = rows
    let isException = depth == 0
    for id in 0..<100 { rows.set(id, isExpanded: isException) }
    for id in 0..<100 where id != 7 { rows.set(id, isExpanded: !isException) }
    expected.set(7, isExpanded: isException)
    #expect(rows == expected)
    for isExpanded in [isException, !isException] { rows.set(7, isExpanded: isExpanded, descendants: true) }
    #expect(rows == ExpandedRows(depth: depth))
    #expect(try JSONEncoder().encode(rows).count < 80)
  }

  @Test func `rows that are gone are forgotten when the app says so, and not before`() async throws {
    let expansion = OutlineExpansion<Int>(depth: 0)
    for id in 0..<50 { await expansion.expand(id) }
    await expansion.expand(60, descendants: true)
    let store = try ListStore((40..<50).map { TestRow($0) })
    let tree = store.arranged { $0.outlined(parent: { _ in nil }, expansion: expansion) { row, _ in row } }
    _ = await tree.snapshot
    try await store.set([])
    _ = await tree.snapshot
    var expected = ExpandedRows<Int>(depth: 0)
    for id in 0..<50 { expected.set(id, isExpanded: true) }
    expected.set(60, isExpanded: true, descendants: true)
    #expect(await expansion.rows == expected)
    await expansion.prune(keeping: [49, 60, 99])
    expected = ExpandedRows(depth: 0)
    expected.set(49, isExpanded: true)
    expected.set(60, isExpanded: true, descendants: true)
    #expect(await expansion.rows == expected)
    await expansion.prune(keeping: [])
    #expect(await expansion.rows == ExpandedRows(depth: 0))
  }

  @Test func `a change that changes nothing is no update of an outline`() async throws {
    let expansion = OutlineExpansion<Int>(depth: 0)
    await expansion.expand(1)
    let first = try #require(await expansion.core.value(after: nil))
    await expansion.expand(1)
    await expansion.collapse(2)
    await expansion.prune(keeping: [1])
    #expect(await expansion.core.value(after: first.revision) == nil)
    await expansion.collapse(1)
    #expect(await expansion.core.value(after: first.revision) != nil)
  }

  /// Keys that share the first digits of their hashes, or all of them.
  struct Clashing: Hashable, Sendable {
    let number: Int
    var hashValue: Int { number % 7 }
    func hash(into hasher: inout Hasher) { hasher.combine(number % 7) }
  }

  @Test func `a map of which copies are kept equals a dictionary, also for keys of one hash`() {
    Self.fuzz("maps") { $0 }
    Self.fuzz("maps of clashing keys") { Clashing(number: $0) }
  }

  private static func fuzz<Key: Hashable & Sendable>(_ title: String, _ key: (Int) -> Key) {
    var random = SeededGenerator.forFuzzing(title)
    for _ in 0..<SeededGenerator.rounds(4, long: 5_000) {
      var map = PersistentMap<Key, Int>()
      var naive: [Key: Int] = [:]
      var former = (map, naive)
      let size = [3, 30, 600].randomElement(using: &random) ?? 3
      for _ in 0..<200 {
        if Int.random(in: 0..<10, using: &random) == 0 { former = (map, naive) }
        let (id, value) = (key(.random(in: 0..<size, using: &random)), Int.random(in: 0..<4, using: &random))
        #expect(map.set(id, to: value == 0 ? nil : value) == naive[id], "seed \(random.seed)")
        naive[id] = value == 0 ? nil : value
        let expected = Set(naive.keys).union(former.1.keys).filter { naive[$0] != former.1[$0] }
        let found = map.differences(from: former.0)
        guard map.dictionary == naive, map.count == naive.count, found == expected, map[id] == naive[id],
          former.0.dictionary == former.1
        else {
          Issue.record("seed \(random.seed): \(map.dictionary) instead of \(naive), \(found) instead of \(expected)")
          return
        }
      }
      var again = PersistentMap<Key, Int>()
      for (key, value) in naive { again.set(key, to: value) }
      #expect(again == map && again.hashValue == map.hashValue, "seed \(random.seed): a map depends on its history")
    }
  }
}

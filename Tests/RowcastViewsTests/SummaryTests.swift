import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Values that sum up the rows of a section, or of a list.
@Suite(.watched) struct SummaryTests {
  struct Payment: RowViewModel {
    let id: Int
    var day = 0
    var amount: Double
  }

  private static func store(_ payments: Payment...) throws -> ListStore<SoleSection, Payment> {
    try ListStore(payments)
  }

  @Test func `a whole list is summed up in a value that can be watched`() async throws {
    let store = try Self.store(Payment(id: 1, amount: 2), Payment(id: 2, amount: 5))
    let total = store.summary(.average(\.amount), .any { $0.day > 0 }, .all { $0.amount > 1 })
    #expect(await total.value == (3.5, false, true))
    var stream = total.updates().makeAsyncIterator()
    #expect(try #require(await stream.next()) == (3.5, false, true))
    try await store.edit { try $0.update(1) { $0.day = 3 } }
    #expect(try #require(await stream.next()) == (3.5, true, true))
    // What changes no summary is no news.
    try await store.edit { try $0.update(1) { $0.day = 4 } }
    try await store.edit { try $0.set([Payment(id: 7, amount: 1)]) }
    #expect(try #require(await stream.next()) == (1, false, false))
    try await store.edit { try $0.remove(7) }
    #expect(try #require(await stream.next()) == (nil, false, true))
    await store.finish()
    #expect(await stream.next() == nil)
  }

  @Test func `a sum that is no number is one value, not always another one`() async throws {
    let store = try Self.store(Payment(id: 1, amount: .nan))
    var stream = store.summary(.sum(\.amount)).updates().makeAsyncIterator()
    #expect(try #require(await stream.next()).isNaN)
    try await store.edit { try $0.update(1) { $0.day = 1 } }
    try await store.edit { try $0.update(1) { $0.amount = 4 } }
    #expect(await stream.next() == 4)
  }

  @Test func `a summary of one's own takes rows in and out, or merges them`() async throws {
    let store = try Self.store(Payment(id: 1, day: 5, amount: 2), Payment(id: 2, day: 3, amount: 5))
    let total = store.summary(
      Summary(startingWith: 0, insert: { $0 ^= $1.id }, remove: { $0 ^= $1.id }, value: { $0 }),
      Summary.merging({ [$0.day] as Set }, by: { $0.union($1) }), .min(\.amount))
    #expect(await total.value == (3, [3, 5], 2))
    try await store.edit { try $0.update(1) { $0.amount = .nan } }
    #expect(await total.value == (3, [3, 5], 5))
    try await store.edit { try $0.remove(2) }
    #expect(await total.value == (1, [5], nil))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1_000, 100_000])
  func `a changed row costs a summary O(log n) merges, and the number of the row alone`(_ count: Int) async throws {
    let (merges, numbers) = (CallCount(), CallCount())
    let store = try ListStore((0..<count).map { Payment(id: $0, day: $0 % 30, amount: 1) })
    let view = store.arranged {
      $0.sectioned(
        by: \.day, summary: Summary.sum { numbers.note($0.amount) },
        Summary.merging({ $0.id }, by: { merges.note(max($0, $1)) })
      ) { TestSection("\($0)", "\($1) \($2 ?? 0)") }
    }
    let total = store.summary(Summary.sum { numbers.note($0.id) })
    _ = (await view.snapshot, await total.value)
    #expect(numbers.value == 2 * count)
    for id in [7, count / 2, count - 1] {
      let before = (numbers.value, merges.value)
      try await store.edit { try $0.update(id) { $0.amount += 1 } }
      let list = await view.snapshot
      _ = await total.value
      #expect(list.rowCount == count && numbers.value - before.0 == 4)
      // Two ways from a leaf to the root for the last leaf that takes a place, and for the row that comes again.
      let most = 3 * ArrangedWorkTests.logarithm(count)
      #expect(merges.value - before.1 <= most, "\(merges.value - before.1)")
    }
    let before = await view.snapshot
    try await store.edit { try $0.update(3) { $0.day = 4 } }
    let after = await view.snapshot
    #expect(after.nodeCount(besides: before) <= 4 * 8, "\(after.nodeCount(besides: before))")
  }

  @Test func `the average of integers is the number that is nearest to it`() async throws {
    struct Count: RowViewModel {
      let id: Int
      var number: Int
    }
    var random = SeededGenerator.forFuzzing("averages of integers")
    for _ in 0..<SeededGenerator.rounds(200, long: 20_000) {
      let (first, second) = (
        Int.random(in: .max / 2 ... .max, using: &random), Int.random(in: .max / 2 ... .max, using: &random)
      )
      let store = try ListStore<SoleSection, Count>([Count(id: 1, number: first), Count(id: 2, number: second)])
      let nearest = Double(UInt(first) + UInt(second)) / 2
      let average = await store.summary(.average(\.number)).value
      #expect(average == nearest, "seed \(random.seed): \(first), \(second)")
    }
  }
}

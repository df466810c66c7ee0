import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Lists that read one list on several paths, one upon another.
@Suite(.watched) struct DiamondTests {
  private typealias Naive = NaiveList<TestSection, TestRow>

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [2, 3]) func `lists of several paths cost what their levels cost, however many`(paths: Int)
    async throws
  {
    let (depth, rows) = (paths == 2 ? 12 : 8, 10)
    let store = try TestStore.with(Array(0..<rows))
    let calls = CallCount()
    var list: any LiveList<TestSection, TestRow> = store
    for level in 0..<depth {
      list = MergedList(
        (0..<paths).map { path in list.arranged { $0.filter { calls.note(($0.id + level) % paths == path) } } })
    }
    #expect(await list.snapshot.rowCount == rows)
    // Each filter of each level looks at each row once.
    #expect(calls.value == depth * paths * rows)
    for id in 0..<5 {
      let before = calls.value
      try await store.edit { try $0.update(id) { $0.text += "+" } }
      #expect(Naive(await list.snapshot).parts.flatMap(\.rows).contains(TestRow(id, "+")))
      #expect(calls.value - before <= 2 * depth * paths)
    }
  }

  @Test func `a list on many lists has the roots of the first one alone`() async throws {
    let store = try TestStore.with([1, 2, 3])
    var list: any LiveList<TestSection, TestRow> = store
    for _ in 0..<50 { list = list.arranged { $0.filter { $0.id != 2 } } }
    #expect(rootCount(of: list) == 1)
    list = MergedList(list, try TestStore.with([4]))
    for _ in 0..<50 { list = list.arranged { $0.sorted(by: .descending(\.id)) } }
    #expect(rootCount(of: list) == 2)
    #expect(Naive(await list.snapshot).parts.flatMap(\.rows).map(\.id) == [4, 3, 1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `what was read on several paths is freed with its list`() async throws {
    final class Token: Sendable {}
    weak var kept: Token?
    do {
      let token = Token()
      kept = token
      let store = try TestStore.with([1, 2, 3])
      let first = store.arranged { $0.filter { [token] in $0.id != 2 || ObjectIdentifier(token).hashValue == 0 } }
      let merged = MergedList(first, first.arranged { $0.map { TestRow($0.id, "mapped") } })
      let plan = Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>().sorted(by: .descending(\.id)))
      let top = MergedList(merged, merged.arranged { $0.filter { $0.id > 100 } }).arranged(by: plan)
      #expect(await top.snapshot.rowCount == 2)
      await plan.set(.init().filter { $0.id < 3 })
      #expect(await top.snapshot.rowCount == 1)
      #expect(kept != nil)
    }
    #expect(kept == nil)
  }

  /// A list, and what it should be.
  private final class Made {
    let name: String
    let list: any LiveList<TestSection, TestRow>
    let recompute: ([Naive]) -> Naive
    /// Arranges the list in another way.
    let rearrange: ((_ remainder: Int) async -> Void)?

    init(
      _ name: String, _ list: any LiveList<TestSection, TestRow>, rearrange: ((_ remainder: Int) async -> Void)? = nil,
      recompute: @escaping ([Naive]) -> Naive
    ) {
      (self.name, self.list, self.recompute, self.rearrange) = (name, list, recompute, rearrange)
    }

    /// The rows whose ids leave one of two remainders.
    static func filtered(_ source: Made, _ remainder: Int) -> Made {
      let plan = Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>().filter { $0.id % 4 != remainder })
      var remainder = remainder
      return Made("filtered(\(source.name))", source.list.arranged(by: plan)) { newest in
        remainder = newest
        await plan.set(.init().filter { $0.id % 4 != newest })
      } recompute: { sources in
        source.recompute(sources).mapParts { $0.filter { $0.id % 4 != remainder } }
      }
    }

    static func mapped(_ source: Made) -> Made {
      Made("mapped(\(source.name))", source.list.arranged { $0.map { TestRow($0.id, $0.text + "m") } }) { sources in
        source.recompute(sources).mapParts { $0.map { TestRow($0.id, $0.text + "m") } }
      }
    }

    static func reversed(_ source: Made) -> Made {
      Made("reversed(\(source.name))", source.list.arranged { $0.sorted(by: .descending(\.id)) }) { sources in
        source.recompute(sources).mapParts { $0.sorted { $0.id > $1.id } }
      }
    }

    static func merged(_ parts: [Made], prefersLast: Bool) -> Made {
      let list = MergedList(parts.map(\.list), preferring: prefersLast ? .last : .first)
      return Made("merged(\(parts.map(\.name)), \(prefersLast))", list) { sources in
        .merging(parts.map { $0.recompute(sources) }, prefersLast: prefersLast)
      }
    }

    static func joined(_ left: Made, _ right: Made) -> Made {
      let combine: @Sendable (TestRow, TestRow?) -> TestRow? = { TestRow($0.id, $0.text + ($1?.text ?? "-")) }
      let list = JoinedList(left.list, right.list, key: { $0.id % 5 }, combine: combine)
      return Made("joined(\(left.name), \(right.name))", list) { sources in
        .joining(left.recompute(sources), right.recompute(sources), key: { $0.id % 5 }, combine)
      }
    }

    /// A list of one or two of those that are there, mostly of the newest.
    static func random(of made: [Made], _ random: inout SeededGenerator) -> Made {
      func some() -> Made {
        made[max(Int.random(in: 0..<made.count, using: &random), Int.random(in: 0..<made.count, using: &random))]
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return filtered(some(), Int.random(in: 0..<4, using: &random))
      case 1: return mapped(some())
      case 2: return reversed(some())
      case 3: return joined(some(), some())
      default:
        return merged(
          (0..<Int.random(in: 2..<4, using: &random)).map { _ in some() }, prefersLast: Bool.random(using: &random))
      }
    }
  }

  @Test func `any lists of lists equal recomputing after every edit, whatever they have in common`() async throws {
    var random = SeededGenerator.forFuzzing("diamonds")
    for _ in 0..<SeededGenerator.rounds(60, long: 20_000) {
      let seed = random.next()
      if let difference = try await Self.run(seed) {
        Issue.record("seed \(random.seed), script \(seed): \(difference)")
        return
      }
    }
  }

  /// Returns where a list differs from what it should be, if one does.
  private static func run(_ seed: UInt64) async throws -> String? {
    var random = SeededGenerator(seed: seed)
    let stores = [try TestStore.with([1, 2, 3, 4, 5]), try TestStore.with([3, 4, 5, 6, 7, 8])]
    var made = (0..<2).map { number in Made("\(number)", stores[number]) { $0[number] } }
    for _ in 0..<Int.random(in: 2..<10, using: &random) { made.append(.random(of: made, &random)) }
    for _ in 0..<12 {
      let rearrangements = made.compactMap(\.rearrange)
      if Int.random(in: 0..<3, using: &random) == 0, let rearrange = rearrangements.randomElement(using: &random) {
        await rearrange(Int.random(in: 0..<4, using: &random))
      } else {
        let (store, id) = (stores.randomElement(using: &random) ?? stores[0], Int.random(in: 1..<9, using: &random))
        let text = String(Int.random(in: 0..<4, using: &random))
        try await store.edit { list in
          switch (list.path(ofRow: id), text) {
          case (nil, _): try list.append(TestRow(id, text), to: "a")
          case (_, "0"): try list.remove(id)
          default: try list.update(id) { $0.text = text }
          }
        }
      }
      let sources = [Naive(await stores[0].snapshot), Naive(await stores[1].snapshot)]
      for each in made.shuffled(using: &random) where Int.random(in: 0..<3, using: &random) > 0 {
        let (expected, found) = (each.recompute(sources), Naive(await each.list.snapshot))
        if expected != found { return "\(each.name): \(expected.firstDifference(from: found))" }
      }
    }
    return nil
  }
}

extension NaiveList {
  fileprivate func mapParts(_ rows: ([Row]) -> [Row]) -> NaiveList {
    var list = self
    for index in list.parts.indices { list.parts[index].rows = rows(list.parts[index].rows) }
    return list
  }
}

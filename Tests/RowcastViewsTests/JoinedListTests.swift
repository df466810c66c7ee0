import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Rows that are made of rows of two lists.
@Suite(.watched) struct JoinedListTests {
  private static func texts(_ list: some LiveList<SoleSection, TestRow>) async -> [String] {
    await list.snapshot.allRows.map { "\($0.id) \($0.text)" }
  }

  @Test func `a row is not made anew if what it is combined with is the same as before`() async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    struct Code: Hashable, Sendable { let text: String }
    struct Payment: RowViewModel {
      let id: Code
      var order: Int
      var amount = 0
    }
    let (orders, asked) = (try ListStore((0..<100).map { TestRow($0) }), CallCount())
    let payments = ListStore<SoleSection, Payment>()
    try await payments.edit { list in for id in 0..<100 { try list.append(Payment(id: Code(text: "\(id)"), order: id)) }
    }
    let firsts = orders.joined(withFirst: payments, on: \.order) { asked.note(TestRow($0.id, $1?.id.text ?? "")) }
    let sums = orders.joined(withMany: payments, on: \.order, summary: .sum(\.amount)) {
      asked.note(TestRow($0.id, "\($1)"))
    }
    _ = (await firsts.snapshot, await sums.snapshot)
    let before = asked.value
    // A second payment of nothing, and a payment that moves.
    try await payments.edit { list in
      try list.append(Payment(id: Code(text: "other"), order: 7))
      try list.remove(Code(text: "9"))
      try list.append(Payment(id: Code(text: "9"), order: 9))
    }
    _ = (await firsts.snapshot, await sums.snapshot)
    #expect(asked.value == before)
    try await payments.edit { try $0.remove(Code(text: "9")) }
    // The order without a payment has another first one, and the same sum.
    _ = (await firsts.snapshot, await sums.snapshot)
    #expect(asked.value == before + 1)
  }

  @Test func `a row that cannot be made, or has another id, is left out and told`() async throws {
    struct Refusal: Error {}
    let (left, right) = (try ListStore((1...4).map { TestRow($0) }), try ListStore([TestRow(1)]))
    let joined = left.joined(withOptional: right, on: { $0.id % 2 }) { row, partner in
      if partner == nil { throw Refusal() }
      return TestRow(row.id == 3 ? 33 : row.id)
    }
    #expect(await Self.texts(joined) == ["1 "])
    let failures = await joined.failures
    #expect(failures.keys.sorted() == [2, 3, 4] && failures[2] is Refusal && !(failures[3] is Refusal))
  }

  @Test func `a key that is not equal to itself names no row, and leaves nothing behind`() throws {
    struct Reading: RowViewModel {
      let id: Double
    }
    let left = ListDraft(
      ListSnapshot<SoleSection, TestRow>(unchecked: [ListSection(SoleSection(), rows: [TestRow(1)])]))
    var right = ListDraft(
      ListSnapshot<SoleSection, Reading>(unchecked: [ListSection(SoleSection(), rows: [Reading(id: 2)])]))
    var draft = left
    let join = JoinProbe(draft.snapshot, right.snapshot) { Double($0.text) ?? .nan }
    right.removeRow(at: RowPath(section: 0, row: 0))
    for round in 0..<4 {
      let path = RowPath(section: 0, row: 0)
      draft.replaceRow(draft.snapshot.row(at: path), at: path, with: TestRow(1, "no number \(round)"))
      join.step(to: draft.snapshot, right.snapshot)
      #expect(join.keyCount == 0)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1_000, 100_000])
  func `a row is made anew if it or its partner changed, and no other`(_ count: Int) async throws {
    let (made, keys) = (CallCount(), CallCount())
    let left = try ListStore((0..<count).map { TestRow($0) })
    let right = try ListStore((0..<count / 10).map { TestRow($0) })
    let joined = left.joined(with: right, on: { keys.note($0.id / 10) }) {
      made.note(TestRow($0.id, $0.text + $1.text))
    }
    var before = await joined.snapshot
    #expect(made.value == count && keys.value == count)
    try await right.edit { try $0.update(1) { $0.text = "first" } }
    before = await joined.snapshot
    for round in 0..<3 {
      let calls = (made.value, keys.value)
      try await right.edit { try $0.update(round + 7) { $0.text = "r\(round)" } }
      var after = await joined.snapshot
      #expect(made.value - calls.0 == 10 && keys.value - calls.1 == 10)
      #expect(after.nodeCount(besides: before) <= 8, "\(after.nodeCount(besides: before))")
      before = after
      try await left.edit { try $0.update(round * 17) { $0.text = "l\(round)" } }
      after = await joined.snapshot
      // The key of the row as it was, as it is, and for the row itself.
      #expect(
        made.value - calls.0 == 11 && keys.value - calls.1 == 13, "\(made.value - calls.0), \(keys.value - calls.1)")
      #expect(after.nodeCount(besides: before) <= 8)
      before = after
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [Double.nan, 5])
  func `a row is not made anew if its partner only moves, also with a number that is none`(_ load: Double) async throws
  {
    struct Reading: RowViewModel {
      let id: Int
      var load: Double
    }
    let made = CallCount()
    let right = try ListStore((0..<3).map { Reading(id: $0, load: load) })
    let joined = try ListStore([TestRow(0)]).joined(with: right, on: \.id) {
      made.note(TestRow($0.id, "\($1.load)"))
    }
    #expect(await Self.texts(joined) == ["0 \(load)"])
    try await right.edit { try $0.move(0, to: RowPath(section: 0, row: 2)) }
    #expect(await Self.texts(joined) == ["0 \(load)"])
    #expect(made.value == 1)
    try await right.edit { try $0.update(0) { $0.load = 1 } }
    #expect(await Self.texts(joined) == ["0 1.0"])
  }
}

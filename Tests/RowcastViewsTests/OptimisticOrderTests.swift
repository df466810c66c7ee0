import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Optimistic lists in every order of two edits, their answers, their echoes and an edit of somebody else.
@Suite(.watched) struct OptimisticOrderTests {
  /// An edit, for a store and for a naive model.
  private enum Operation {
    case update(Int, String)
    case remove(Int)
    case moveToFront(Int)
    case append(TestRow)
    /// Throws after half of it, if the second row is missing.
    case removeBoth(Int, Int)

    static func random(using random: inout SeededGenerator) -> Operation {
      let (id, other) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...3, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return .update(id, "\(other)")
      case 1: return .remove(id)
      case 2: return .moveToFront(id)
      case 3: return .append(TestRow(3 + id, "\(other)"))
      default: return .removeBoth(id, other)
      }
    }

    @Sendable func edit(_ list: inout TestEditor) throws {
      switch self {
      case .update(let id, let text): try list.update(id) { $0.text += text }
      case .remove(let id): try list.remove(id)
      case .moveToFront(let id): try list.move(id, to: 0, in: "a")
      case .append(let row): try list.append(row, to: "a")
      case .removeBoth(let first, let second):
        try list.remove(first)
        try list.remove(second)
      }
    }

    /// The rows after the edit; `nil` if it does not apply.
    func applied(to rows: [TestRow]) -> [TestRow]? {
      func index(_ id: Int) -> Int? { rows.firstIndex { $0.id == id } }
      var rows = rows
      switch self {
      case .update(let id, let text):
        guard let index = index(id) else { return nil }
        rows[index].text += text
      case .remove(let id):
        guard let index = index(id) else { return nil }
        rows.remove(at: index)
      case .moveToFront(let id):
        guard let index = index(id) else { return nil }
        rows.insert(rows.remove(at: index), at: 0)
      case .append(let row):
        if index(row.id) != nil { return nil }
        rows.append(row)
      case .removeBoth(let first, let second):
        if first == second || index(first) == nil || index(second) == nil { return nil }
        rows.removeAll { $0.id == first || $0.id == second }
      }
      return rows
    }
  }

  private enum Event: Hashable { case ask(Int), answer(Int), echo(Int), foreign }

  /// The orders of the events in which no edit is answered before it is asked.
  private static func orders(_ rest: Set<Event>) -> [[Event]] {
    if rest.isEmpty { return [[]] }
    return rest.flatMap { event -> [[Event]] in
      if case .answer(let edit) = event, rest.contains(.ask(edit)) { return [] }
      return orders(rest.subtracting([event])).map { [event] + $0 }
    }
  }

  @Test func `in every order the list is the confirmed one with the pending edits replayed on it`() async throws {
    let orders = Self.orders([.ask(0), .ask(1), .answer(0), .answer(1), .echo(0), .echo(1), .foreign])
    #expect(orders.count == 1_260)
    var random = SeededGenerator.forFuzzing("optimistic orders")
    for _ in 0..<SeededGenerator.rounds(1, long: 100) {
      for order in orders {
        if let wrong = try await Self.play(order, using: &random) {
          Issue.record("seed \(random.seed), \(order): \(wrong)")
        }
      }
    }
  }

  /// Recognises a row in the confirmed list.
  private static func echo(ofRow id: Int?) -> (@Sendable (borrowing TestEditor) -> Bool)? {
    guard let id else { return nil }
    return { list in list.row(id) != nil }
  }

  /// Plays events in an order. Returns a description of the first list that is wrong.
  private static func play(_ order: [Event], using random: inout SeededGenerator) async throws -> String? {
    let store = try TestStore.with([1, 2, 3])
    let edits = PendingEditsProbe(on: store)
    var follower = Follower()
    var stream = edits.updates.makeAsyncIterator()
    var confirmed = [1, 2, 3].map { TestRow($0) }
    var pending: [(edit: Int, number: Int)] = []
    let foreign = Operation.random(using: &random)
    var operations: [Operation] = []
    for _ in 0..<2 { operations.append(Operation.random(using: &random)) }
    // An echo is recognised by a row of its own.
    let echoing = (0..<2).map { _ in Bool.random(using: &random) }
    let refused = (0..<2).map { _ in Bool.random(using: &random) }
    func change(_ operation: Operation) async throws {
      guard let rows = operation.applied(to: confirmed) else { return }
      confirmed = rows
      try await store.edit(operation.edit)
    }
    for event in order {
      switch event {
      case .foreign: try await change(foreign)
      case .echo(let edit) where echoing[edit]: try await change(.append(TestRow(100 + edit)))
      case .echo: break
      case .ask(let edit):
        let operation = operations[edit]
        let shown = pending.reduce(confirmed) { operations[$1.edit].applied(to: $0) ?? $0 }
        let number: Int?
        do {
          number = try await edits.add(operation.edit, until: echo(ofRow: echoing[edit] ? 100 + edit : nil))
        } catch { number = nil }
        if (number == nil) != (operation.applied(to: shown) == nil) { return "edit \(edit) asked: \(number ?? -1)" }
        if let number { pending.append((edit, number)) }
      case .answer(let edit):
        guard let index = pending.firstIndex(where: { $0.edit == edit }) else { continue }
        let number = pending[index].number
        if refused[edit] {
          await edits.refuse(number)
          pending.remove(at: index)
        } else if !echoing[edit] {
          let after = operations[edit].applied(to: confirmed)
          var isReported = false
          do { try await edits.confirm(number) } catch { isReported = true }
          if isReported != (after == nil) { return "edit \(edit) reported: \(isReported)" }
          confirmed = after ?? confirmed
          pending.remove(at: index)
        }
      }
      pending.removeAll { pending in echoing[pending.edit] && confirmed.contains { $0.id == 100 + pending.edit } }
      let expected = pending.reduce(confirmed) { operations[$1.edit].applied(to: $0) ?? $0 }
      let found = Array(await edits.snapshot.allRows)
      if found != expected { return "\(found) after \(event), not \(expected), of \(operations)" }
      let marked = await edits.marked
      if !areMarked(marked, in: expected, besides: confirmed) {
        return "\(marked) are pending in \(found), of \(confirmed)"
      }
      if await edits.count != pending.count { return "\(await edits.count) edits remain after \(event)" }
      if expected != follower.list.parts.flatMap(\.rows), let update = await stream.next() { try follower.take(update) }
    }
    return nil
  }

  /// True if the rows that differ from the confirmed ones are marked, and of those that stay no more than the order needs.
  private static func areMarked(_ marked: Set<Int>, in shown: [TestRow], besides confirmed: [TestRow]) -> Bool {
    let changed = Set(shown.filter { !confirmed.contains($0) }.map(\.id))
    let common = Set(shown.map(\.id)).intersection(confirmed.map(\.id))
    func isInOrder(without marked: Set<Int>) -> Bool {
      func ids(_ rows: [TestRow]) -> [Int] { rows.map(\.id).filter { common.contains($0) && !marked.contains($0) } }
      return ids(shown) == ids(confirmed)
    }
    return changed.isSubset(of: marked) && isInOrder(without: marked)
      && marked.subtracting(changed).allSatisfy { !isInOrder(without: marked.subtracting([$0])) }
  }

  @Test func `under any schedule nothing flickers, and nothing is lost`() async {
    await Schedule.explore("optimistic lists", 400, long: 40_000) { try await Self.scene(SeededGenerator(seed: $0)) }
  }

  private struct Refused: Error {}

  /// Two edits with their answers, an echo and a foreign edit, each in a task of its own, while a task follows the list.
  private static func scene(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let store = try TestStore.with([1])
    let shown = OptimisticList(store)
    let refused = (0..<2).map { _ in Bool.random(using: &random) }
    let hasEcho = (0..<2).map { !refused[$0] && Bool.random(using: &random) }
    let waits = (0..<2).map { _ in Int.random(in: 0..<3, using: &random) }
    return try await withThrowingTaskGroup(of: String?.self) { group in
      let reader = Task {
        var follower = Follower()
        var seen: [Set<Int>] = []
        for await update in shown.updates() {
          try follower.take(update)
          seen.append(Set(update.snapshot.allRows.map(\.id)))
        }
        return seen
      }
      for edit in 0..<2 {
        let row = TestRow(10 + edit)
        group.addTask {
          do {
            try await shown.edit(
              { try $0.append(row, to: "a") },
              confirming: {
                for _ in 0..<waits[edit] { await Task.yield() }
                if refused[edit] { throw Refused() }
                if hasEcho[edit] { Task { try await store.edit { try $0.insert(row, at: 0, in: "a") } } }
              }, until: echo(ofRow: hasEcho[edit] ? row.id : nil))
          } catch is Refused {}
          return nil
        }
      }
      group.addTask {
        try await store.edit { try $0.append(TestRow(20), to: "a") }
        return nil
      }
      for try await wrong in group where wrong != nil { return wrong }
      await store.finish()
      let expected = Set([1, 20] + (0..<2).filter { !refused[$0] }.map { 10 + $0 })
      let seen = try await reader.value
      if seen.last != expected { return "ended at \(seen.last ?? []), not at \(expected)" }
      for id in [1, 10, 11, 20] {
        let presence = seen.map { $0.contains(id) }
        // A row comes once, and goes once if it was refused.
        let changes = zip(presence, presence.dropFirst()).count { $0 != $1 }
        let isRefused = id == 10 && refused[0] || id == 11 && refused[1]
        if changes > (isRefused ? 2 : 1) { return "row \(id) flickers: \(seen)" }
      }
      return nil
    }
  }
}

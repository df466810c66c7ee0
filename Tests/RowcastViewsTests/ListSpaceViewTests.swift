import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Lists that are made of several stores of one space.
@Suite(.watched) struct ListSpaceViewTests {
  typealias Rows = ListStore<SoleSection, TestRow>
  typealias View = any LiveList<SoleSection, TestRow>

  /// What the stores had after each transaction, by its number, which is the sum of their revisions.
  private actor Record {
    private(set) var states: [Int: [[TestRow]]] = [0: [[], [], []]]

    func note(_ rows: [[TestRow]]) { states[states.count] = rows }
  }

  /// A list made of three stores, and what it is made of their rows.
  private struct Composition: Sendable {
    let view: View
    /// Chooses other lists with the same rows.
    var choose: @Sendable () async -> Void = {}
    /// Ends what was chosen.
    var end: @Sendable () -> Void = {}
    let model: @Sendable ([[TestRow]]) -> [TestRow]
  }

  /// Lists that a parameter names, which are all the same.
  private static func chosen<Choice: Sendable>(
    _ choices: [Choice], _ view: (Parameter<Choice>) -> View, model: @escaping @Sendable ([[TestRow]]) -> [TestRow]
  ) -> Composition {
    let choice = Parameter(choices[0])
    return Composition(
      view: view(choice), choose: { for next in choices + choices { await choice.set(next) } },
      end: { choice.finish() },
      model: model)
  }

  private static func compositions(_ stores: [Rows]) -> [Composition] {
    let pair: @Sendable (TestRow, TestRow?) -> TestRow = { TestRow($0.id, "\($0.text) \($1?.text ?? "–")") }
    let join: @Sendable ([TestRow], [TestRow]) -> [TestRow] = { left, right in
      left.map { row in pair(row, right.first { $0.id == row.id + 10 }) }
    }
    let joined = stores[0].joined(withOptional: stores[1], on: { $0.id + 10 }) { pair($0, $1) }
    let merged = MergedList(stores[0], stores[1].arranged { $0.filter { $0.id % 2 == 1 } }, stores[2])
    // Lists of the same rows.
    let first: [View] = [stores[0], stores[0].arranged { $0.filter { $0.id > 0 } }, MergedList(stores[0])]
    return [
      Composition(view: joined) { join($0[0], $0[1]) },
      Composition(view: merged) { $0[0] + $0[1].filter { $0.id % 2 == 1 } + $0[2] },
      Composition(view: merged.arranged { $0.sorted(by: .descending { $0.text }, .ascending { $0.id }) }) { rows in
        (rows[0] + rows[1].filter { $0.id % 2 == 1 } + rows[2]).sorted { ($1.text, $0.id) < ($0.text, $1.id) }
      },
      Composition(view: MergedList(stores[0], stores[2]).joined(withOptional: joined, on: \.id) { pair($0, $1) }) {
        rows in
        let right = join(rows[0], rows[1])
        return (rows[0] + rows[2]).map { row in pair(row, right.first { $0.id == row.id }) }
      },
      chosen(first) {
        MergedList(Switched($0), stores[1])
      } model: {
        $0[0] + $0[1]
      },
      chosen(first) {
        MergedList(MergedList(stores[1], stores[2]), Switched($0).arranged { $0.filter { $0.id > 0 } })
      } model: {
        $0[1] + $0[2] + $0[0]
      },
      chosen(first.map { [$0, stores[2]] }) { lists in
        MergedList(of: lists).joined(withOptional: stores[1].arranged { $0.filter { $0.id > 0 } }, on: { $0.id + 10 }) {
          pair($0, $1)
        }
      } model: {
        join($0[0] + $0[2], $0[1])
      },
      // A list is chosen that is of chosen lists.
      chosen(first.map { MergedList(of: Parameter([Switched(Parameter($0))])) as View }) {
        MergedList(stores[2], Switched($0), stores[1])
      } model: {
        $0[2] + $0[0] + $0[1]
      },
    ]
  }

  @Test func `under any schedule lists made of stores of a space show states that there were, in their order`()
    async throws
  {
    for number in 0..<8 {
      await Schedule.explore("a space, \(number)", 75, long: 10_000) {
        try await Self.scene(number, SeededGenerator(seed: $0))
      }
    }
  }

  /// Tasks that edit one, two or all of three stores, and two that follow a list made of them; gives back what went wrong.
  private static func scene(_ number: Int, _ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let space = ListSpace()
    let stores = (0..<3).map { _ in space.store(of: TestRow.self) }
    let composition = compositions(stores)[number]
    // One writer after the other may write, so that the record has the order of the transactions.
    let record = Record()
    let plan = (0..<8).map { step in
      (kind: Int.random(in: 0..<7, using: &random), row: Int.random(in: 1..<3, using: &random), text: "\(step)")
    }
    return try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask {
        for (kind, id, text) in plan {
          let edit: @Sendable (inout ListEditor<SoleSection, TestRow>, Int) throws -> Void = { list, part in
            try list.upsert(TestRow(id + 10 * part, text))
          }
          switch kind {
          case 0, 1, 2: try await stores[kind].edit { try edit(&$0, kind) }
          case 3, 4, 5:
            let (first, second) = [(0, 1), (2, 0), (1, 2)][kind - 3]
            try await space.edit(stores[first], stores[second]) {
              try edit(&$0, first)
              try edit(&$1, second)
            }
          default:
            try await space.edit(stores[0], stores[1], stores[2]) {
              try edit(&$0, 0)
              try edit(&$1, 1)
              try edit(&$2, 2)
            }
          }
          var rows: [[TestRow]] = []
          for store in stores { rows.append(Array(await store.snapshot.allRows)) }
          await record.note(rows)
        }
        for store in stores { await store.finish() }
        return nil
      }
      group.addTask {
        await composition.choose()
        composition.end()
        return nil
      }
      let readers = (0..<2).map { _ in
        Task {
          var seen: [[TestRow]] = []
          for await update in composition.view.updates() { seen.append(Array(update.snapshot.allRows)) }
          return seen
        }
      }
      if let failure = try await group.firstFailure() { return failure }
      let states = await record.states
      let models = (0..<states.count).map { composition.model(states[$0] ?? []) }
      for reader in readers {
        var next = 0
        let seen = await reader.value
        for rows in seen {
          guard let found = models[next...].firstIndex(of: rows) else {
            return "\(rows) is none of the states \(models[next...])"
          }
          next = found
        }
        if seen.last != models.last { return "ended at \(seen.last ?? []), not at \(models.last ?? [])" }
      }
      return nil
    }
  }

  @Test func `a list made of stores of a space and of others follows them all`() async throws {
    let space = ListSpace()
    let (left, right, other) = (space.store(of: TestRow.self), space.store(of: TestRow.self), Rows())
    let merged = MergedList(left, other, right)
    var stream = merged.updates().makeAsyncIterator()
    _ = await stream.next()
    try await right.edit { try $0.upsert(TestRow(3)) }
    #expect(await stream.next()?.snapshot.allRows.map(\.id) == [3])
    try await other.edit { try $0.upsert(TestRow(2)) }
    #expect(await stream.next()?.snapshot.allRows.map(\.id) == [2, 3])
    try await left.edit { try $0.upsert(TestRow(1)) }
    #expect(await stream.next()?.snapshot.allRows.map(\.id) == [1, 2, 3])
    #expect(await merged.revision == 3)
  }
}

import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Lists that are made of several stores of one space, or of one store on several paths.
@Suite(.watched) struct ListSpaceViewTests {
  typealias Rows = ListStore<SoleSection, TestRow>
  typealias View = any LiveList<SoleSection, TestRow>

  /// A list made of four stores, three of them in one space, and the expected list, made of their rows.
  private struct Composition: Sendable {
    let view: View
    /// Chooses other lists with the same rows.
    var choose: @Sendable () async -> Void = {}
    let model: @Sendable ([[TestRow]]) -> [TestRow]
  }

  /// Lists that a parameter names, which are all the same.
  private static func chosen<Choice: Sendable>(
    _ choices: [Choice], _ view: (Parameter<Choice>) -> View, model: @escaping @Sendable ([[TestRow]]) -> [TestRow]
  ) -> Composition {
    let choice = Parameter(choices[0])
    return Composition(
      view: view(choice),
      choose: {
        for next in choices + choices { await choice.set(next) }
        choice.finish()
      }, model: model)
  }

  private static let isEven: @Sendable (TestRow) -> Bool = { (Int($0.text) ?? 0) % 2 == 0 }

  /// Two lists; an edit may move a row from one to the other.
  private static func halves(_ list: View) -> [View] {
    [list.arranged { $0.filter(isEven) }, list.arranged { $0.filter { !isEven($0) } }]
  }

  private static func compositions(_ stores: [Rows]) -> [Composition] {
    let pair: @Sendable (TestRow, TestRow?) -> TestRow = { TestRow($0.id, "\($0.text) \($1?.text ?? "–")") }
    let join: @Sendable ([TestRow], [TestRow]) -> [TestRow] = { left, right in
      left.map { row in pair(row, right.first { $0.id == row.id + 10 }) }
    }
    let joined = stores[0].joined(withOptional: stores[1], on: { $0.id + 10 }) { pair($0, $1) }
    let merged = MergedList(stores[0], stores[1].arranged { $0.filter { $0.id % 2 == 1 } }, stores[2])
    let divided: @Sendable ([TestRow]) -> [TestRow] = { $0.filter(isEven) + $0.filter { !isEven($0) } }
    let (own, others) = (halves(stores[3]), halves(stores[0]))
    // Lists of the same rows, in any order.
    let sets: [[View]] = [
      own + others, [own[1], others[0], own[0], others[1]], [MergedList(own[0], others[0]), own[1], others[1]],
      [own[1], MergedList(own[0], MergedList(others[1], others[0]))], [others[0], stores[3], others[1]],
      [stores[3], stores[0]], [MergedList(own), others[1], others[0]],
    ]
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
      Composition(view: MergedList(MergedList(own + [stores[0].arranged { $0 }]), stores[0])) {
        divided($0[3]) + $0[0]
      },
      Composition(view: MergedList(halves(Outside(stores[3])))) { divided($0[3]) },
      chosen(sets) {
        MergedList(of: $0).arranged { $0.sorted(by: \.id) }
      } model: {
        ($0[0] + $0[3]).sorted { $0.id < $1.id }
      },
    ]
  }

  @Test(arguments: 0..<11)
  func `under any schedule lists made of stores of a space show states that there were, in their order`(_ number: Int)
    async
  {
    await Schedule.explore("a space, \(number)", 15, long: 10_000) {
      try await Self.scene(number, SeededGenerator(seed: $0))
    }
  }

  /// A task that edits one, two or three of four stores, and three that follow a list made of them; gives back what went wrong.
  private static func scene(_ number: Int, _ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let space = ListSpace()
    let stores = (0..<3).map { _ in space.store(of: TestRow.self) } + [Rows()]
    let composition = compositions(stores)[number]
    let plan = (0..<10).map { step in
      (kind: Int.random(in: 0..<9, using: &random), row: Int.random(in: 1..<3, using: &random), text: "\(step)")
    }
    let writer = Task {
      var states = [stores.map { _ in [TestRow]() }]
      for (kind, id, text) in plan {
        let edit: @Sendable (inout ListEditor<SoleSection, TestRow>, Int) throws -> Void = { list, part in
          try list.upsert(TestRow(id + 10 * part, text))
        }
        switch kind {
        case 0, 1, 2, 3: try await stores[kind].edit { try edit(&$0, kind) }
        case 4, 5, 6:
          let (first, second) = [(0, 1), (2, 0), (1, 2)][kind - 4]
          try await space.edit(stores[first], stores[second]) {
            try edit(&$0, first)
            try edit(&$1, second)
          }
        case 7:
          try await space.edit(stores[0], stores[1], stores[2]) {
            try edit(&$0, 0)
            try edit(&$1, 1)
            try edit(&$2, 2)
          }
        default:
          try await stores[3].edit { list in for id in 31..<33 { try list.upsert(TestRow(id, text)) } }
        }
        var rows: [[TestRow]] = []
        for store in stores { rows.append(Array(await store.snapshot.allRows)) }
        states.append(rows)
      }
      for store in stores { await store.finish() }
      return states
    }
    let chooser = Task { await composition.choose() }
    let followers = (0..<2).map { _ in Task { try await follow(composition.view) } }
    let reader = Task {
      var seen: [[TestRow]] = []
      for _ in 0..<8 { seen.append(Array(await composition.view.snapshot.allRows)) }
      return seen
    }
    let models = try await writer.value.map(composition.model)
    await chooser.value
    if let wrong = misfit(await reader.value, models) { return wrong }
    for follower in followers {
      let seen = try await follower.value
      if let wrong = misfit(seen, models) { return wrong }
      if seen.last != models.last { return "ended at \(seen.last ?? []), not at \(models.last ?? [])" }
    }
    return nil
  }

  /// All lists of a stream without gaps.
  private static func follow(_ view: View) async throws -> [[TestRow]] {
    var (seen, revision): ([[TestRow]], Int?) = ([], nil)
    for await update in view.updates() {
      try Mismatch.unless(update.previous == revision, "from \(update.previous ?? -1) after \(revision ?? -1)")
      try Mismatch.unless(revision == nil || !update.changes.isEmpty, "an update of nothing")
      seen.append(Array(update.snapshot.allRows))
      revision = update.revision
    }
    return seen
  }

  /// The fault, if lists are not states of the space in their order. The store outside of the space is compared by itself.
  private static func misfit(_ seen: [[TestRow]], _ models: [[TestRow]]) -> String? {
    for isAlone in [false, true] {
      func part(_ rows: [TestRow]) -> [TestRow] { rows.filter { ($0.id > 30) == isAlone } }
      var states = models.map(part)[...]
      for rows in seen.map(part) {
        guard let found = states.firstIndex(of: rows) else { return "\(rows) is none of the states \(states)" }
        states = states[found...]
      }
    }
    return nil
  }
}

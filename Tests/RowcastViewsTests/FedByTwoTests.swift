import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// Lists of two stores that two tasks feed, and that a third one changes, under many schedules.
@Suite(.watched) struct FedByTwoTests {
  typealias Model = NaiveList<TestSection, Card<Int>>
  typealias Store = ListStore<TestSection, Card<Int>>

  @Test
  func `under any schedule a join that two tasks feed, and a third rearranges, equals recomputing after every update`()
    async
  {
    await Schedule.explore("join compositions", 100, long: 75_000) { seed in
      let steps: [[ArrangedStep<Int>]] = [
        [.summarized(.ascending, keeping: [], averaging: true)],
        [.filter(1), .summarized(.descending, keeping: [2], averaging: false)], [.distinct()],
      ]
      let combine: @Sendable (Card<Int>, Card<Int>?) -> Card<Int>? = { card, partner in
        partner.map { Card(id: card.id, a: card.a, b: (card.b + 3 * $0.b) % 7) }
      }
      let stores = [Store(), Store()]
      let plan = Parameter(steps[0].reduce(Arrangement()) { $1.declare($0) })
      let view = stores[0].joined(with: stores[1], on: { $0.a * 2 }) { combine($0, $1) ?? $0 }.arranged(by: plan)
      return try await Self.feed(stores, seed, view) { (note: @Sendable ([ArrangedStep<Int>]) async -> Void) in
        await note(steps[0])
        for steps in steps[1...] {
          await note(steps)
          await plan.set(steps.reduce(Arrangement()) { $1.declare($0) })
        }
        plan.finish()
      } recompute: { left, right, steps in
        steps.reduce(.joining(left, right, key: { $0.a * 2 }, combine)) { $1.recompute($0) }
      }
    }
  }

  @Test func `under any schedule an outline of two stores is made of states that they and the expansion had together`()
    async
  {
    await Schedule.explore("outlines", 100, long: 50_000) { seed in
      var random = SeededGenerator(seed: ~seed)
      let (stores, expansion) = ([Store(), Store()], OutlineExpansion<Int>(depth: 1))
      let parent = ArrangedStep.parent(Array(0..<16))
      let ids = (0..<6).map { _ in Int.random(in: 0..<14, using: &random) }
      let view = MergedList(stores).arranged {
        $0.outlined(parent: parent, summary: .sum(\.b), expansion: expansion) { ArrangedStep.show($0, $1, $2) }
      }
      return try await Self.feed(stores, seed, view) { (note: @Sendable (ExpandedRows<Int>) async -> Void) in
        var last = await expansion.rows
        await note(last)
        for id in ids {
          if id % 2 == 0 { await expansion.collapse(id) } else { await expansion.expand(id, descendants: true) }
          // A call that changes nothing is no revision.
          let rows = await expansion.rows
          if rows != last { await note(rows) }
          last = rows
        }
        expansion.finish()
      } recompute: { left, right, expanded in
        NaiveOutline(parent: parent, expanded: expanded).flattened(.merging([left, right], .first)) {
          ArrangedStep.show($0, $1, $2.reduce(0) { $0 + $1.b })
        }
      }
    }
  }

  /// The states that one task has brought something to, by revision.
  private actor Record<State: Sendable> {
    private(set) var states: [State] = []

    func append(_ state: State) { states.append(state) }
  }

  /// Edits each store in one task, changes a list of them in a third one, which notes each state, and follows the list. Returns what
  /// went wrong.
  private static func feed<State: Sendable>(
    _ stores: [Store], _ seed: UInt64, _ view: some LiveList<TestSection, Card<Int>>,
    changing change: @escaping @Sendable (_ note: @Sendable (State) async -> Void) async -> Void,
    recompute: (_ left: Model, _ right: Model, State) -> Model
  ) async throws -> String? {
    var random = SeededGenerator(seed: seed)
    let (records, changes) = ([Record<Model>(), Record<Model>()], Record<State>())
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for (store, record) in zip(stores, records) {
        let seed = random.next()
        group.addTask {
          let rig = ArrangedRig(SeededGenerator(seed: seed)) { $0 }
          rig.fill()
          await record.append(Model(await store.snapshot))
          for _ in 0..<6 {
            try await store.replace(with: rig.draft.snapshot)
            // Nobody else edits it.
            while await record.states.count <= store.revision { await record.append(Model(rig.draft.snapshot)) }
            for _ in 0..<3 { rig.edit() }
            rig.draft.commit()
          }
          await store.finish()
          return nil
        }
      }
      group.addTask {
        await change { await changes.append($0) }
        return nil
      }
      var updates: [(revision: Int, list: Model)] = []
      for await update in view.updates() { updates.append((update.revision, Model(update.snapshot))) }
      if let failure = try await group.firstFailure() { return failure }
      let (left, right, changed) = (await records[0].states, await records[1].states, await changes.states)
      for update in updates {
        // Its revision is the sum of those that it was made of.
        let isMade = left.indices.contains { i in
          changed.indices.contains { k in
            let j = update.revision - i - k
            return right.indices.contains(j) && update.list == recompute(left[i], right[j], changed[k])
          }
        }
        if !isMade { return "the update \(update.revision) is made of no states that there were: \(update.list)" }
      }
      let last = recompute(left[left.count - 1], right[right.count - 1], changed[changed.count - 1])
      return updates.last?.list == last
        ? nil : "ended at \(updates.last.map { "\($0)" } ?? "nothing") instead of \(last)"
    }
  }
}

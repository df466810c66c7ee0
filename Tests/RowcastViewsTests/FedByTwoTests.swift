import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// A list of two stores that two tasks feed, and that a third one rearranges, under many schedules.
@Suite(.watched) struct FedByTwoTests {
  typealias Model = NaiveList<TestSection, Card<Int>>
  typealias Store = ListStore<TestSection, Card<Int>>

  @Test
  func `under any schedule a join that two tasks feed, and a third rearranges, equals recomputing after every update`()
    async
  {
    await Schedule.explore("join compositions", 20, long: 75_000) { try await Self.scene(SeededGenerator(seed: $0)) }
  }

  private static func scene(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let arrangements: [[ArrangedStep<Int>]] = [
      [.summarized(.ascending, keeping: [], averaging: true)],
      [.filter(1), .summarized(.descending, keeping: [2], averaging: false)], [.distinct { $0.b }],
    ]
    let plans = arrangements.map { $0.reduce(Arrangement()) { $1.declare($0) } }
    let combine: @Sendable (Card<Int>, Card<Int>?) -> Card<Int>? = { card, partner in
      partner.map { Card(id: card.id, a: card.a, b: (card.b + 3 * $0.b) % 7) }
    }
    let (stores, plan) = ([Store(), Store()], Parameter(plans[0]))
    let view = stores[0].joined(with: stores[1], on: { $0.a * 2 }) { combine($0, $1) ?? $0 }.arranged(by: plan)
    /// The states of each store, by revision.
    let writers = stores.map { store in
      let seed = random.next()
      return Task {
        let rig = ArrangedRig(SeededGenerator(seed: seed)) { $0 }
        rig.fill()
        var states = [Model(await store.snapshot)]
        for _ in 0..<6 {
          try await store.replace(with: rig.draft.snapshot)
          // Nobody else edits it.
          while await states.count <= store.revision { states.append(Model(rig.draft.snapshot)) }
          for _ in 0..<3 { rig.edit() }
          rig.draft.commit()
        }
        await store.finish()
        return states
      }
    }
    let arranging = Task {
      for next in plans[1...] { await plan.set(next) }
      plan.finish()
    }
    var updates: [(revision: Int, list: Model)] = []
    for await update in view.updates() { updates.append((update.revision, Model(update.snapshot))) }
    await arranging.value
    let (left, right) = (try await writers[0].value, try await writers[1].value)
    func made(_ i: Int, _ j: Int, _ k: Int) -> Model {
      arrangements[k].reduce(.joining(left[i], right[j], key: { $0.a * 2 }, combine)) { $1.recompute($0) }
    }
    for update in updates {
      // Its revision is the sum of its sources' revisions.
      let isMade = left.indices.contains { i in
        plans.indices.contains { k in
          let j = update.revision - i - k
          return right.indices.contains(j) && update.list == made(i, j, k)
        }
      }
      if !isMade { return "the update \(update.revision) is made of no states that there were: \(update.list)" }
    }
    let last = made(left.count - 1, right.count - 1, plans.count - 1)
    return updates.last?.list == last ? nil : "ended at \(updates), not at \(last)"
  }
}

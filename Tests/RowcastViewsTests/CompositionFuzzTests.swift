import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Lists made of lists made of lists, and rearranged at any time, against recomputing from nothing after every event.
@Suite(.watched) struct CompositionFuzzTests {
  typealias Rig = ArrangedRig<Int>
  typealias Model = Rig.Model

  @Test func `lists of lists by all operators equal recomputing, with every operator on every other`() async throws {
    try await FeaturePairs<CompositionFeature>.drive(
      "compositions", runs: 60, long: 50_000, steps: 28, found: compositionCases + CompositionFeature.shapes
    ) { try await CompositionFuzz.play($0) }
  }

  @Test
  func `under any schedule a join that two tasks feed, and a third rearranges, equals recomputing after every update`()
    async throws
  {
    await Schedule.explore("join compositions", 100, long: 75_000) {
      try await Self.joinFedByTwo(SeededGenerator(seed: $0))
    }
  }

  /// The states that one task has brought something to, by revision.
  private actor Record<State: Sendable> {
    private(set) var states: [State] = []

    func append(_ state: State) { states.append(state) }
  }

  /// A join of two lists, each edited by one task, with summaries in its headers; gives back what went wrong.
  private static func joinFedByTwo(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let stores = (ListStore<TestSection, Card<Int>>(), ListStore<TestSection, Card<Int>>())
    let (left, right, plans) = (Record<Model>(), Record<Model>(), Record<[ArrangedStep<Int>]>())
    let steps: [[ArrangedStep<Int>]] = [
      [.summarized(.ascending, keeping: [], averaging: true)],
      [.filter(1), .summarized(.descending, keeping: [2], averaging: false)], [.distinct()],
    ]
    let key: @Sendable (Card<Int>) -> Int? = { $0.a * 2 }
    let combine: @Sendable (Card<Int>, Card<Int>?) -> Card<Int>? = { card, partner in
      partner.map { Card(id: card.id, a: card.a, b: (card.b + 3 * $0.b) % 7) }
    }
    let plan = Parameter(steps[0].reduce(Arrangement()) { $1.declare($0) })
    let view = stores.0.joined(with: stores.1, on: key) { combine($0, $1) ?? $0 }
      .arranged(by: plan)
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for (store, record) in [(stores.0, left), (stores.1, right)] {
        let seed = random.next()
        group.addTask {
          let rig = Rig(SeededGenerator(seed: seed)) { $0 }
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
        await plans.append(steps[0])
        for steps in steps[1...] {
          await plans.append(steps)
          await plan.set(steps.reduce(Arrangement()) { $1.declare($0) })
        }
        plan.finish()
        return nil
      }
      var updates: [(revision: Int, list: Model)] = []
      for await update in view.updates() { updates.append((update.revision, Model(update.snapshot))) }
      if let failure = try await group.firstFailure() { return failure }
      let (left, right, plans) = (await left.states, await right.states, await plans.states)
      for update in updates {
        // Its revision is the sum of those that it was made of.
        let isMade = left.indices.contains { i in
          plans.indices.contains { k in
            right.indices.contains(update.revision - i - k)
              && update.list
                == plans[k].reduce(
                  .joining(left[i], right[update.revision - i - k], key: key, combine)
                ) { $1.recompute($0) }
          }
        }
        if !isMade { return "the update \(update.revision) is made of no states that there were: \(update.list)" }
      }
      let last = plans[plans.count - 1].reduce(
        .joining(left[left.count - 1], right[right.count - 1], key: key, combine)
      ) {
        $1.recompute($0)
      }
      return updates.last?.list == last
        ? nil : "ended at \(updates.last.map { "\($0)" } ?? "nothing") instead of \(last)"
    }
  }
}

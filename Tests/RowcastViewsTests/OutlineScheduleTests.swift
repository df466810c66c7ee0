import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// An outline that several tasks feed, expand and collapse, under many schedules.
@Suite(.watched) struct OutlineScheduleTests {
  private typealias Rig = ArrangedRig<Int>
  private typealias Model = ArrangedStep<Int>.Model

  @Test func `under any schedule an outline of two stores is made of states that they and the expansion had together`()
    async
  {
    await Schedule.explore("outlines", 100, long: 50_000) { try await Self.fedByTwo(SeededGenerator(seed: $0)) }
  }

  /// The states that one task has brought something to, by revision.
  private actor Record<State: Sendable> {
    private(set) var states: [State] = []

    func append(_ state: State) { states.append(state) }
  }

  private static func fedByTwo(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let stores = [ListStore<TestSection, Card<Int>>(), ListStore<TestSection, Card<Int>>()]
    let (left, right, expanded) = (Record<Model>(), Record<Model>(), Record<ExpandedRows<Int>>())
    let expansion = OutlineExpansion<Int>(depth: 1)
    let parent = ArrangedStep.parent(Array(0..<16))
    let view = MergedList(stores).arranged {
      $0.outlined(parent: parent, summary: .sum(\.b), expansion: expansion) { ArrangedStep.show($0, $1, $2) }
    }
    return try await withThrowingTaskGroup(of: String?.self) { group in
      for (store, record) in zip(stores, [left, right]) {
        let seed = random.next()
        group.addTask {
          let rig = Rig(SeededGenerator(seed: seed)) { $0 }
          rig.fill()
          await record.append(Model(await store.snapshot))
          for _ in 0..<5 {
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
      let ids = (0..<6).map { _ in Int.random(in: 0..<14, using: &random) }
      group.addTask {
        await expanded.append(await expansion.rows)
        for id in ids {
          if id % 2 == 0 { await expansion.collapse(id) } else { await expansion.expand(id, descendants: true) }
          // A call that changes nothing is no revision.
          let rows = await expansion.rows
          if await expanded.states.last != rows { await expanded.append(rows) }
        }
        expansion.finish()
        return nil
      }
      var updates: [(revision: Int, list: Model)] = []
      for await update in view.updates() { updates.append((update.revision, Model(update.snapshot))) }
      if let failure = try await group.firstFailure() { return failure }
      let (left, right, expanded) = (await left.states, await right.states, await expanded.states)
      func outline(_ i: Int, _ j: Int, _ k: Int) -> Model {
        NaiveOutline(parent: parent, expanded: expanded[k]).flattened(.merging([left[i], right[j]], .first)) {
          ArrangedStep.show($0, $1, $2.reduce(0) { $0 + $1.b })
        }
      }
      for update in updates {
        // Its revision is the sum of those that it was made of.
        let isMade = left.indices.contains { i in
          expanded.indices.contains { k in
            right.indices.contains(update.revision - i - k) && update.list == outline(i, update.revision - i - k, k)
          }
        }
        if !isMade { return "the update \(update.revision) is made of no states that there were: \(update.list)" }
      }
      // An outline ends with its stores and its expansion.
      let isEnd = updates.last?.list == outline(left.count - 1, right.count - 1, expanded.count - 1)
      return isEnd ? nil : "ended at \(updates.last.map { "\($0)" } ?? "nothing")"
    }
  }
}

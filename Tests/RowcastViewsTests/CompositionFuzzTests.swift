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

  /// A list, and what it should be.
  private struct Composition {
    var description: String
    let list: MadeList<TestSection, Card<Int>>
    let recompute: () -> Model
  }

  /// Sources, and a composition of them.
  private final class Scene {
    var random: SeededGenerator
    let rigs: [Rig]
    var rearrangements: [() -> Void] = []

    init(_ seed: UInt64, _ size: RigSize) {
      var random = SeededGenerator(seed: seed)
      rigs = (0..<2).map { _ in Rig(SeededGenerator(seed: random.next()), size: size) { $0 } }
      self.random = random
      if size.ids > RigSize.small.ids { for rig in rigs { rig.fill() } }
    }

    func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    func composition(depth: Int) -> Composition {
      if depth == 0 {
        let source = int(0..<rigs.count)
        return Composition(
          description: "\(source)", list: rigs[source].source,
          recompute: { [self] in NaiveList(rigs[source].draft.snapshot) })
      }
      switch int(0..<7) {
      case 0: return arranged(composition(depth: depth - 1))
      case 1: return joined(composition(depth: depth - 1), composition(depth: int(0..<depth)))
      case 2: return related(composition(depth: depth - 1), composition(depth: int(0..<depth)))
      case 3: return flattened(composition(depth: depth - 1))
      case 4, 5: return grouped(composition(depth: depth - 1), composition(depth: int(0..<depth)))
      default: return merged((0..<int(2..<4)).map { composition(depth: $0 == 0 ? depth - 1 : int(0..<depth)) })
      }
    }

    private func arranged(_ source: Composition) -> Composition {
      let choice = ArrangementChoice<TestSection, Card<Int>>()
      var steps: [ArrangedStep<Int>] = []
      var plans: [ArrangedStep<Int>.Plan] = [Arrangement()]
      func rearrange() {
        let common = int(0..<steps.count + 1)
        steps = ArrangedFuzzTests.randomSteps(
          after: Array(steps[..<common]), rigs[0])
        plans = ArrangedFuzzTests.plans(steps, beginning: Array(plans[...common]))
        steps.setParameters(of: choice)
        choice.choose(plans[steps.count])
      }
      rearrange()
      rearrangements.append(rearrange)
      rearrangements.append { [self] in steps.chooseAgain(of: choice) { int(0..<$0) } }
      return Composition(
        description: "arranged(\(source.description))",
        list: source.list.arranged(by: choice),
        recompute: { steps.recompute(source.recompute()) })
    }

    private func joined(_ left: Composition, _ right: Composition) -> Composition {
      let isInner = int(0..<2) == 0
      let combine: @Sendable (Card<Int>, Card<Int>?) -> Card<Int>? = { card, partner in
        if isInner && partner == nil { return nil }
        return Card(id: card.id, a: card.a, b: (card.b + 3 * (partner?.b ?? 1)) % 7)
      }
      return Composition(
        description: "joined(\(left.description), \(right.description), \(isInner))",
        list: left.list.joined(with: right.list, key: { $0.a == 3 ? nil : $0.a * 2 }, combine: combine),
        recompute: { .joining(left.recompute(), right.recompute(), key: { $0.a == 3 ? nil : $0.a * 2 }, combine) })
    }

    /// Without the rows of another list, or with those alone.
    private func related(_ left: Composition, _ right: Composition) -> Composition {
      let excludes = int(0..<2) == 0
      return Composition(
        description: "related(\(left.description), \(right.description), \(excludes))",
        list: left.list.joined(with: right.list, key: { $0.id }, combine: { ($1 == nil) == excludes ? $0 : nil }),
        recompute: {
          let ids = Set(right.recompute().parts.flatMap { $0.rows.map(\.id) })
          var model = left.recompute()
          for index in model.parts.indices {
            model.parts[index].rows.removeAll { ids.contains($0.id) == excludes }
          }
          return model
        })
    }

    /// The elements of rows, of which several rows may have one.
    private func flattened(_ source: Composition) -> Composition {
      let step = int(1..<4)
      let elements: @Sendable (Card<Int>) -> [Card<Int>] = { card in
        (0..<abs(card.a + card.b) % 4).map { Card(id: card.id + $0 / 2 * step, a: (card.a + $0) % 4, b: card.b) }
      }
      return Composition(
        description: "flattened\(step)(\(source.description))", list: source.list.flatMap(elements),
        recompute: {
          var (model, seen) = (source.recompute(), Set<Int>())
          for index in model.parts.indices {
            model.parts[index].rows = model.parts[index].rows.flatMap(elements).filter { seen.insert($0.id).inserted }
          }
          return model
        })
    }

    /// With all rows of another list that refer to a row, the first of them, a summary, or if there are any.
    private func grouped(_ left: Composition, _ right: Composition) -> Composition {
      let (kind, isSorted) = (int(0..<5), int(0..<2) == 0)
      let key: @Sendable (Card<Int>) -> Int? = { $0.a == 3 ? nil : $0.a * 2 + $0.b % 2 }
      let order: [SortKey<Card<Int>>] = isSorted ? [.descending(\.b)] : []
      let list: MadeList<TestSection, Card<Int>>
      let combine: (Card<Int>, [Card<Int>]) -> Card<Int>?
      func made(_ card: Card<Int>, _ number: Int) -> Card<Int> { Card(id: card.id, a: card.a, b: number % 7) }
      switch kind {
      case 0:
        list = left.list.joined(withMany: right.list, on: key, sortedBy: order) { card, others in
          made(card, others.reduce(card.b) { (3 * $0 + $1.b) % 1_000 })
        }
        combine = { card, others in made(card, others.reduce(card.b) { (3 * $0 + $1.b) % 1_000 }) }
      case 1:
        list = left.list.joined(withFirst: right.list, on: key, sortedBy: order) { made($0, $0.b + ($1?.b ?? 4)) }
        combine = { made($0, $0.b + ($1.first?.b ?? 4)) }
      case 2:
        list = left.list.joined(withMany: right.list, on: key, summary: .sum(\.b)) { made($0, $0.b + $1) }
        combine = { made($0, $1.reduce($0.b) { $0 + $1.b }) }
      default:
        list = left.list.keeping(referredTo: kind == 3, by: right.list, on: key)
        combine = { $1.isEmpty == (kind == 3) ? nil : $0 }
      }
      return Composition(
        description: "grouped\(kind)(\(left.description), \(right.description), \(isSorted))", list: list,
        recompute: {
          .joining(
            left.recompute(), withMany: right.recompute(), on: key, sortedBy: { isSorted && $0.b > $1.b }, combine)
        })
    }

    /// Some of a number of lists in any order.
    private func randomChoice(of count: Int) -> [Int] {
      let some = (0..<count).filter { _ in int(0..<3) > 0 }
      return int(0..<3) == 0 ? some.shuffled(using: &random) : some
    }

    private func merged(_ parts: [Composition]) -> Composition {
      let policy: MergePolicy = int(0..<2) == 0 ? .first : .last
      if int(0..<2) == 0 {
        let chosen = ChosenLists(parts.map(\.list), chosen: randomChoice(of: parts.count))
        rearrangements.append { [self] in chosen.chosen = randomChoice(of: parts.count) }
        return Composition(
          description: "merged(of: \(parts.map(\.description)), \(policy))",
          list: chosen.merged(preferring: policy),
          recompute: { .merging(chosen.chosen.map { parts[$0].recompute() }, policy) })
      }
      return Composition(
        description: "merged(\(parts.map(\.description)), \(policy))",
        list: .merged(parts.map(\.list), preferring: policy),
        recompute: { .merging(parts.map { $0.recompute() }, policy) })
    }
  }

  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  @Test func `compositions of lists of many leaves and of several levels equal recomputing, too`() {
    Self.fuzz("compositions, large", .large, events: SeededGenerator.rounds(200, long: 40_000))
    Self.fuzz("compositions, deep", .deep, events: SeededGenerator.rounds(120, long: 20_000))
  }

  private static func fuzz(_ title: String, _ size: RigSize, events limit: Int) {
    var random = SeededGenerator.forFuzzing(title)
    var events = 0
    while events < limit {
      let seed = random.next()
      do {
        try Self.run(seed, size)
      } catch {
        Issue.record("seed \(random.seed), script \(seed): \(error)")
        return
      }
      events += 40
    }
  }

  private static func run(_ seed: UInt64, _ size: RigSize) throws {
    let scene = Scene(seed, size)
    let composition = scene.composition(depth: scene.int(1..<4))
    var before = (list: composition.list.snapshot, model: Model())
    for event in 0..<40 {
      if scene.int(0..<8) == 0, let rearrange = scene.rearrangements.randomElement(using: &scene.random) { rearrange() }
      for rig in scene.rigs where scene.int(0..<3) > 0 {
        for _ in 0..<(scene.int(0..<6) == 0 ? 6 : 1) { rig.edit() }
        rig.draft.commit()
      }
      if scene.int(0..<4) == 0 { scene.rigs[0].time.pass() }
      let isChanged = composition.list.update()
      let (list, expected) = (composition.list.snapshot, composition.recompute())
      let found = NaiveList(list)
      guard found == expected else {
        throw Wrong(
          description: "event \(event), \(composition.description): expected \(expected.firstDifference(from: found))")
      }
      guard found == before.model || isChanged else {
        throw Wrong(description: "event \(event), \(composition.description): not announced")
      }
      if event % 8 == 0 {
        list.checkInvariants()
        let changes = before.list.changes(to: list)
        var folded = before.model
        try folded.fold(changes, after: list)
        guard folded == found, changes.isEmpty == (found == before.model) else {
          throw Wrong(description: "event \(event), \(composition.description): \(changes) do not fold")
        }
      }
      before = (list, found)
    }
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
    let view = stores.0.joined(with: stores.1, on: key) { combine($0, $1) ?? $0 }
      .arranged(by: steps[0].reduce(Arrangement()) { $1.declare($0) })
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
          await view.rearrange(by: steps.reduce(Arrangement()) { $1.declare($0) })
        }
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

import RowcastDiff
import RowcastModel
import TestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Lists made of lists made of lists, and rearranged at any time, against recomputing from nothing after every event.
@Suite(.watched) struct CompositionFuzzTests {
  typealias Rig = ArrangedRig<Int>
  typealias Model = Rig.Model
  typealias Node = ListNode<TestSection, Card<Int>>

  /// A list, and what it should be.
  private struct Composition {
    var description: String
    let node: Node
    let recompute: () -> Model
  }

  /// Sources, and a composition of them.
  private final class Scene {
    var random: SeededGenerator
    let rigs: [Rig]
    var rearrangements: [() -> Void] = []

    init(_ seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      rigs = (0..<2).map { _ in Rig(SeededGenerator(seed: random.next())) { $0 } }
      self.random = random
    }

    func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    func composition(depth: Int) -> Composition {
      if depth == 0 {
        let source = int(0..<rigs.count)
        return Composition(
          description: "\(source)", node: rigs[source].source,
          recompute: { [self] in NaiveList(rigs[source].draft.snapshot) })
      }
      switch int(0..<4) {
      case 0: return arranged(composition(depth: depth - 1))
      case 1: return joined(composition(depth: depth - 1), composition(depth: int(0..<depth)))
      case 2: return related(composition(depth: depth - 1), composition(depth: int(0..<depth)))
      default: return merged((0..<int(2..<4)).map { composition(depth: $0 == 0 ? depth - 1 : int(0..<depth)) })
      }
    }

    private func arranged(_ source: Composition) -> Composition {
      let state = UpstreamState<Rig.Slot.Value>(upstreamID: ObjectIdentifier(Self.self), hasRows: false)
      var steps: [ArrangedStep<Int>] = []
      var plans: [ArrangedStep<Int>.Plan] = [Arrangement()]
      func rearrange() {
        let common = int(0..<steps.count + 1)
        steps = ArrangedFuzzTests.randomSteps(
          after: Array(steps[..<common]), rigs[0], { $0 < $1 }, { $0.sorted(by: $1) })
        plans = ArrangedFuzzTests.plans(steps, beginning: Array(plans[...common]))
        state.take(UpstreamValue(plans[steps.count], revision: (state.revision ?? -1) + 1, isFinal: false))
      }
      rearrange()
      rearrangements.append(rearrange)
      return Composition(
        description: "arranged(\(source.description))", node: .switching(state, source: source.node),
        recompute: { steps.reduce(source.recompute()) { $1.recompute($0) } })
    }

    private func joined(_ left: Composition, _ right: Composition) -> Composition {
      let isInner = int(0..<2) == 0
      let combine: @Sendable (Card<Int>, Card<Int>?) -> Card<Int>? = { card, partner in
        if isInner && partner == nil { return nil }
        return Card(id: card.id, a: card.a, b: (card.b + 3 * (partner?.b ?? 1)) % 7)
      }
      return Composition(
        description: "joined(\(left.description), \(right.description), \(isInner))",
        node: .joining(left.node, right.node, key: { $0.a == 3 ? nil : $0.a * 2 }, partner: { $0 }, combine: combine),
        recompute: {
          let partners = right.recompute().parts.flatMap(\.rows)
          var model = left.recompute()
          for index in model.parts.indices {
            model.parts[index].rows = model.parts[index].rows.compactMap { card in
              combine(card, card.a == 3 ? nil : partners.first { $0.id == card.a * 2 })
            }
          }
          return model
        })
    }

    /// Without the rows of another list, or with those alone.
    private func related(_ left: Composition, _ right: Composition) -> Composition {
      let excludes = int(0..<2) == 0
      return Composition(
        description: "related(\(left.description), \(right.description), \(excludes))",
        node: .joining(
          left.node, right.node, key: { $0.id }, partner: { _ in true },
          combine: { ($1 == nil) == excludes ? $0 : nil }),
        recompute: {
          let ids = Set(right.recompute().parts.flatMap { $0.rows.map(\.id) })
          var model = left.recompute()
          for index in model.parts.indices {
            model.parts[index].rows.removeAll { ids.contains($0.id) == excludes }
          }
          return model
        })
    }

    private func merged(_ parts: [Composition]) -> Composition {
      let policy: MergePolicy = int(0..<2) == 0 ? .first : .last
      return Composition(
        description: "merged(\(parts.map(\.description)), \(policy))",
        node: .merging(parts.map(\.node), preferring: policy),
        recompute: { .merging(parts.map { $0.recompute() }, policy) })
    }
  }

  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  @Test func `any composition of operators equals recomputing after every event`() {
    var random = SeededGenerator.forFuzzing("compositions")
    var events = 0
    while events < SeededGenerator.rounds(20_000, long: 1_000_000) {
      let seed = random.next()
      do {
        try Self.run(seed)
      } catch {
        Issue.record("seed \(random.seed), script \(seed): \(error)")
        return
      }
      events += 40
    }
  }

  private static func run(_ seed: UInt64) throws {
    let scene = Scene(seed)
    let composition = scene.composition(depth: scene.int(1..<4))
    var before = (list: composition.node.snapshot(), model: Model())
    for event in 0..<40 {
      if scene.int(0..<8) == 0, let rearrange = scene.rearrangements.randomElement(using: &scene.random) { rearrange() }
      for rig in scene.rigs where scene.int(0..<3) > 0 {
        for _ in 0..<(scene.int(0..<6) == 0 ? 6 : 1) { rig.edit() }
        rig.draft.commit()
      }
      let step = composition.node.pull()
      let (list, expected) = (composition.node.snapshot(), composition.recompute())
      let found = NaiveList(list)
      guard found == expected else {
        throw Wrong(
          description: "event \(event), \(composition.description): expected \(expected.firstDifference(from: found))")
      }
      guard found == before.model || step != nil else {
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
}

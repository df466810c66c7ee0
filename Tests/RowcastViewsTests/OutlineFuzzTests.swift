import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Outlines whose rows are expanded and collapsed while they change, against flattening from nothing.
@Suite(.watched) struct OutlineFuzzTests {
  @Test func `an outline of many rows equals flattening after every event`() throws {
    try Self.fuzz("outlines, large", .large, SeededGenerator.rounds(250, long: 40_000), ids: 420)
  }

  private static func fuzz(_ title: String, _ size: RigSize, _ limit: Int, ids: Int) throws {
    var random = SeededGenerator.forFuzzing(title)
    var events = 0
    while events < limit {
      let seed = random.next()
      let rig = ArrangedRig(SeededGenerator(seed: seed), size: size) { $0 }
      for _ in 0..<rig.int(0..<25) { rig.edit() }
      if size.ids > RigSize.small.ids { rig.fill() }
      do {
        try run(rig, events: 60, ids: Array(0..<ids))
      } catch {
        Issue.record("seed \(random.seed), script \(seed): \(error)")
        return
      }
      events += 60
    }
  }

  private static func run(_ rig: ArrangedRig<Int>, events: Int, ids: [Int]) throws {
    let rest = rig.int(0..<3) == 0 ? Optional(rig.int(0..<3)) : nil
    let passes: @Sendable (Card<Int>) -> Bool = { rest == nil || $0.b % 3 == rest }
    let policy = rig.int(0..<2) == 0 ? MissingParentPolicy.top : .hidden
    let parent = ArrangedStep.parent(ids)
    let totals = ArrangedStep<Int>.Totals.allCases[rig.int(0..<3)]
    var naive = NaiveOutline(
      parent: parent, passes: passes, policy: policy, expanded: ExpandedRows(depth: rig.int(0..<3)))
    let expansion = ExpansionChoice<Int>()
    func makeList() -> MadeList<TestSection, Card<Int>> {
      rig.source.outlined(
        parent: parent, where: rest == nil ? nil : passes, policy: policy, summary: totals.summary(),
        isSummarized: totals != .none, expansion: expansion
      ) { ArrangedStep.show($0, $1, totals == .none ? 0 : $2()) }
    }
    let list = makeList()
    var before = (ListSnapshot<TestSection, Card<Int>>(), ArrangedStep<Int>.Model())
    for event in 0..<events {
      if rig.int(0..<3) == 0 { for _ in 0..<rig.int(1..<3) { naive.expanded.change(rig, ids) } }
      expansion.choose(naive.expanded)
      if rig.int(0..<4) > 0 { for _ in 0..<(rig.int(0..<5) == 0 ? rig.int(1..<9) : 1) { rig.edit() } }
      rig.draft.commit()
      let isChanged = list.update()
      let after = (list.snapshot, NaiveList(list.snapshot))
      let source = NaiveList(rig.draft.snapshot)
      let expected = naive.flattened(source) { card, place, subtree in
        ArrangedStep.show(card, place, totals.total(subtree, in: source))
      }
      try ArrangedFuzzTests.check(
        after, before, isChanged: isChanged, expected: expected, countsMoves: true, event,
        "\(policy), filter \(rest ?? -1), \(naive.expanded)")
      if event % 16 == 0 { try ArrangedFuzzTests.compareFailures(list, makeList(), event, "an outline") }
      before = after
    }
  }
}

extension ExpandedRows<Int> {
  /// A random change.
  fileprivate mutating func change(_ rig: ArrangedRig<Int>, _ ids: [Int]) {
    let id = ids[rig.int(0..<ids.count)]
    switch rig.int(0..<12) {
    case 0: self = ExpandedRows(depth: rig.int(0..<4))
    case 1: self = ExpandedRows()
    case 2, 3: set(id, isExpanded: rig.int(0..<2) == 0, descendants: true)
    default: set(id, isExpanded: rig.int(0..<2) == 0)
    }
  }
}

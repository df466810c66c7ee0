import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Arrangements against recomputing from nothing, after every event.
@Suite(.watched) struct ArrangedFuzzTests {
  @Test func `sections of keys that are equal and not the same equal recomputing`() throws {
    try Self.fuzz("arranged, coarse keys", .small, SeededGenerator.rounds(8_000, long: 2_500_000)) {
      $0
    } beginning: {
      [.randomCoarse($0)]
    }
    try Self.fuzz("arranged, coarse keys, large", .large, SeededGenerator.rounds(200, long: 40_000)) {
      $0
    } beginning: {
      [.randomCoarse($0)]
    }
  }

  @Test func `arranging rows whose ids have no order equals recomputing`() throws {
    try Self.fuzz("arranged, ids without an order", .small, SeededGenerator.rounds(2_500, long: 500_000)) {
      Label(number: $0)
    }
  }

  @Test func `arranging lists of many leaves equals recomputing`() throws {
    try Self.fuzz("arranged, large", .large, SeededGenerator.rounds(400, long: 80_000)) { $0 }
  }

  @Test func `arranging lists of several levels equals recomputing`() throws {
    try Self.fuzz("arranged, deep", .deep, SeededGenerator.rounds(120, long: 40_000)) { $0 }
  }

  /// Many short scripts, each with arrangements of its own.
  static func fuzz<ID: Hashable & Sendable>(
    _ title: String, _ size: RigSize, _ limit: Int, _ makeID: @escaping (Int) -> ID,
    beginning: (ArrangedRig<ID>) -> [ArrangedStep<ID>] = { _ in [] }
  ) throws {
    var random = SeededGenerator.forFuzzing(title)
    var events = 0
    while events < limit {
      let seed = random.next()
      let rig = ArrangedRig(SeededGenerator(seed: seed), size: size, makeID: makeID)
      if size.ids > RigSize.small.ids { rig.fill() }
      for _ in 0..<rig.int(0..<25) { rig.edit() }
      let length = rig.int(20..<120)
      do {
        try run(rig, events: length, beginning)
      } catch {
        Issue.record("seed \(random.seed), script \(seed): \(error)")
        return
      }
      events += length
    }
  }

  private static func run<ID>(
    _ rig: ArrangedRig<ID>, events: Int, _ beginning: (ArrangedRig<ID>) -> [ArrangedStep<ID>]
  ) throws {
    let beginning = beginning(rig)
    var steps = randomSteps(after: beginning, rig)
    let choice = ArrangementChoice<TestSection, Card<ID>>()
    var plans = Self.plans(steps)
    steps.setParameters(of: choice)
    choice.choose(plans[steps.count])
    let list = rig.source.arranged(by: choice)
    var before = (ListSnapshot<TestSection, Card<ID>>(), ArrangedStep<ID>.Model())
    for event in 0..<events {
      if rig.int(0..<15) == 0 {
        // Sometimes the new arrangement begins as the old one does, and is the same value as far as that goes.
        let common = rig.int(beginning.count..<steps.count + 1)
        steps = randomSteps(after: Array(steps[..<common]), rig)
        plans = Self.plans(steps, beginning: Array(plans[...common]))
        if rig.int(0..<2) == 0, steps[common...].contains(where: { $0.choices != nil }) {
          try checkLateParameters(list, choice, plans[steps.count], steps, common, rig, event)
        }
        steps.setParameters(of: choice)
        choice.choose(plans[steps.count])
      }
      if rig.int(0..<4) == 0 { steps.chooseAgain(of: choice) { rig.int(0..<$0) } }
      if rig.int(0..<20) > 0 { for _ in 0..<(rig.int(0..<5) == 0 ? rig.int(1..<9) : 1) { rig.edit() } }
      rig.draft.commit()
      if rig.int(0..<3) == 0 { rig.time.pass() }
      let isChanged = list.update()
      let after = (list.snapshot, NaiveList(list.snapshot))
      try check(
        after, before, isChanged: isChanged, expected: steps.recompute(NaiveList(rig.draft.snapshot)),
        countsMoves: rig.size.ids <= RigSize.large.ids, event, "\(steps)")
      if event % 16 == 0 {
        let fresh = ArrangementChoice<TestSection, Card<ID>>()
        steps.setParameters(of: fresh)
        fresh.choose(plans[steps.count])
        try compareFailures(list, rig.source.arranged(by: fresh), event, "\(steps)")
      }
      before = after
    }
  }

  /// As long as parameters of a new arrangement have no values, the list is what it was, whatever becomes of its source.
  private static func checkLateParameters<ID>(
    _ list: MadeList<TestSection, Card<ID>>, _ choice: ArrangementChoice<TestSection, Card<ID>>,
    _ plan: ArrangedStep<ID>.Plan,
    _ steps: [ArrangedStep<ID>], _ common: Int, _ rig: ArrangedRig<ID>, _ event: Int
  ) throws {
    let before = NaiveList(list.snapshot)
    choice.choose(plan)
    // Those of the steps before are read already.
    for isSet in Array(steps[common...]).haveParametersInside() ? [false, true] : [false] {
      if isSet { steps.setParameters(of: choice, inside: false) }
      rig.edit()
      rig.draft.commit()
      let isChanged = list.update()
      guard !isChanged, NaiveList(list.snapshot) == before else {
        throw Wrong(description: "event \(event), \(steps): changed before its parameters had values")
      }
    }
  }

  static func compareFailures<ID>(
    _ list: MadeList<TestSection, Card<ID>>, _ fresh: MadeList<TestSection, Card<ID>>, _ event: Int, _ what: String
  ) throws {
    _ = fresh.update()
    let (found, expected) = (list.failures, fresh.failures)
    for id in Set(found.keys).union(expected.keys) where found[id] != expected[id] {
      let (found, expected) = (found[id] ?? "none", expected[id] ?? "none")
      throw Wrong(description: "event \(event), \(what): the failure of \(id) is \(found) instead of \(expected)")
    }
  }

  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// A list, and the same as arrays.
  typealias Pair<ID: Hashable & Sendable> = (
    list: ListSnapshot<TestSection, Card<ID>>, model: ArrangedStep<ID>.Model
  )

  static func check<ID>(
    _ after: Pair<ID>, _ before: Pair<ID>, isChanged: Bool, expected: ArrangedStep<ID>.Model, countsMoves: Bool,
    _ event: Int, _ what: String
  ) throws {
    let found = after.model
    guard found == expected else {
      throw Wrong(description: "event \(event), \(what): expected \(expected.firstDifference(from: found))")
    }
    let isEqual = before.model == found
    guard isEqual || isChanged else { throw Wrong(description: "event \(event), \(what): not announced") }
    // The oracle of moves is slow: it looks at some.
    guard event % 16 == 0 else { return }
    after.list.checkInvariants()
    let changes = before.list.changes(to: after.list)
    var folded = before.model
    let minimal = countsMoves ? folded.minimalMoves(to: found) : nil
    guard changes.isEmpty == isEqual, minimal.map({ $0.rows == changes.rows.moves.count }) ?? true,
      minimal.map({ $0.sections == changes.sections.moves.count }) ?? true
    else { throw Wrong(description: "event \(event), \(what): \(changes) from \(folded) to \(found)") }
    try folded.fold(changes, after: after.list)
    guard folded == found else { throw Wrong(description: "event \(event), \(what): \(changes) do not fold") }
  }

  /// An arrangement for each number of steps.
  static func plans<ID>(
    _ steps: [ArrangedStep<ID>], beginning: [ArrangedStep<ID>.Plan] = [Arrangement()]
  ) -> [ArrangedStep<ID>.Plan] {
    var plans = beginning
    for step in steps[(beginning.count - 1)...] { plans.append(step.declare(plans[plans.count - 1])) }
    return plans
  }

  static func randomSteps<ID>(
    after beginning: [ArrangedStep<ID>], _ rig: ArrangedRig<ID>, atMost limit: Int = 4
  ) -> [ArrangedStep<ID>] {
    var steps = beginning
    while steps.count < limit, rig.int(0..<4) > 0 {
      let kind = StepKind.allCases[rig.int(0..<StepKind.allCases.count)]
      if kind == .searched {
        let choices = (0..<rig.int(1..<4)).map { _ in randomSteps(after: [], rig, atMost: 2) }
        // The steps of a choice may have a parameter of their own, with one value.
        steps.append(.choosing(among: choices, value: rig.int(0..<choices.count)))
      } else {
        steps.append(.random(kind, rig, rig.int))
      }
    }
    return steps
  }
}

import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Arrangements against recomputing from nothing, after every event.
@Suite(.watched) struct ArrangedFuzzTests {
  @Test func `sections of keys that are equal and not the same equal recomputing`() throws {
    let (small, large) = (SeededGenerator.rounds(1_600, long: 2_500_000), SeededGenerator.rounds(40, long: 40_000))
    try Self.fuzz("arranged, coarse keys", .small, small, isCoarse: true) { $0 }
    try Self.fuzz("arranged, coarse keys, large", .large, large, isCoarse: true) { $0 }
  }

  @Test func `arranging rows whose ids have no order equals recomputing`() throws {
    try Self.fuzz("arranged, ids without an order", .small, SeededGenerator.rounds(500, long: 500_000)) {
      Label(number: $0)
    }
  }

  @Test func `arranging lists of many leaves equals recomputing`() throws {
    try Self.fuzz("arranged, large", .large, SeededGenerator.rounds(80, long: 80_000)) { $0 }
  }

  @Test func `arranging lists of several levels equals recomputing`() throws {
    try Self.fuzz("arranged, deep", .deep, SeededGenerator.rounds(24, long: 40_000)) { $0 }
  }

  /// Many short scripts, each with arrangements of its own, which begin with coarse keys or with any step.
  static func fuzz<ID: Hashable & Sendable>(
    _ title: String, _ size: RigSize, _ limit: Int, isCoarse: Bool = false, _ makeID: @escaping (Int) -> ID
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
        try run(rig, events: length, beginning: isCoarse ? [.randomCoarse(rig)] : [])
      } catch {
        Issue.record("seed \(random.seed), script \(seed): \(error)")
        return
      }
      events += length
    }
  }

  private static func run<ID>(_ rig: ArrangedRig<ID>, events: Int, beginning: [ArrangedStep<ID>]) throws {
    var steps = randomSteps(after: beginning, rig)
    let choice = ArrangementChoice<TestSection, Card<ID>>()
    var plans = Self.plans(steps)
    steps.setParameters(of: choice)
    choice.choose(plans[steps.count])
    let list = rig.source.arranged(by: choice)
    var before = ListSnapshot<TestSection, Card<ID>>()
    for event in 0..<events {
      if rig.int(0..<15) == 0 {
        // Sometimes the new arrangement begins like the old one, and that part is the same value.
        let common = rig.int(beginning.count..<steps.count + 1)
        steps = randomSteps(after: Array(steps[..<common]), rig)
        plans = Self.plans(steps, beginning: Array(plans[...common]))
        if rig.int(0..<3) == 0 {
          // An arrangement that is replaced while it is built shows nothing, not even changes made with it.
          let replaced = Self.plans(randomSteps(after: steps, rig), beginning: plans)
          choice.choose(replaced[replaced.count - 1], isReplaced: true)
          for _ in 0..<rig.int(0..<9) { rig.edit() }
          rig.draft.commit()
          let isChanged = list.update() || list.snapshot != before
          try Mismatch.unless(!isChanged, "event \(event), \(steps): shows what is given up")
        }
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
      let (after, expected) = (list.snapshot, steps.recompute(NaiveList(rig.draft.snapshot)))
      let found = NaiveList(after)
      do {
        try Mismatch.unless(found == expected, "expected \(expected.firstDifference(from: found))")
        try Mismatch.unless(NaiveList(before) == found || isChanged, "not announced")
        // The oracle of moves is slow: it looks at some.
        if event % 16 == 0 { try before.checkChanges(to: after, countsMoves: rig.size.ids <= RigSize.large.ids) }
      } catch { throw Mismatch("event \(event), \(steps): \(error)") }
      if event % 16 == 0 {
        let fresh = ArrangementChoice<TestSection, Card<ID>>()
        steps.setParameters(of: fresh)
        fresh.choose(plans[steps.count])
        let made = rig.source.arranged(by: fresh)
        _ = made.update()
        let (failures, expected) = (list.failures, made.failures)
        try Mismatch.unless(failures == expected, "event \(event), \(steps): \(failures), made anew \(expected)")
      }
      before = after
    }
  }

  /// As long as parameters of a new arrangement have no values, the list stays the same, whatever happens to its source.
  private static func checkLateParameters<ID>(
    _ list: MadeList<TestSection, Card<ID>>, _ choice: ArrangementChoice<TestSection, Card<ID>>,
    _ plan: ArrangedStep<ID>.Plan,
    _ steps: [ArrangedStep<ID>], _ common: Int, _ rig: ArrangedRig<ID>, _ event: Int
  ) throws {
    let before = NaiveList(list.snapshot)
    choice.choose(plan)
    // The parameters of the earlier steps are read already.
    for isSet in Array(steps[common...]).haveParametersInside() ? [false, true] : [false] {
      if isSet { steps.setParameters(of: choice, inside: false) }
      rig.edit()
      rig.draft.commit()
      let isChanged = list.update()
      guard !isChanged, NaiveList(list.snapshot) == before else {
        throw Mismatch("event \(event), \(steps): changed before its parameters had values")
      }
    }
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

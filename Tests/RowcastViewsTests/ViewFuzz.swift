import RowcastDiff
import RowcastModel
import RowcastTestSupport

@testable import RowcastStore
@testable import RowcastViews

/// What derived lists are made with, and what happens to them.
enum ViewFeature: String, DrivenFeature {
  case filter, map, failingMap
  case sectioned, keptSections, priced, pairedSections, summarized, coarseSections, listed, withoutEmpty
  case sorted, sortedTwice, distinct, coarseDistinct, rows, first, last, around, after, page, windows, windowsAround,
    recent, reversed, neighbours
  case outlined, filteredOutline, expanded, searched
  case joined, innerJoined, excluding, including, mergedFirst, mergedLast, mergedSet, withItself, section
  case edit, burst, reset, otherSource, rearrange, expand, search, choose, later, nothing
  /// Relations: an edit and its undo are nothing, a new list is like the old one.
  case undo, fresh
  /// The first source has edits of a person, which are asked for and answered.
  case optimistic, ask, answer

  static let settings: Set<Self> = [.optimistic]
}

/// A list that is made of two sources by operators, one on top of the other, and the same over arrays.
final class ViewFuzz {
  typealias Rig = ArrangedRig<Int>
  typealias Model = Rig.Model
  typealias Made = MadeList<TestSection, Card<Int>>
  typealias Step = ArrangedStep<Int>

  /// One operator. What it makes is read by one list: another one has it made again.
  private class Layer {
    func make(of list: Made) -> Made { list }
    func recompute(_ model: Model) -> Model { model }
    var description: String { "" }
  }

  /// Lists of which some are merged.
  private final class MergedSet: Layer {
    private let policy: MergePolicy
    private let others: [() -> Made]
    private let models: [() -> Model]
    private var made: [ChosenLists<TestSection, Card<Int>>] = []
    private(set) var chosen: [Int]

    init(_ policy: MergePolicy, _ others: [(make: () -> Made, model: () -> Model)], _ chosen: [Int]) {
      (self.policy, self.chosen) = (policy, chosen)
      (self.others, models) = (others.map(\.make), others.map(\.model))
    }

    func choose(_ next: [Int]) {
      chosen = next
      for lists in made { lists.chosen = next }
    }
    override func make(of list: Made) -> Made {
      let lists = ChosenLists([list] + others.map { $0() }, chosen: chosen)
      made.append(lists)
      return lists.merged(preferring: policy)
    }
    override func recompute(_ model: Model) -> Model {
      .merging(chosen.map { $0 == 0 ? model : models[$0 - 1]() }, policy)
    }
    override var description: String { "merged(\(chosen))" }
  }

  /// Steps of one arrangement, which is exchanged.
  private final class Arranged: Layer {
    private(set) var steps: [Step] = []
    private var choices: [ArrangementChoice<TestSection, Card<Int>>] = []
    private var plans: [Step.Plan] = [Arrangement()]

    /// Arrangements begin as those before them as far as their steps do.
    func choose(_ next: [Step], common: Int) {
      steps = next
      plans = ArrangedFuzzTests.plans(next, beginning: Array(plans[...common]))
      for choice in choices { choose(choice) }
    }
    private func choose(_ choice: ArrangementChoice<TestSection, Card<Int>>) {
      steps.setParameters(of: choice)
      choice.choose(plans[steps.count])
    }
    /// Gives a parameter another value. Returns false if there is none.
    func search(_ random: (Int) -> Int) -> Bool {
      let indices = steps.indices.filter { steps[$0].choices != nil }
      guard !indices.isEmpty, case let index = indices[random(indices.count)], let step = steps[index].choosing(random)
      else { return false }
      steps[index] = step
      for choice in choices { [step].setParameters(of: choice) }
      return true
    }
    override func make(of list: Made) -> Made {
      let choice = ArrangementChoice<TestSection, Card<Int>>()
      choose(choice)
      choices.append(choice)
      return list.arranged(by: choice)
    }
    override func recompute(_ model: Model) -> Model { steps.recompute(model) }
    override var description: String { "arranged(\(steps.map(\.description)))" }
  }

  /// An operator between lists.
  private final class Other: Layer {
    private let name: String
    private let makes: (Made) -> Made
    private let recomputes: (Model) -> Model
    init(_ name: String, _ makes: @escaping (Made) -> Made, _ recomputes: @escaping (Model) -> Model) {
      (self.name, self.makes, self.recomputes) = (name, makes, recomputes)
    }
    override func make(of list: Made) -> Made { makes(list) }
    override func recompute(_ model: Model) -> Model { recomputes(model) }
    override var description: String { name }
  }

  private let rigs: [Rig]
  /// The edits of a person, of the first list.
  private let pending: PendingCards?
  private var random: SeededGenerator
  private var layers: [Layer] = []
  private var operators = 0
  private var copies = 0
  private var list: Made
  /// What a person expands, with the rows that have others below them.
  private var expansions: [(choices: [ExpansionChoice<Int>], rows: ExpandedRows<Int>, parents: [Int])] = []
  private var before: (list: Rig.Snapshot, model: Model) = (.init(), Model())
  private var checks = 0

  init(_ seed: UInt64, isOptimistic: Bool) {
    var random = SeededGenerator(seed: seed)
    // Lists that have no row in common are merged in another way.
    let offset = Int.random(in: 0..<4, using: &random) == 0 ? 100 : 0
    rigs = (0..<2).map { rig in Rig(SeededGenerator(seed: random.next()), size: .small) { $0 + rig * offset } }
    for rig in rigs { rig.fill() }
    for rig in rigs { rig.draft.commit() }
    self.random = random
    pending = isOptimistic ? PendingCards() : nil
    list = pending?.list ?? rigs[0].source
  }

  /// The list by some layers, made again.
  private func copy(_ layers: [Layer]) -> Made { layers.reduce(pending?.list ?? rigs[0].source) { $1.make(of: $0) } }

  private func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  static func play(_ run: FuzzRun<ViewFeature>) async throws {
    let fuzz = ViewFuzz(run.fuzzCase.seed, isOptimistic: run.has(.optimistic))
    try await fuzz.check()
    try await run.playSteps {
      ", \(fuzz.layers.map(\.description))"
    } perform: { feature, random in
      fuzz.random = random
      let isUsed = try await fuzz.perform(feature)
      try await fuzz.check()
      return isUsed
    }
    // What was made last has seen no edit.
    for _ in 0..<4 {
      for rig in fuzz.rigs { fuzz.edit(rig, times: 2) }
      try await fuzz.check()
    }
    if let pending = fuzz.pending {
      await pending.finish()
      try fuzz.checkList()
    }
  }

  // MARK: - Steps

  private func perform(_ feature: ViewFeature) async throws -> Bool {
    switch feature {
    case .edit: edit(rigs[0], times: 1)
    case .burst: for rig in rigs { edit(rig, times: int(4..<12)) }
    case .reset:
      if int(0..<2) == 0 { rigs[0].fill() } else { rigs[0].draft.replace(with: Rig.Snapshot()) }
      rigs[0].draft.commit()
    case .otherSource: edit(rigs[1], times: 2)
    case .nothing:
      try Mismatch.unless(!list.update(), "a list is announced that has not changed")
    case .rearrange: return rearrange()
    case .expand:
      if expansions.isEmpty {
        guard add(.expanded) else { return false }
        try await check()
      }
      let index = int(0..<expansions.count)
      let former = before.model
      // What is above the outline may hide what changes.
      for _ in 0..<10 where before.model == former {
        change(&expansions[index].rows, expansions[index].parents)
        for choice in expansions[index].choices { choice.choose(expansions[index].rows) }
        try await check()
      }
      return before.model != former
    case .search:
      let former = before.model
      for _ in 0..<4 where before.model == former {
        guard layers.contains(where: { ($0 as? Arranged)?.search { int(0..<$0) } ?? false }) else { return false }
        try await check()
      }
      return before.model != former
    case .choose:
      if !layers.contains(where: { $0 is MergedSet }) {
        guard add(.mergedSet) else { return false }
        try await check()
      }
      let former = before.model
      for _ in 0..<4 where before.model == former {
        layers.compactMap { $0 as? MergedSet }.randomElement(using: &random)?.choose(randomChoice())
        try await check()
      }
      return before.model != former
    case .later:
      if !layers.contains(where: { $0.description.contains("recent") }) {
        guard add(.recent) else { return false }
        try await check()
      }
      let former = before.model
      for _ in 0..<11 where before.model == former {
        rigs[0].time.pass()
        try await check()
      }
      return before.model != former
    case .undo: return try await undo()
    case .fresh: return try compareWithFresh()
    case .optimistic: return false
    case .ask: return try await pending?.ask(using: &random) ?? false
    case .answer:
      guard let confirmed = try await pending?.answer(using: &random) else { return false }
      rigs[0].draft.replace(with: confirmed)
      rigs[0].draft.commit()
    default: return add(feature)
    }
    return true
  }

  private func edit(_ rig: Rig, times: Int) {
    for _ in 0..<times { rig.edit() }
    rig.draft.commit()
  }

  /// Some steps of an arrangement go, or take other places.
  private func rearrange() -> Bool {
    let arranged = layers.compactMap { $0 as? Arranged }.filter { !$0.steps.isEmpty }
    guard let layer = arranged.randomElement(using: &random) else { return false }
    var next = layer.steps
    let common = int(0..<next.count)
    let rest = Array(next[common...])
    next.removeSubrange(common...)
    switch int(0..<3) {
    case 0: next += rest.shuffled(using: &random)
    case 1: next += rest.dropFirst()
    default: next += [.filter(int(0..<3))] + rest
    }
    // A part of the steps may be as before, and is made anew nevertheless.
    layer.choose(next, common: int(0..<2) == 0 ? common : 0)
    return true
  }

  private func change(_ rows: inout ExpandedRows<Int>, _ parents: [Int]) {
    let id = parents.randomElement(using: &random) ?? 0
    switch int(0..<8) {
    case 0: rows = ExpandedRows(depth: int(0..<4))
    case 1: rows = ExpandedRows()
    case 2, 3: rows.set(id, isExpanded: int(0..<2) == 0, descendants: true)
    default: rows.set(id, isExpanded: int(0..<2) == 0)
    }
  }

  // MARK: - Operators

  private func add(_ feature: ViewFeature) -> Bool {
    guard operators < 7, feature != .withItself || copies < 2, let layer = layer(feature) else { return false }
    operators += 1
    if feature == .withItself { copies += 1 }
    if layers.last === layer { return true }
    layers.append(layer)
    list = layer.make(of: list)
    return true
  }

  /// A step of an arrangement; `nil` for a feature that is none.
  static func step(_ feature: ViewFeature, _ rig: Rig, _ int: (Range<Int>) -> Int) -> Step? {
    let order = int(0..<2) == 0 ? SortDirection.ascending : .descending
    switch feature {
    case .filter: return .filter(int(0..<3))
    case .map, .failingMap: return .map(throwingAt: feature == .map ? -1 : int(0..<4), shows: int(0..<2) == 0)
    case .sectioned: return .sectioned(order, keeping: [])
    case .keptSections: return .sectioned(order, keeping: [2, 7])
    case .priced: return .priced(order, keeping: int(0..<2) == 0 ? [7, .nan] : [])
    case .pairedSections: return .shared(order, keeping: int(0..<2) == 0 ? [2, 7] : [])
    case .summarized: return .summarized(order, keeping: int(0..<2) == 0 ? [2, 7] : [], averaging: int(0..<2) == 0)
    case .coarseSections: return .randomCoarse(rig)
    case .listed: return .randomListed(rig)
    case .withoutEmpty: return .withoutEmptySections()
    case .sorted: return .sorted([0, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12][int(0..<11)])
    case .sortedTwice: return .sorted([1, 6][int(0..<2)])
    case .distinct: return .distinct()
    case .coarseDistinct: return .coarselyDistinct()
    case .reversed: return .reversed()
    case .neighbours: return .neighbours(isFilter: int(0..<3) == 0)
    case .rows:
      let start = int(-3..<6)
      return .window(.rows(start..<start + int(0..<9)))
    case .first: return .window(.first(int(0..<10)))
    case .last: return .window(.last(int(0..<10)))
    case .around: return .window(.around(int(0..<14), count: int(0..<8)))
    case .recent: return .recent(rig.time, within: int(0..<6), keys: rig.size.b)
    case .after: return .window(.after(int(0..<14), count: int(0..<2) == 0 ? .max : int(0..<8)))
    case .windows:
      let start = int(0..<3)
      return .windows([.first(int(0..<5)), .last(int(0..<5)), .rows(start..<start + int(0..<4))][int(0..<3)])
    case .windowsAround:
      return .windows(
        int(0..<2) == 0 ? .after(int(0..<14), count: int(0..<6)) : .around(int(0..<14), count: int(0..<6)))
    case .page:
      return .window(.page(number: int(-1..<4), size: int(0..<6), beyondEnd: int(0..<2) == 0 ? .empty : .last))
    case .outlined, .filteredOutline:
      return .outlined(
        Array(0..<16), policy: int(0..<2) == 0 ? .top : .hidden, filter: feature == .outlined ? nil : int(0..<3),
        totals: .allCases[int(0..<3)])
    case .searched:
      return .choosing(
        among: [[], [.filter(int(0..<3))], [.sorted(0), .window(.first(int(1..<9)))], [.distinct()]],
        value: int(0..<4))
    default: return nil
    }
  }

  private func layer(_ feature: ViewFeature) -> Layer? {
    if let step = Self.step(feature, rigs[0], int) {
      // In an arrangement of its own, or as the last step of the one that is there.
      if let last = layers.last as? Arranged, int(0..<3) > 0 {
        last.choose(last.steps + [step], common: last.steps.count)
        return last
      }
      let arranged = Arranged()
      arranged.choose([step], common: 0)
      return arranged
    }
    switch feature {
    case .expanded: return outline()
    case .joined, .innerJoined:
      let isInner = feature == .innerJoined
      let combine: @Sendable (Card<Int>, Card<Int>?) -> Card<Int>? = { card, partner in
        if isInner && partner == nil { return nil }
        return Card(id: card.id, a: card.a, b: (card.b + 3 * (partner?.b ?? 1)) % 7)
      }
      let key: @Sendable (Card<Int>) -> Int? = { $0.a == 3 ? nil : $0.a * 2 }
      let (other, model) = other()
      return Other("\(feature)", { $0.joined(with: other(), key: key, combine: combine) }) {
        .joining($0, model(), key: key, combine)
      }
    case .excluding, .including:
      let excludes = feature == .excluding
      let (other, model) = other()
      return Other(
        "\(feature)", { $0.joined(with: other(), key: { $0.id }, combine: { ($1 == nil) == excludes ? $0 : nil }) }
      ) { left in
        let ids = Set(model().parts.flatMap { $0.rows.map(\.id) })
        var left = left
        for index in left.parts.indices { left.parts[index].rows.removeAll { ids.contains($0.id) == excludes } }
        return left
      }
    case .mergedFirst, .mergedLast:
      let policy = feature == .mergedFirst ? MergePolicy.first : .last
      let ((other, model), isLast) = (other(), int(0..<2) == 0)
      return Other(
        "\(feature)", { .merged(isLast ? [$0, other()] : [other(), $0], preferring: policy) }
      ) { .merging(isLast ? [$0, model()] : [model(), $0], policy) }
    case .mergedSet:
      return MergedSet(int(0..<2) == 0 ? .first : .last, [other(), other()], randomChoice())
    case .withItself:
      // The same rows come on two ways.
      let filter = Step.filter(int(0..<3))
      let (policy, isMerge) = (int(0..<2) == 0 ? MergePolicy.first : .last, int(0..<2) == 0)
      let below = layers
      return Other(
        "\(feature)",
        { [unowned self] list in
          let other = copy(below).arranged(by: filter.declare(Arrangement()))
          return isMerge
            ? .merged([other, list], preferring: policy)
            : list.joined(with: other, key: { $0.id }) { Card(id: $0.id, a: $0.a, b: $1 == nil ? 0 : $0.b) }
        }
      ) { model in
        let other = filter.recompute(model)
        if isMerge { return .merging([other, model], policy) }
        return .joining(model, other, key: { $0.id }) { Card(id: $0.id, a: $0.a, b: $1 == nil ? 0 : $0.b) }
      }
    case .section:
      guard let id = before.model.parts.randomElement(using: &random)?.section.id else { return nil }
      return Other("section(\(id))", { $0.section(id) }) { model in
        var model = model
        model.parts.removeAll { $0.section.id != id }
        return model
      }
    default: return nil
    }
  }

  /// Some of three lists in any order.
  private func randomChoice() -> [Int] {
    let some = (0..<3).filter { _ in int(0..<3) > 0 }
    return int(0..<3) == 0 ? some.shuffled(using: &random) : some
  }

  /// A list of the other source, arranged or not.
  private func other() -> (make: () -> Made, model: () -> Model) {
    let (rig, step) = (rigs[1], int(0..<2) == 0 ? nil : Optional(Step.filter(int(0..<3))))
    return (
      { step.map { rig.source.arranged(by: $0.declare(Arrangement())) } ?? rig.source },
      {
        let model = NaiveList(rig.draft.snapshot)
        return step?.recompute(model) ?? model
      }
    )
  }

  /// An outline that a person expands.
  private func outline() -> Layer {
    let (parent, index) = (Step.parent(Array(0..<16)), expansions.count)
    let policy = int(0..<2) == 0 ? MissingParentPolicy.top : .hidden
    expansions.append(([], ExpandedRows(depth: int(0..<3)), []))
    let totals = Step.Totals.allCases[int(0..<3)]
    return Other(
      "expanded",
      { [unowned self] list in
        let choice = ExpansionChoice<Int>()
        choice.choose(expansions[index].rows)
        expansions[index].choices.append(choice)
        return list.outlined(
          parent: parent, where: nil, policy: policy, summary: totals.summary(), isSummarized: totals != .none,
          expansion: choice
        ) { Step.show($0, $1, totals == .none ? 0 : $2()) }
      }
    ) { [unowned self] model in
      let rows = model.parts.flatMap(\.rows)
      let ids = Set(rows.map(\.id))
      expansions[index].parents = Set(rows.compactMap(parent)).intersection(ids).sorted()
      return NaiveOutline(parent: parent, policy: policy, expanded: expansions[index].rows)
        .flattened(model) { Step.show($0, $1, totals.total($2, in: model)) }
    }
  }

  // MARK: - Relations

  /// An edit that is taken back leaves what was there.
  private func undo() async throws -> Bool {
    // What the source brings is not taken back.
    if pending?.hasEchoes ?? false { return false }
    let (rig, former) = (rigs[int(0..<2)], before)
    let draft = rig.draft.snapshot
    edit(rig, times: int(1..<6))
    try await check()
    rig.draft.replace(with: draft)
    rig.draft.commit()
    try await check()
    try Mismatch.unless(
      before.model == former.model, "taken back: \(former.model.firstDifference(from: before.model))")
    return true
  }

  /// A list that is made anew has the same rows, and the same errors.
  private func compareWithFresh() throws -> Bool {
    if layers.isEmpty { return false }
    let fresh = copy(layers)
    _ = fresh.update()
    let (old, new) = (list.failures, fresh.failures)
    try Mismatch.unless(
      NaiveList(fresh.snapshot) == before.model,
      "made anew: \(before.model.firstDifference(from: NaiveList(fresh.snapshot)))")
    try Mismatch.unless(old == new, "the errors are \(old), made anew \(new)")
    return true
  }

  // MARK: - Checks

  private func check() async throws {
    try await pending?.read(rigs[0].draft.snapshot)
    try checkList()
  }

  private func checkList() throws {
    let isChanged = list.update()
    let (snapshot, expected) = (
      list.snapshot, layers.reduce(pending?.model ?? NaiveList(rigs[0].draft.snapshot)) { $1.recompute($0) }
    )
    let found = NaiveList(snapshot)
    try Mismatch.unless(found == expected, "expected \(expected.firstDifference(from: found))")
    try Mismatch.unless(found == before.model || isChanged, "not announced")
    checks += 1
    if checks % 4 == 0 {
      snapshot.checkInvariants()
      let changes = before.list.changes(to: snapshot)
      var folded = before.model
      let minimal = folded.minimalMoves(to: found)
      try folded.fold(changes, after: snapshot)
      try Mismatch.unless(
        folded == found && changes.isEmpty == (found == before.model) && minimal.rows == changes.rows.moves.count
          && minimal.sections == changes.sections.moves.count, "\(changes) do not fold, or move too much")
    }
    before = (snapshot, found)
  }
}

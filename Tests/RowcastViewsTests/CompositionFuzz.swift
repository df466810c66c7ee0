import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// What lists of lists are made with, and what happens to them.
enum CompositionFeature: String, DrivenFeature {
  case filter, map, sectioned, priced, summarized, coarse, listed, withoutEmpty, sorted, distinct, reversed, neighbours,
    window, windows, recent, outlined, searched
  case joined, leftJoined, joinedByKeys, withMany, withFirst, withSummary, manyByKeys, intersecting, excluding, shared,
    others, flatMap, keyed, asRows, loading, merged, mergedSet, switched, expanded
  case turn, edit, burst, reset, transaction, thrown, rearrange, choose, later
  /// Rebuilt lists equal the old ones, and a list explains why it has a row, or not.
  case fresh, explained
  /// The first store has edits of a person, which are asked for and answered.
  case optimistic, ask, answer

  static let settings: Set<Self> = [.optimistic]
  static let operators = Array(allCases.prefix { $0 != .turn })

  /// Operators of arrangements.
  static let steps: [Self: [StepKind]] = [
    .filter: [.filter], .map: [.map, .failingMap], .sectioned: [.sectioned, .keptSections, .pairedSections],
    .priced: [.priced], .summarized: [.summarized], .coarse: [.coarseSections], .listed: [.listed],
    .withoutEmpty: [.withoutEmpty], .sorted: [.sorted, .sortedTwice], .distinct: [.distinct, .coarseDistinct],
    .reversed: [.reversed], .neighbours: [.neighbours], .window: [.rows, .first, .last, .around, .after, .page],
    .windows: [.windows, .windowsAround], .recent: [.recent], .outlined: [.outlined, .filteredOutline],
    .searched: [.searched],
  ]

  /// A case for each pair of operators, one on top of the other, and for each in the other list of a join or merge. Of a part of the
  /// runs, some.
  static var shapes: [String] {
    let variants = SeededGenerator.rounds(1, long: 4)
    let all = operators.enumerated().flatMap { below, first in
      operators.enumerated().flatMap { above, second in
        let seeds = (0..<4).map { (below * operators.count + above) * 4 + $0 }
        // Two steps are in one arrangement, or in two.
        let tops =
          steps[second] == nil
          ? ["\(second) \(seeds[0])", "turn 5, \(second) \(seeds[0])"]
          : seeds.prefix(steps[first] == nil ? 1 : variants).map { "\(second) \($0)" }
        return tops.map {
          // Outlines are of long lists, too.
          let seed = second == .expanded && below % 4 == 0 ? 64 * below + 15 : 8 * above
          return "\(seed): \(first) \(above), \($0), burst 2, choose 4, transaction 3, fresh 6, explained 8"
        }
      }
    }
    let count = SeededGenerator.rounds((all.count + 4) / 5, long: all.count)
    return stride(from: 0, to: all.count, by: all.count / count).map { all[$0] }
  }
}

/// Lists of lists of three stores, two of them in one space, and the same over arrays.
final class CompositionFuzz {
  typealias Cards = any LiveList<TestSection, Card<Int>>
  typealias Model = NaiveList<TestSection, Card<Int>>
  typealias Step = ArrangedStep<Int>
  /// A list, and a function that exchanges the lists that it shows.
  private typealias Made = (list: Cards, choose: (([Cards]) async -> Void)?)

  /// A list that is made of earlier ones.
  private final class Layer {
    let name: String
    let inputs: [Int]
    let make: (Layer, [Cards]) -> Made
    let recompute: (Layer, [Model]) -> Model
    var steps: [Step] = []
    var plans: [Step.Plan] = [Arrangement()]
    /// The arrangement, if it is exchanged; otherwise the list is rebuilt for another one.
    var plan: Parameter<Step.Plan>?
    /// The inputs that are shown.
    var chosen: [Int] = []
    var choose: (([Cards]) async -> Void)?
    /// What a person expands of an outline.
    var expansion: OutlineExpansion<Int>?
    var expanded = ExpandedRows<Int>()

    init(
      _ name: String, _ inputs: [Int], _ make: @escaping (Layer, [Cards]) -> Made,
      _ recompute: @escaping (Layer, [Model]) -> Model
    ) { (self.name, self.inputs, self.make, self.recompute) = (name, inputs, make, recompute) }

    var description: String {
      "\(name)\(steps.isEmpty ? "" : "\(steps)")\(chosen.isEmpty ? "" : "\(chosen)") of \(inputs)"
    }
  }

  private let rigs: [ArrangedRig<Int>]
  private let space = ListSpace()
  private let stores: [ListStore<TestSection, Card<Int>>]
  /// The edits of a person, of the first store.
  private let pending: PendingCards?
  private var random: SeededGenerator
  private var layers: [Layer] = []
  /// The stores, and then the lists of the layers.
  private var lists: [Cards]
  private var depths = [0, 0, 0]
  /// The list that is made last, or turned to.
  private var top = 0
  private var before: (list: ListSnapshot<TestSection, Card<Int>>, top: Int, revision: Int)?
  private var checks = 0

  private init(_ seed: UInt64, isOptimistic: Bool) {
    var random = SeededGenerator(seed: seed)
    let size = seed % 64 == 63 ? RigSize.deep : seed % 16 == 15 ? .large : .small
    rigs = (0..<3).map { _ in ArrangedRig(SeededGenerator(seed: random.next()), size: size) { $0 } }
    for rig in rigs { rig.fill() }
    stores = [space.store(), space.store(), ListStore()]
    lists = stores
    pending = isOptimistic ? PendingCards(on: stores[0]) : nil
    if let pending { lists[0] = pending.list }
    if seed % 3 == 0 { lists[2] = Outside(stores[2]) }
    self.random = random
  }

  func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  static func play(_ run: FuzzRun<CompositionFeature>) async throws {
    let fuzz = CompositionFuzz(run.fuzzCase.seed, isOptimistic: run.has(.optimistic))
    try await fuzz.commit()
    try await run.playSteps {
      ", list \(fuzz.top) of 3 stores and \(fuzz.layers.map(\.description))"
    } perform: {
      fuzz.random = $1
      let isUsed = try await fuzz.perform($0)
      try await fuzz.check()
      return isUsed
    }
    // What was made last has seen no edit.
    for _ in 0..<3 {
      for rig in fuzz.rigs { rig.edit() }
      try await fuzz.commit()
      try await fuzz.check()
    }
    await fuzz.pending?.finish()
    try await fuzz.check()
  }

  // MARK: - Steps

  private func perform(_ feature: CompositionFeature) async throws -> Bool {
    switch feature {
    case .turn: top = int(0..<lists.count)
    case .edit: rigs[int(0..<3)].edit()
    case .burst: for rig in rigs { for _ in 0..<int(2..<12) { rig.edit() } }
    case .reset:
      let rig = rigs[int(0..<3)]
      if int(0..<2) == 0 { rig.fill() } else { rig.draft.replace(with: .init()) }
    case .transaction:
      // A row moves from one store to another, in one transaction.
      let (from, to) = int(0..<2) == 0 ? (rigs[0], rigs[1]) : (rigs[1], rigs[0])
      guard let id = from.draft.snapshot.allRows.map(\.id).randomElement(using: &random),
        let path = from.draft.path(ofRow: id), to.draft.snapshot.sectionCount > 0
      else { return false }
      let row = from.draft.removeRow(at: path)
      if to.draft.path(ofRow: id) == nil { to.draft.insertRow(row, at: RowPath(section: 0, row: 0)) }
    case .thrown:
      let (drafts, revision) = (rigs.map(\.draft.snapshot), await lists[top].revision)
      for rig in rigs { for _ in 0..<4 { rig.edit() } }
      do {
        try await commit(throwing: Card<Int>.Trouble(b: 1))
        throw Mismatch("a transaction does not throw")
      } catch is Card<Int>.Trouble {}
      for (rig, draft) in zip(rigs, drafts) { rig.draft.replace(with: draft) }
      try await Mismatch.unless(lists[top].revision == revision, "a transaction that throws makes a revision")
    case .rearrange: return await rearrange()
    case .choose: return await choose()
    case .later: rigs[0].time.pass()
    case .fresh: try await compareWithFresh()
    case .explained: for id in idsToExplain() { try await explain(id) }
    case .optimistic: return false
    case .ask: if try await pending?.ask(using: &random) != true { return false }
    case .answer:
      guard let confirmed = try await pending?.answer(using: &random) else { return false }
      rigs[0].draft.replace(with: confirmed)
    default: return await add(feature)
    }
    try await commit()
    return true
  }

  /// Brings what was drafted to the stores.
  private func commit(throwing error: Card<Int>.Trouble? = nil) async throws {
    for rig in rigs { rig.draft.commit() }
    let drafts = rigs.map(\.draft.snapshot)
    try await space.edit(stores[0], stores[1]) { first, second in
      first.replace(with: drafts[0])
      second.replace(with: drafts[1])
      if let error { throw error }
    }
    try await stores[2].replace(with: drafts[2])
    try await pending?.read()
  }

  private func rearrange() async -> Bool {
    guard let layer = layers.filter({ $0.plan != nil }).randomElement(using: &random), !layer.steps.isEmpty else {
      return false
    }
    let common = int(0..<layer.steps.count)
    var rest = Array(layer.steps[common...]).shuffled(using: &random)
    if int(0..<2) == 0 { rest.removeFirst() }
    if int(0..<2) == 0 { rest.append(.sorted(int(0..<13))) }
    await arrange(layer, Array(layer.steps[..<common]) + rest, common: int(0..<2) == 0 ? common : 0)
    return true
  }

  /// Arrangements begin as those before them as far as their steps do.
  private func arrange(_ layer: Layer, _ steps: [Step], common: Int) async {
    layer.steps = steps
    layer.plans = ArrangedFuzzTests.plans(steps, beginning: Array(layer.plans[...common]))
    await layer.plan?.set(layer.plans[steps.count])
  }

  /// Gives parameters of a list other values.
  private func choose() async -> Bool {
    let layers = layers.filter {
      $0.choose != nil || $0.expansion != nil || $0.steps.contains { $0.choices != nil }
    }
    guard let layer = layers.randomElement(using: &random) else { return false }
    // What is above it may hide what changes.
    let former = models()[top]
    for _ in 0..<4 where models()[top] == former {
      if let choose = layer.choose {
        layer.chosen = layer.name == "switched" ? [int(0..<layer.inputs.count)] : someOf(layer.inputs.count)
        await choose(layer.chosen.map { lists[layer.inputs[$0]] })
      }
      if let expansion = layer.expansion {
        change(&layer.expanded, models()[layer.inputs[0]])
        await expansion.set(layer.expanded)
      }
      for index in layer.steps.indices {
        guard let step = layer.steps[index].choosing({ int(0..<$0) }), let choices = step.choices else { continue }
        layer.steps[index] = step
        await choices.parameter.set(choices.value)
      }
    }
    return true
  }

  private func change(_ rows: inout ExpandedRows<Int>, _ model: Model) {
    let parents = Set(model.parts.flatMap(\.rows).compactMap(Step.parent(ids))).sorted()
    let id = parents.randomElement(using: &random) ?? 0
    switch int(0..<8) {
    case 0: rows = ExpandedRows(depth: int(0..<4))
    case 1: rows = ExpandedRows()
    case 2, 3: rows.set(id, isExpanded: int(0..<2) == 0, descendants: true)
    default: rows.set(id, isExpanded: int(0..<2) == 0)
    }
  }

  /// The ids of rows, and some that no row has.
  private var ids: [Int] { Array(0..<rigs[0].size.ids + 2) }

  private func someOf(_ count: Int) -> [Int] {
    let some = (0..<count).filter { _ in int(0..<3) > 0 }
    return int(0..<3) == 0 ? some.shuffled(using: &random) : some
  }

  // MARK: - Operators

  private func add(_ feature: CompositionFeature) async -> Bool {
    if layers.count == 12 { return false }
    // Five deep at most.
    if depths[top] == 5 { top = int(0..<3) }
    if let kind = CompositionFeature.steps[feature]?.randomElement(using: &random) {
      let step = Step.random(kind, rigs[0], int)
      // In an arrangement of its own, or as the last step of the existing one.
      if top > 2, case let last = layers[top - 3], 1..<4 ~= last.steps.count,
        last.plan != nil || top == lists.count - 1, int(0..<2) == 0
      {
        await arrange(last, last.steps + [step], common: last.steps.count)
        if last.plan == nil { (lists[top], before) = (last.make(last, last.inputs.map { lists[$0] }).list, nil) }
      } else {
        let layer = Layer("arranged", [top]) { layer, lists in
          (
            layer.plan.map { lists[0].arranged(by: $0) } ?? lists[0].arranged(by: layer.plans[layer.steps.count]), nil
          )
        } _: { layer, models in
          layer.steps.recompute(models[0])
        }
        if int(0..<3) > 0 { layer.plan = Parameter(Arrangement()) }
        await arrange(layer, [step], common: 0)
        append(layer)
      }
      if let choices = step.choices { await choices.parameter.set(choices.value) }
      return true
    }
    // The other list is often the former one.
    let others = lists.indices.filter { depths[$0] < 5 }
    let other = int(0..<2) == 0 ? others[others.count - 1] : others[int(0..<others.count)]
    if feature == .mergedSet || feature == .switched {
      append(choosing(feature, [top, other, others[int(0..<others.count)]]))
      return true
    }
    if feature == .expanded {
      append(outline(of: top))
      return true
    }
    let (make, recompute) = operation(feature)
    append(
      Layer("\(feature)", [top, other]) {
        (make($1[0], $1[1]), nil)
      } _: {
        recompute($1[0], $1[1])
      })
    return true
  }

  private func append(_ layer: Layer) {
    let made = layer.make(layer, layer.inputs.map { lists[$0] })
    layer.choose = made.choose
    layers.append(layer)
    lists.append(made.list)
    depths.append((layer.inputs.map { depths[$0] }.max() ?? 0) + 1)
    top = lists.count - 1
  }

  /// Lists, some of which a parameter names.
  private func choosing(_ feature: CompositionFeature, _ inputs: [Int]) -> Layer {
    let policy = int(0..<2) == 0 ? MergePolicy.first : .last
    let layer = Layer("\(feature)", inputs) { layer, lists in
      let chosen = layer.chosen.map { lists[$0] }
      if feature == .switched {
        let list = Parameter<Cards>(chosen[0])
        return (Switched(list), { await list.set($0[0]) })
      }
      let all = Parameter<[Cards]>(chosen)
      return (MergedList(of: all, preferring: policy), { await all.set($0) })
    } _: { layer, models in
      // A list that is named twice is merged once.
      var seen: Set<Int> = []
      let chosen = policy == .first ? layer.chosen : layer.chosen.reversed()
      let once = chosen.filter { seen.insert(inputs[$0]).inserted }.map { models[$0] }
      return feature == .switched ? models[chosen[0]] : .merging(policy == .first ? once : once.reversed(), policy)
    }
    layer.chosen = feature == .switched ? [int(0..<3)] : someOf(3)
    return layer
  }

  /// An outline that a person expands.
  private func outline(of list: Int) -> Layer {
    let (policy, totals) = (int(0..<2) == 0 ? MissingParentPolicy.top : .hidden, Step.Totals.allCases[int(0..<3)])
    let (rest, depth) = (int(0..<3) == 0 ? Optional(int(0..<3)) : nil, int(0..<3))
    let step = { [ids] (expansion: OutlineExpansion<Int>?, expanded: ExpandedRows<Int>) -> Step in
      .outlined(ids, policy: policy, filter: rest, totals: totals, expansion: expansion, expanded: expanded)
    }
    let layer = Layer("expanded", [list]) { layer, lists in
      (lists[0].arranged(by: step(layer.expansion, layer.expanded).declare(Arrangement())), nil)
    } _: { layer, models in
      step(layer.expansion, layer.expanded).recompute(models[0])
    }
    (layer.expansion, layer.expanded) = (OutlineExpansion(depth: depth), ExpandedRows(depth: depth))
    return layer
  }

  // MARK: - Relations

  /// Rebuilt lists have the same rows, and the same errors.
  private func compareWithFresh() async throws {
    var fresh = Array(lists[..<3])
    for layer in layers { fresh.append(layer.make(layer, layer.inputs.map { fresh[$0] }).list) }
    let (one, other) = (Model(await fresh[top].snapshot), Model(await lists[top].snapshot))
    try Mismatch.unless(one == other, "made anew: \(other.firstDifference(from: one))")
    let (old, new) = (await failures(of: lists[top]), await failures(of: fresh[top]))
    try Mismatch.unless(old == new, "the errors are \(old), made anew \(new)")
  }

  /// An id of any kind, and some ids that the newest list leaves out.
  private func idsToExplain() -> [Int] {
    let (models, inputs) = (models(), top > 2 ? layers[top - 3].inputs : [])
    let shown = Set(models[top].parts.flatMap { $0.rows.map(\.id) })
    let leftOut = inputs.prefix(1).flatMap { models[$0].parts.flatMap { $0.rows.map(\.id) } }.filter {
      !shown.contains($0)
    }
    return [int(0..<16)] + leftOut.shuffled(using: &random).prefix(3)
  }

  /// An explanation names the operator of the last list that has the row.
  private func explain(_ id: Int) async throws {
    let (models, list) = (models(), lists[top])
    func has(_ list: Int) -> Bool { models[list].parts.contains { $0.rows.contains { $0.id == id } } }
    let (found, failure) = (await list.explain(id), await failures(of: list)[id])
    try Mismatch.unless(found.isShown == has(top), "\(found), which differs from \(models[top])")
    var (layer, reasons) = (top, ["no source has it", "not confirmed"])
    while layer > 2, !found.isShown {
      let (name, input) = (layers[layer - 3].name, layers[layer - 3].inputs[0])
      // One of several lists that are shown, and rows with ids of their own.
      if ["merged", "mergedSet", "switched", "flatMap", "keyed", "asRows"].contains(name) || name.hasSuffix("Keys") {
        return
      }
      if has(input) {
        reasons = Self.refusals[name] ?? []
        break
      }
      layer = input
    }
    if let failure, found.reason == (found.isShown ? "it has an error" : "its row cannot be made") + ": \(failure)" {
      return
    }
    let isRight = found.reason.map { reason in !found.isShown && reasons.contains { reason.contains($0) } }
    try Mismatch.unless(
      isRight ?? found.isShown, "\(found); the error is \(failure ?? "none"), the reason is one of \(reasons)")
  }

  /// What operators say of rows that they leave out.
  private static let refusals = [
    "arranged": ["filter", "window", "same key", "too old", "collapsed"], "expanded": ["collapsed"],
    "joined": ["no partner"], "intersecting": ["no row of the other"], "excluding": ["a row of the other"],
    "shared": ["list does not have it"], "others": ["list has it"],
  ]

  private func failures(of list: Cards) async -> [Int: String] {
    await (list as? ArrangedList<TestSection, Card<Int>>)?.failures.mapValues { "\($0)" } ?? [:]
  }

  // MARK: - Checks

  private func models() -> [Model] {
    var models = rigs.map { Model($0.draft.snapshot) }
    if let pending { models[0] = pending.model }
    for layer in layers { models.append(layer.recompute(layer, layer.inputs.map { models[$0] })) }
    return models
  }

  private func check() async throws {
    let models = models()
    let (revision, list) = (await lists[top].revision, await lists[top].snapshot)
    let (found, expected) = (Model(list), models[top])
    try Mismatch.unless(found == expected, "expected \(expected.firstDifference(from: found))")
    try await Mismatch.unless(lists[top].revision == revision, "a list is announced that has not changed")
    checks += 1
    if let before, before.top == top, before.list == list {
      try Mismatch.unless(revision == before.revision, "announced, and not changed")
    } else if let before, before.top == top {
      try Mismatch.unless(revision > before.revision, "not announced")
      if checks % 4 == 0 {
        try before.list.checkChanges(to: list, countsMoves: rigs[0].size.ids == RigSize.small.ids)
      }
    }
    before = (list, top, revision)
    // One that is read now and then.
    let other = int(0..<lists.count)
    let beside = Model(await lists[other].snapshot)
    try Mismatch.unless(
      beside == models[other], "list \(other): expected \(models[other].firstDifference(from: beside))")
  }
}

/// Lists made of lists made of lists, and rearranged at any time, against recomputing from nothing after every event.
@Suite(.watched) struct CompositionFuzzTests {
  @Test func `lists of lists by all operators equal recomputing, with every operator on every other`() async throws {
    try await FeaturePairs<CompositionFeature>.drive(
      "compositions", runs: 6, long: 50_000, steps: 28, found: compositionCases + CompositionFeature.shapes
    ) { try await CompositionFuzz.play($0) }
  }
}

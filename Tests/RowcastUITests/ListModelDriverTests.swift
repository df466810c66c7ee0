import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastUI
import RowcastViews
import Testing

/// Models that are edited, followed, read and used by a person at random moments, beside lists of all that they may show.
///
/// Each run is one schedule of jobs, so that its seed repeats it.
@Suite(.watched) struct ListModelDriverTests {
  @Test
  func `whenever a person edits what a model shows, it is at a state of its list, or that edit is all it differs by`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("model driver")
    var operations = 0
    for _ in 0..<SeededGenerator.rounds(150, long: 36_000) {
      let seed = random.next()
      let (result, _) = await Schedule.run(seed: seed) { await ModelDriver.run(seed: seed, operations: 60) }
      let found = try #require(result, "seed \(random.seed), run \(seed): everything waits")
      operations += found.operations
      try #require(
        found.fault == nil, "seed \(random.seed), run \(seed), operation \(found.operations): \(found.fault ?? "")")
    }
    print("fuzz: model driver: \(operations) operations")
  }
}

/// One model, and the lists that it may show.
@MainActor
private final class CheckedModel {
  struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  let model: TestModel
  /// True for a model of the store itself, whose edits are brought to it at once.
  let followsStore: Bool
  /// What it showed when it was looked at last, with what a person has done since.
  private(set) var seen: NaiveList<TestSection, TestRow>
  /// All states of the list that it follows, and the index of the first that it may show.
  private(set) var history: [NaiveList<TestSection, TestRow>]
  private var first = 0
  /// The list that a person edited, and others that may have come unseen since, because edits made the same of it; with the number
  /// of states at the last edit.
  private var edited: (bases: [NaiveList<TestSection, TestRow>], count: Int, isNewest: Bool)?
  private(set) var editCount = 0
  private var reads = false

  init(_ model: TestModel, followsStore: Bool, _ list: TestSnapshot, startingWith start: TestSnapshot?) {
    (self.model, self.followsStore) = (model, followsStore)
    history = [Self.list(list, followsStore)]
    seen = NaiveList(start ?? TestSnapshot())
  }

  /// The list that a model follows, of that of the store.
  private static func list(_ list: TestSnapshot, _ followsStore: Bool) -> NaiveList<TestSection, TestRow> {
    var list = NaiveList(list)
    if followsStore { return list }
    for index in list.parts.indices { list.parts[index].rows.removeAll { $0.id % 5 == 0 } }
    return list
  }

  private static func text(_ list: NaiveList<TestSection, TestRow>) -> String {
    list.parts.map { part in "\(part.section.id): \(part.rows.map { "\($0.id)\($0.text)" }.joined(separator: " "))" }
      .joined(separator: ", ")
  }

  private var state: String {
    "at \(String(describing: model.base.position)) of \(history.count - 1), the list is \(Self.text(history[history.count - 1]))"
  }

  /// Adds a state that the store is about to have.
  func expect(_ list: TestSnapshot) { history.append(Self.list(list, followsStore)) }

  /// Looks at the model.
  func check() throws {
    let now = NaiveList(model.snapshot)
    if now != seen {
      guard let index = history[first...].firstIndex(of: now) else {
        throw Fault("\(Self.text(now)) is no state since \(first)")
      }
      (first, seen, edited) = (index, now, nil)
    }
    try checkParts()
  }

  private func checkParts() throws {
    let rows = seen.parts.flatMap(\.rows)
    if reads {
      for id in 0..<14 where model.row(id) != rows.first(where: { $0.id == id }) {
        throw Fault("row \(id) is \(String(describing: model.row(id))), of \(rows)")
      }
    }
    if Array(model.sections) != seen.parts.map(\.section) { throw Fault("sections \(Array(model.sections))") }
    for id in (0..<4).map({ "s\($0)" }) {
      let part = seen.parts.first { $0.section.id == id }
      if model.section(id) != part?.section { throw Fault("section \(id)") }
      if Array(model.rows(inSection: id)) != part?.rows ?? [] { throw Fault("rows of \(id)") }
      if Array(model.rowIDs(inSection: id)) != part?.rows.map(\.id) ?? [] { throw Fault("ids of \(id)") }
    }
    let isLoading = model.base.position == nil && model.phase == .loading
    if !isLoading, model.phase != (rows.isEmpty ? .empty : .loaded) { throw Fault("phase \(model.phase)") }
  }

  /// Reads rows by their ids from now on.
  func readRows() { reads = true }

  /// A person drags a row, swipes it away, or changes it.
  func perform(_ random: inout SeededGenerator) throws {
    try check()
    let list = seen
    guard let section = list.parts.indices.filter({ !list.parts[$0].rows.isEmpty }).randomElement(using: &random) else {
      return
    }
    let row = Int.random(in: 0..<list.parts[section].rows.count, using: &random)
    var moved = seen.parts[section].rows.remove(at: row)
    let id = moved.id
    switch Int.random(in: 0..<3, using: &random) {
    case 0: try model.viewDidPerform { try $0.remove(id) }
    case 1:
      let to = Int.random(in: 0..<list.parts.count, using: &random)
      let place = Int.random(in: 0...seen.parts[to].rows.count, using: &random)
      seen.parts[to].rows.insert(moved, at: place)
      try model.viewDidPerform { try $0.move(id, to: RowPath(section: to, row: place)) }
    default:
      moved.text = "performed"
      seen.parts[section].rows.insert(moved, at: row)
      try model.viewDidPerform { try $0.update(id) { $0.text = "performed" } }
    }
    editCount += 1
    edited = ((edited?.bases ?? []) + [list], history.count, model.base.position?.revision == history.count - 1)
    if NaiveList(model.snapshot) != seen { throw Fault("after an edit in the view: not \(Self.text(seen))") }
    try checkParts()
  }

  /// An edit, or a look at the newest list, that began at a state has returned.
  func mustHave(_ state: Int, editsThen: Int) throws {
    first = max(first, state)
    try check()
    if editCount == editsThen, !history[first...].contains(seen) {
      throw Fault("\(Self.text(seen)) lacks the edit \(state) that has returned")
    }
  }

  /// Waits until the model shows what it will show if nothing happens any more.
  func settle() async throws {
    for _ in 0..<20_000 {
      try check()
      if isSettled { break }
      await Task.yield()
    }
    guard isSettled else { throw Fault("\(Self.text(seen)) stays, \(state)") }
    if followsStore, seen != history[history.count - 1], let edited, !edited.isNewest || edited.count != history.count {
      throw Fault("an edit stays, \(state)")
    }
  }

  private var isSettled: Bool {
    if followsStore, model.base.position?.revision != history.count - 1 { return false }
    return seen == history[history.count - 1] || edited?.bases.contains(history[history.count - 1]) ?? false
  }
}

@MainActor
private struct ModelDriver {
  var random: SeededGenerator
  let store: TestStore
  let models: [CheckedModel]
  var last: TestSnapshot
  var states: [TestSnapshot]
  /// An edit of a model, or a look at the newest list, that has not returned.
  var pending: (task: Task<Void, any Error>, model: CheckedModel, state: Int, edits: Int)?

  static func run(seed: UInt64, operations: Int) async -> (operations: Int, fault: String?) {
    var number = 0
    do {
      var driver = try ModelDriver(seed: seed)
      for _ in 0..<operations {
        number += 1
        try await driver.operate()
        for model in driver.models { try model.check() }
      }
      try await driver.settle()
      return (number, nil)
    } catch {
      return (number, "\(error)")
    }
  }

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    last = try .random(sections: 4, rows: 14, using: &random)
    states = [last]
    let (store, list) = (TestStore(last), last)
    self.store = store
    let start: TestSnapshot? =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: nil
      case 1: last
      default: try .random(sections: 4, rows: 14, using: &random)
      }
    models = (0..<Int.random(in: 1...2, using: &random)).map { _ in
      let followsStore = Int.random(in: 0..<3, using: &random) > 0
      let model =
        followsStore
        ? TestModel(store, startingWith: start)
        : TestModel(store.arranged { $0.filter { $0.id % 5 != 0 } }, startingWith: start)
      return CheckedModel(model, followsStore: followsStore, list, startingWith: start)
    }
    self.random = random
  }

  mutating func operate() async throws {
    let model = models[Int.random(in: 0..<models.count, using: &random)]
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2: try model.perform(&random)
    case 3, 4: try await edit(nil)
    case 5, 6, 7: try await edit(model.followsStore ? model : nil)
    case 8:
      try await finish()
      pending = (
        Task { await model.model.showNewest() }, model, model.followsStore ? states.count - 1 : 0, model.editCount
      )
    case 9: try await finish()
    case 10: model.readRows()
    case 11: try await settle()
    default: for _ in 0...Int.random(in: 0..<5, using: &random) { await Task.yield() }
    }
  }

  /// Begins an edit of the store, by a model or not.
  private mutating func edit(_ model: CheckedModel?) async throws {
    try await finish()
    var next = last
    while next == last {
      // Back to a former state, a small change, or another list.
      switch Int.random(in: 0..<4, using: &random) {
      case 0: next = states[max(0, states.count - 3)...].randomElement(using: &random) ?? last
      case 1: next = try .random(sections: 4, rows: 14, using: &random)
      default:
        var parts = NaiveList(last).parts
        guard let part = parts.indices.randomElement(using: &random) else { continue }
        let rows = parts.flatMap(\.rows).map(\.id)
        let free = (0..<14).filter { !rows.contains($0) }
        if let id = free.randomElement(using: &random), Bool.random(using: &random) {
          parts[part].rows.append(TestRow(id, "new"))
        } else if !parts[part].rows.isEmpty {
          parts[part].rows.removeFirst()
        }
        next = try TestSnapshot(parts.map { ListSection($0.section, rows: $0.rows) })
      }
    }
    last = next
    states.append(next)
    for model in models { model.expect(next) }
    let (store, list) = (store, next)
    if let model {
      pending = (
        Task { try await model.model.edit { $0.replace(with: list) } }, model, states.count - 1, model.editCount
      )
    } else {
      try await store.replace(with: list)
    }
  }

  /// Waits for what has not returned.
  private mutating func finish() async throws {
    guard let (task, model, state, edits) = pending else { return }
    pending = nil
    try await task.value
    try model.mustHave(state, editsThen: edits)
  }

  private mutating func settle() async throws {
    try await finish()
    for model in models { try await model.settle() }
  }
}

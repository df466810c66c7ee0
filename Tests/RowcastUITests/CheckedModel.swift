/// One model, and the lists that it may show.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor
final class CheckedModel {
  typealias List = NaiveList<TestSection, TestRow>

  let model: TestModel
  /// True for a model of the store itself, which gets its edits at once.
  let followsStore: Bool
  /// What it showed when it was looked at last, with what a person has done since.
  private(set) var seen: List
  /// All states of the list that it follows, and the index of the first that it may show.
  private(set) var history: [List]
  private var first: Int
  /// The version of the list that was looked at last.
  private var version = -1
  /// The list that a person edited, and later lists that may have arrived unseen, because edits led to the same list; with the
  /// number of states at the last edit.
  private var edited: (bases: [List], count: Int, isNewest: Bool)?
  private(set) var editCount = 0
  private var readsRows = false
  /// What views have read, with the calls that told them of a change, and the version of the list then.
  private var readings: (all: [(reading: Reading, told: CallCount)], version: Int, list: List)?
  /// True if a source of the store has failed.
  var mayHaveFailed = false
  /// True if the model has no list to begin with.
  let mayLoad: Bool

  /// What a view may read, with what it read.
  private enum Reading: Equatable {
    case row(Int, TestRow?)
    case section(String, TestSection?)
    case rows(String, [TestRow])
    case ids(String, [Int])
    case sections([TestSection])
    case list(TestSnapshot)
    case phase(SectionPhase)

    @MainActor
    static func all(of model: TestModel) -> [() -> Reading] {
      let ids = (0..<14).map { id in { Reading.row(id, model.row(id)) } }
      let sections = (0..<4).map { "s\($0)" }.flatMap { id in
        [
          { Reading.section(id, model.section(id)) }, { Reading.rows(id, Array(model.rows(inSection: id))) },
          { Reading.ids(id, Array(model.rowIDs(inSection: id))) },
        ]
      }
      let others = [
        { Reading.sections(Array(model.sections)) }, { Reading.list(model.snapshot) }, { Reading.phase(model.phase) },
      ]
      return ids + sections + others
    }
  }

  /// Checks a model of a store that had some states so far.
  init(_ model: TestModel, followsStore: Bool, states: [List], startingWith start: TestSnapshot?) {
    (self.model, self.followsStore, first) = (model, followsStore, states.count - 1)
    history = followsStore ? states : states.map(Self.filtered)
    seen = NaiveList(start ?? TestSnapshot())
    mayLoad = start == nil
  }

  private static func filtered(_ list: List) -> List {
    var list = list
    for index in list.parts.indices { list.parts[index].rows.removeAll { $0.id % 5 == 0 } }
    return list
  }

  private static func text(_ list: List) -> String {
    list.parts.map { part in "\(part.section.id): \(part.rows.map { "\($0.id)\($0.text)" }.joined(separator: " "))" }
      .joined(separator: ", ")
  }

  private var newest: List { history[history.count - 1] }
  private var state: String {
    "at \(String(describing: model.base.position)) of \(history.count - 1), the list is \(Self.text(newest))"
  }

  /// Adds a state that the store is about to have.
  func expect(_ list: List) { history.append(followsStore ? list : Self.filtered(list)) }

  // MARK: - Looking

  /// Looks at the model if it has another list.
  func checkNews() throws { if model.base.version != version { try check() } }

  /// Looks at the model.
  func check() throws {
    version = model.base.version
    let now = NaiveList(model.snapshot)
    if now != seen {
      guard let index = history[first...].firstIndex(of: now) else {
        throw Mismatch("\(Self.text(now)) is no state since \(first): \(history.map(Self.text))")
      }
      (first, seen, edited) = (index, now, nil)
    }
    try checkParts()
    try checkReaders()
  }

  private func checkParts() throws {
    let rows = seen.parts.flatMap(\.rows)
    if readsRows {
      for id in 0..<14 where model.row(id) != rows.first(where: { $0.id == id }) {
        throw Mismatch("row \(id) is \(String(describing: model.row(id))), of \(rows)")
      }
    }
    if Array(model.sections) != seen.parts.map(\.section) { throw Mismatch("sections \(Array(model.sections))") }
    for id in (0..<4).map({ "s\($0)" }) {
      let part = seen.parts.first { $0.section.id == id }
      if model.section(id) != part?.section { throw Mismatch("section \(id)") }
      if Array(model.rows(inSection: id)) != part?.rows ?? [] { throw Mismatch("rows of \(id)") }
      if Array(model.rowIDs(inSection: id)) != part?.rows.map(\.id) ?? [] { throw Mismatch("ids of \(id)") }
    }
    if mayHaveFailed { return }
    let isLoading = mayLoad && model.base.position == nil && model.phase == .loading
    if !isLoading, model.phase != (rows.isEmpty ? .empty : .loaded) { throw Mismatch("phase \(model.phase)") }
  }

  /// A reader of changed values was told. A reader of unchanged values was told at most if something else has changed.
  private func checkReaders() throws {
    guard let (all, version, list) = readings else { return }
    let now = Reading.all(of: model).map { $0() }
    let passing = Set(list.parts.map(\.section.id)).symmetricDifference(seen.parts.map(\.section.id))
    let steps = model.base.version - version
    for ((old, told), new) in zip(all, now) {
      if told.value > 1 { throw Mismatch("told \(told.value) times: \(old)") }
      if old != new, told.value == 0 { throw Mismatch("not told: \(old) became \(new)") }
      guard old == new, told.value > 0 else { continue }
      switch old {
      case .phase: if !mayHaveFailed, steps <= 1 { throw Mismatch("told for nothing: \(old)") }
      // An inserted or removed section without rows has none before and after.
      case .rows(let id, _), .ids(let id, _):
        if steps == 0 || steps == 1 && !passing.contains(id) { throw Mismatch("told for nothing: \(old)") }
      case .row, .section, .sections, .list: if steps <= 1 { throw Mismatch("told for nothing: \(old)") }
      }
    }
  }

  /// Reads rows by their ids from now on.
  func readRows() { readsRows = true }

  /// Views read everything.
  func read() throws {
    try check()
    let all = Reading.all(of: model).map { read in
      var reading: Reading?
      let told = told { reading = read() }
      return (reading ?? read(), told)
    }
    readings = (all, model.base.version, seen)
  }

  /// Rows are read again: only readers of one of them are told, and no other readers of rows by their ids.
  func refresh(_ ids: [Int]) throws {
    try read()
    model.refresh(ids)
    guard let readings else { return }
    self.readings = nil
    for (reading, told) in readings.all {
      let isConcerned =
        switch reading {
        case .row(let id, _): ids.contains(id)
        case .rows, .list: true
        case .section, .ids, .sections, .phase: false
        }
      if (told.value == 1) != isConcerned { throw Mismatch("told \(told.value) times of \(ids): \(reading)") }
    }
  }

  // MARK: - A person

  /// A person has done something to the list that is shown.
  private func perform(_ list: List, _ change: () throws -> Void) throws {
    let before = seen
    seen = list
    try change()
    editCount += 1
    edited = ((edited?.bases ?? []) + [before], history.count, model.base.position?.revision == history.count - 1)
    if NaiveList(model.snapshot) != seen { throw Mismatch("after an edit in the view: not \(Self.text(seen))") }
    try checkParts()
    try checkReaders()
  }

  /// A person drags a row, swipes it away, or changes it. Returns `false` if there is no row.
  func perform(_ feature: ModelFeature, _ random: inout SeededGenerator) throws -> Bool {
    try check()
    var list = seen
    guard let section = list.parts.indices.filter({ !list.parts[$0].rows.isEmpty }).randomElement(using: &random) else {
      return false
    }
    let row = Int.random(in: 0..<list.parts[section].rows.count, using: &random)
    var moved = list.parts[section].rows.remove(at: row)
    let id = moved.id
    try refuseBrokenEdit(of: id, model.viewDidPerform)
    try check()
    switch feature {
    case .swipe: try perform(list) { try model.viewDidPerform { try $0.remove(id) } }
    case .drag:
      let to = Int.random(in: 0..<list.parts.count, using: &random)
      let place = Int.random(in: 0...list.parts[to].rows.count, using: &random)
      list.parts[to].rows.insert(moved, at: place)
      try perform(list) { try model.viewDidPerform { try $0.move(id, to: RowPath(section: to, row: place)) } }
    default:
      moved.text = "performed"
      list.parts[section].rows.insert(moved, at: row)
      try perform(list) { try model.viewDidPerform { try $0.update(id) { $0.text = "performed" } } }
    }
    return true
  }

  /// A person moves some rows of a section, or deletes them, here and in the store. Returns the task, and what the store must make
  /// of it; `nil` if there are no rows.
  func performInStore(
    _ store: TestStore, of current: List, moves: Bool, _ random: inout SeededGenerator,
    onFailure: @escaping @MainActor (any Error) -> Void
  ) throws -> (task: Task<Void, Never>, list: List)? {
    try check()
    var (list, origin) = (seen, current)
    guard let section = list.parts.indices.filter({ !list.parts[$0].rows.isEmpty }).randomElement(using: &random) else {
      return nil
    }
    let rows = list.parts[section].rows
    let name = list.parts[section].section.id
    let offsets = rows.indices.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    let ids = offsets.map { rows[$0].id }
    var task: Task<Void, Never>?
    if moves {
      let to = Int.random(in: 0...rows.count, using: &random)
      let place = to - offsets.count { $0 < to }
      list.parts[section].rows.removeAll { ids.contains($0.id) }
      list.parts[section].rows.insert(contentsOf: offsets.map { rows[$0] }, at: place)
      let shown = list.parts[section].rows.map(\.id)
      try perform(list) {
        task = model.moveRows(fromOffsets: offsets, toOffset: to, in: name, of: store, onFailure: onFailure)
      }
      origin.move(
        ids, after: place > 0 ? shown[place - 1] : nil,
        before: place + ids.count < shown.count ? shown[place + ids.count] : nil, section: name)
    } else {
      list.parts[section].rows.removeAll { ids.contains($0.id) }
      try perform(list) { task = model.removeRows(atOffsets: offsets, in: name, of: store, onFailure: onFailure) }
      for part in origin.parts.indices { origin.parts[part].rows.removeAll { ids.contains($0.id) } }
    }
    return task.map { ($0, origin) }
  }

  // MARK: - The end of something

  /// An edit, or a look at the newest list, that began at a state has returned.
  func mustHave(_ state: Int, editsThen: Int) throws {
    first = max(first, state)
    try check()
    if editCount == editsThen, !history[first...].contains(seen) {
      throw Mismatch("\(Self.text(seen)) lacks the edit \(state) that has returned")
    }
  }

  /// Waits until the model shows its final state, if nothing else happens.
  func settle() async throws {
    try check()
    for _ in 0..<2_000 {
      try checkNews()
      if isSettled { break }
      await Task.yield()
    }
    guard isSettled else { throw Mismatch("\(Self.text(seen)) stays, \(state)") }
    if followsStore, seen != newest, let edited, !edited.isNewest || edited.count != history.count {
      throw Mismatch("an edit stays, \(state)")
    }
  }

  private var isSettled: Bool {
    if followsStore, model.base.position?.revision != history.count - 1 { return false }
    return seen == newest || edited?.bases.contains(newest) ?? false
  }
}

extension NaiveList<TestSection, TestRow> {
  /// Moves rows as a person did it in a list that is made of this one: behind one row, in front of another, or to the end of a
  /// section.
  fileprivate mutating func move(_ ids: [Int], after: Int?, before: Int?, section: String) {
    let rows = ids.compactMap { id in parts.flatMap(\.rows).first { $0.id == id } }
    var rest = self
    for part in rest.parts.indices { rest.parts[part].rows.removeAll { ids.contains($0.id) } }
    for part in rest.parts.indices {
      if let row = rest.parts[part].rows.firstIndex(where: { $0.id == after }) {
        rest.parts[part].rows.insert(contentsOf: rows, at: row + 1)
        return self = rest
      }
    }
    for part in rest.parts.indices {
      if let row = rest.parts[part].rows.firstIndex(where: { $0.id == before }) {
        rest.parts[part].rows.insert(contentsOf: rows, at: row)
        return self = rest
      }
    }
    if let part = rest.parts.firstIndex(where: { $0.section.id == section }) {
      rest.parts[part].rows += rows
      self = rest
    }
  }
}

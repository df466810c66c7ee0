/// Random operations on a store and on plain arrays.
@Suite(.watched) struct RandomEditTests {
  typealias Model = NaiveList<TestSection, TestRow>

  @Test func `random edits do to the store what they do to plain arrays`() async throws {
    var random = SeededGenerator.forFuzzing("edits")
    let store = TestStore()
    var model = Model()
    var stream = store.updates().makeAsyncIterator()
    var follower = Follower()
    for step in 0..<SeededGenerator.rounds(800, long: 100_000) {
      let edit = Self.randomEdit(of: model, &random)
      let before = await store.revision
      let changed = edit.apply(to: &model)
      try await store.edit { try edit.apply(to: &$0) }
      let after = await store.revision
      #expect(after == before + (changed ? 1 : 0), "seed \(random.seed) step \(step): \(edit)")
      #expect(NaiveList(await store.snapshot) == model, "seed \(random.seed) step \(step): \(edit)")
      // Sometimes the subscriber sleeps over some edits.
      if changed, Bool.random(using: &random), await store.snapshot != follower.snapshot {
        if let update = await stream.next() { try follower.take(update) }
      }
    }
  }

  enum Edit {
    case insert(TestRow, RowPath)
    case append(TestRow, String)
    case upsert(TestRow, String)
    case update(Int, String)
    case remove(Int)
    case move(Int, RowPath)
    case moveToEnd(Int, String)
    case replaceRows(String, [TestRow])
    case insertSection(TestSection, Int)
    case upsertSection(TestSection)
    case removeSection(String)
    case moveSection(String, Int)
  }

  static func randomEdit(of model: Model, _ random: inout SeededGenerator) -> Edit {
    let ids = model.parts.flatMap { $0.rows.map(\.id) }
    let names = model.parts.map(\.section.id)
    let text = String(Int.random(in: 0..<3, using: &random))
    let newID = (0..<60).filter { !ids.contains($0) }.randomElement(using: &random)
    let newName = (0..<7).map { "s\($0)" }.filter { !names.contains($0) }.randomElement(using: &random)
    func path(leaving: Int?) -> RowPath {
      let section = Int.random(in: 0..<names.count, using: &random)
      let rows = model.parts[section].rows.filter { $0.id != leaving }
      return RowPath(section: section, row: Int.random(in: 0...rows.count, using: &random))
    }
    guard let name = names.randomElement(using: &random) else { return .insertSection(TestSection("s0"), 0) }
    switch Int.random(in: 0..<16, using: &random) {
    case 0...2: if let newID { return .insert(TestRow(newID, text), path(leaving: nil)) }
    case 3: if let newID { return .append(TestRow(newID, text), name) }
    case 4...5: return .upsert(TestRow(Int.random(in: 0..<60, using: &random), text), name)
    case 6...7: if let id = ids.randomElement(using: &random) { return .update(id, text) }
    case 8: if let id = ids.randomElement(using: &random) { return .remove(id) }
    case 9...10: if let id = ids.randomElement(using: &random) { return .move(id, path(leaving: id)) }
    case 11: if let id = ids.randomElement(using: &random) { return .moveToEnd(id, name) }
    case 12:
      let others = Set(model.parts.filter { $0.section.id != name }.flatMap { $0.rows.map(\.id) })
      let rows = (0..<60).filter { !others.contains($0) }.shuffled(using: &random).prefix(6).map { TestRow($0, text) }
      return .replaceRows(name, Array(rows))
    case 13:
      if let newName { return .insertSection(TestSection(newName), Int.random(in: 0...names.count, using: &random)) }
      return .removeSection(name)
    case 14: return .moveSection(name, Int.random(in: 0..<names.count, using: &random))
    default: return .upsertSection(TestSection(newName ?? name, text))
    }
    return .upsertSection(TestSection(name, text))
  }
}

extension Follower {
  var snapshot: TestSnapshot? {
    revision == nil ? nil : try? TestSnapshot(list.parts.map { ListSection($0.section, rows: $0.rows) })
  }
}

extension RandomEditTests.Edit {
  func apply(to list: inout TestEditor) throws {
    switch self {
    case .insert(let row, let path): try list.insert(row, at: path)
    case .append(let row, let name): try list.append(row, to: name)
    case .upsert(let row, let name): try list.upsert(row, to: name)
    case .update(let id, let text): try list.update(id) { $0.text = text }
    case .remove(let id): try list.remove(id)
    case .move(let id, let path): try list.move(id, to: path)
    case .moveToEnd(let id, let name): try list.move(id, toEndOf: name)
    case .replaceRows(let name, let rows): try list.replaceRows(in: name, with: rows)
    case .insertSection(let section, let index): try list.insert(section, at: index)
    case .upsertSection(let section): try list.upsert(section)
    case .removeSection(let name): try list.removeSection(name)
    case .moveSection(let name, let index): try list.moveSection(name, to: index)
    }
  }

  /// Does the same to plain arrays, and tells whether that changed them.
  func apply(to model: inout RandomEditTests.Model) -> Bool {
    let before = model
    func place(_ id: Int) -> (part: Int, row: Int)? {
      for (part, content) in model.parts.enumerated() {
        if let row = content.rows.firstIndex(where: { $0.id == id }) { return (part, row) }
      }
      return nil
    }
    func part(_ name: String) -> Int? { model.parts.firstIndex { $0.section.id == name } }
    switch self {
    case .insert(let row, let path): model.parts[path.section].rows.insert(row, at: path.row)
    case .append(let row, let name): if let part = part(name) { model.parts[part].rows.append(row) }
    case .upsert(let row, let name):
      guard let target = part(name) else { break }
      guard let known = place(row.id) else {
        model.parts[target].rows.append(row)
        break
      }
      if known.part == target {
        model.parts[target].rows[known.row] = row
      } else {
        model.parts[known.part].rows.remove(at: known.row)
        model.parts[target].rows.append(row)
      }
    case .update(let id, let text): if let known = place(id) { model.parts[known.part].rows[known.row].text = text }
    case .remove(let id): if let known = place(id) { model.parts[known.part].rows.remove(at: known.row) }
    case .move(let id, let path):
      if let known = place(id) {
        let row = model.parts[known.part].rows.remove(at: known.row)
        model.parts[path.section].rows.insert(row, at: path.row)
      }
    case .moveToEnd(let id, let name):
      if let known = place(id), let target = part(name) {
        let row = model.parts[known.part].rows.remove(at: known.row)
        model.parts[target].rows.append(row)
      }
    case .replaceRows(let name, let rows): if let part = part(name) { model.parts[part].rows = rows }
    case .insertSection(let section, let index): model.parts.insert(.init(section: section, rows: []), at: index)
    case .upsertSection(let section):
      if let part = part(section.id) {
        model.parts[part].section = section
      } else {
        model.parts.append(.init(section: section, rows: []))
      }
    case .removeSection(let name): model.parts.removeAll { $0.section.id == name }
    case .moveSection(let name, let index):
      if let part = part(name) { model.parts.insert(model.parts.remove(at: part), at: index) }
    }
    return model != before
  }
}

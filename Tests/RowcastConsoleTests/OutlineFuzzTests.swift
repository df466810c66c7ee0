import RowcastModel
import RowcastStore
import RowcastTable
import RowcastTestSupport
import RowcastTesting
import RowcastViews
import Testing

@testable import RowcastConsole

/// An outline as arrays: its rows, what a person did to them, and the row with the focus.
private struct OutlineModel {
  typealias Fold = (id: Int, isExpanded: Bool, descendants: Bool)

  var leaves: [Leaf] = []
  /// What was expanded and collapsed, the newest last: without a filter, and since there is one.
  var (folds, foundFolds) = ([Fold](), [Fold]())
  var filter = ""
  /// 0 for the order of the list, 1 by size, 2 by title.
  var order = 0
  var focus: Int?

  private func named(_ leaf: Leaf) -> Int? {
    leaf.place.parent.flatMap { id in leaves.contains { $0.id == id } ? id : nil }
  }

  func children(of id: Int?) -> [Leaf] {
    let children = leaves.filter { named($0) == id }.enumerated().sorted { first, second in
      let (a, b) = (first.element, second.element)
      if order == 1, a.size != b.size { return a.size > b.size }
      if order == 2, a.title != b.title { return a.title < b.title }
      return first.offset < second.offset
    }
    return children.map(\.element).filter(isKept)
  }

  func ancestors(of id: Int) -> [Int] {
    guard let leaf = leaves.first(where: { $0.id == id }), let parent = named(leaf) else { return [] }
    return [parent] + ancestors(of: parent)
  }

  func passes(_ leaf: Leaf) -> Bool { filter.isEmpty || leaf.title.contains(filter) }

  private func isKept(_ leaf: Leaf) -> Bool {
    passes(leaf) || leaves.contains { named($0) == leaf.id && isKept($0) }
  }

  func isExpanded(_ id: Int) -> Bool {
    let above = ancestors(of: id)
    let last = (filter.isEmpty ? folds : foundFolds).last { $0.id == id || $0.descendants && above.contains($0.id) }
    return last?.isExpanded ?? (above.isEmpty || !filter.isEmpty)
  }

  /// The rows that are shown.
  var shown: [Leaf] {
    func under(_ id: Int?) -> [Leaf] { children(of: id).flatMap { [$0] + (isExpanded($0.id) ? under($0.id) : []) } }
    return under(nil)
  }

  /// The lines of the rows, with the sign of the focus, and a dot if the filter does not find them.
  var lines: [String] {
    shown.map { leaf in
      let mark = children(of: leaf.id).isEmpty ? "  " : isExpanded(leaf.id) ? "▾ " : "▸ "
      let size = String(repeating: " ", count: 4 - "\(leaf.size)".count) + "\(leaf.size)"
      let guides = String(repeating: "│ ", count: ancestors(of: leaf.id).count) + mark
      return (leaf.id == focus ? "▸" : " ") + (passes(leaf) ? " " : "·") + "\(size)  \(guides)\(leaf.title)"
    }
  }

  /// Changes the outline, and moves the focus if its row is hidden or gone.
  mutating func change(_ change: (inout OutlineModel) -> Void) {
    let (before, former) = (shown.map(\.id), focus.map { [$0] + ancestors(of: $0) } ?? [])
    change(&self)
    let after = shown.map(\.id)
    guard let id = focus, !after.contains(id), let index = before.firstIndex(of: id) else { return }
    focus = before[index...].first(where: after.contains) ?? before[..<index].last(where: after.contains)
    if let left = former.first(where: after.contains), children(of: left).isEmpty || !isExpanded(left) { focus = left }
  }

  mutating func fold(_ id: Int, isExpanded: Bool, descendants: Bool = false) {
    change {
      if $0.filter.isEmpty {
        $0.folds.append((id, isExpanded, descendants))
      } else {
        $0.foundFolds.append((id, isExpanded, descendants))
      }
    }
  }

  mutating func press(_ key: Key) {
    let ids = shown.map(\.id)
    guard let id = focus, let index = ids.firstIndex(of: id) else {
      if key != .enter, key != "*" { focus = ids.first }
      return
    }
    let hasChildren = !children(of: id).isEmpty
    switch key {
    case .up: focus = ids[max(0, index - 1)]
    case .down: focus = ids[min(ids.count - 1, index + 1)]
    case .right where hasChildren && isExpanded(id): focus = ids[index + 1]
    case .right where hasChildren: fold(id, isExpanded: true)
    case .left where hasChildren && isExpanded(id): fold(id, isExpanded: false)
    case .left: focus = ancestors(of: id).first ?? id
    case .enter where hasChildren: fold(id, isExpanded: !isExpanded(id))
    case "*" where hasChildren: fold(id, isExpanded: true, descendants: true)
    default: break
    }
  }
}

@Suite(.watched) struct OutlineFuzzTests {
  @Test func `any outline is shown, and keeps the focus, as arrays say`() async throws {
    let random = SeededGenerator.forFuzzing("outlines on a screen")
    for round in 0..<SeededGenerator.rounds(3, long: 100) {
      let (store, expansion) = (LeafStore(), OutlineExpansion<Int>(depth: 1))
      var app = ConsoleApp(
        store,
        columns: [
          ConsoleColumn("SIZE", width: 4, .trailing) { $0.size }, ConsoleColumn("NAME", width: 60) { $0.title },
        ])
      app.environment = [:]
      app.outline = ConsoleOutline(\.place, expansion: expansion)
      try await ConsoleScreen.show(app, columns: 100, lines: 40) { screen in
        var (model, random) = (OutlineModel(), SeededGenerator(seed: random.seed &+ UInt64(round)))
        for id in 1...12 { try await Self.upsert(id, &model, store, &random) }
        var log: [String] = []
        for number in 0..<60 {
          if number > 0 { log.append(try await Self.step(&model, screen, store, expansion, &random)) }
          let lines = model.lines
          try await screen.expect("\(lines.joined(separator: "\n"))\nafter seed \(random.seed), \(log)") {
            Self.shows($0, lines)
          }
        }
      }
    }
  }

  /// True if the screen shows lines. Marks of changes may stand in the way, and rows that are gone.
  private static func shows(_ screen: [String], _ lines: [String]) -> Bool {
    let shown = screen.dropFirst(2).dropLast().filter { line in
      !line.isEmpty && !line.hasPrefix("(") && !line.dropFirst(2).hasPrefix("-")
    }
    return shown.count == lines.count
      && zip(shown, lines).allSatisfy { shown, line in
        let sign = shown.dropFirst(2).prefix(1)
        return shown.first == line.first && (sign == line.dropFirst().prefix(1) || ["+", "~", ">"].contains(sign))
          && shown.dropFirst(4).hasPrefix(line.dropFirst(2))
      }
  }

  /// Inserts a row, or changes one: its place under another one, its title, and its size.
  private static func upsert(
    _ id: Int, _ model: inout OutlineModel, _ store: LeafStore, _ random: inout SeededGenerator
  ) async throws {
    // Not under itself, nor under a row that waits for it.
    let children = Set(model.leaves.filter { $0.place.parent == id }.map(\.id))
    let parents = model.leaves.map(\.id).filter {
      $0 != id && children.isDisjoint(with: [$0] + model.ancestors(of: $0))
    }
    let parent = Int.random(in: 0..<4, using: &random) == 0 ? nil : parents.randomElement(using: &random)
    let title = String((0..<3).map { _ in "abcd".randomElement(using: &random) ?? "e" })
    let leaf = Leaf(id, title, under: parent, size: Int.random(in: 0..<4, using: &random))
    model.change { model in
      if let index = model.leaves.firstIndex(where: { $0.id == id }) {
        model.leaves[index] = leaf
      } else {
        model.leaves.append(leaf)
      }
    }
    try await store.edit { try $0.upsert(leaf) }
  }

  /// Does something to both. Returns its name.
  private static func step(
    _ model: inout OutlineModel, _ screen: ConsoleScreen, _ store: LeafStore, _ expansion: OutlineExpansion<Int>,
    _ random: inout SeededGenerator
  ) async throws -> String {
    let id = Int.random(in: 1...14, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      try await upsert(id, &model, store, &random)
      return "upsert \(id)"
    case 1:
      guard model.leaves.count > 4, model.leaves.contains(where: { $0.id == id }) else { return "nothing" }
      model.change { $0.leaves.removeAll { $0.id == id } }
      try await store.edit { try $0.remove(id) }
      return "remove \(id)"
    case 2, 3:
      // Rows above the focus, and others.
      let id = model.focus.flatMap { model.ancestors(of: $0).randomElement(using: &random) } ?? id
      model.change { $0.folds.append((id, false, true)) }
      await expansion.collapse(id, descendants: true)
      return "collapse \(id)"
    case 4:
      model.change { $0.order = ($0.order + 1) % 3 }
      try await screen.press("s")
      return "s"
    case 5:
      let filter = model.filter.isEmpty ? "abcd".randomElement(using: &random).map(String.init) ?? "" : ""
      model.change { ($0.filter, $0.foundFolds) = (filter, []) }
      try await screen.press("/", filter.first.map(Key.character) ?? .control("u"), .enter)
      return "filter \(filter)"
    default:
      let keys: [Key] = [.up, .down, .down, .right, .right, .left, .enter, "*"]
      guard let key = keys.randomElement(using: &random) else { return "" }
      var next = model
      next.press(key)
      // Nothing would tell when it is done.
      if key == "*", next.lines == model.lines { return "nothing" }
      // A row without others under it would be selected.
      if key == .enter, next.lines == model.lines { return "nothing" }
      model = next
      try await screen.press(key)
      return key.name
    }
  }
}

@testable import RowcastConsole

/// The actions of a person in an app, and concurrent events.
enum ConsoleFeature: String, DrivenFeature {
  case upsert, remove, fold, pause, time, resize, redraw
  case up, down, home, end, right, left, expandAll, enter, escape, wheel, click, doubleClick
  case sort, sortByColumn, filter, filterTakenBack, filterShown, paste, search, searchShown, nextHit, help
  case palette, question, delete, move, follow
}

/// The list of a driven app.
struct DrivenList: Sendable {
  let store = LeafStore()
  let expansion = OutlineExpansion<Int>(depth: 1)

  /// An outline in columns, whose rows can be moved, deleted and dropped after a question.
  var app: ConsoleApp<SoleSection, Leaf> {
    var app = ConsoleApp(
      store,
      columns: [
        ConsoleColumn("SIZE", width: 6, .trailing) { $0.size }, ConsoleColumn("NAME", width: 40) { $0.title },
      ])
    app.environment = [:]
    app.outline = ConsoleOutline(\.place, expansion: expansion)
    app.onDelete = { [store] id in try await store.delete(id) }
    app.onMove = { [store] id, next, _ in try await store.move(id, before: next) }
    let drop: @Sendable (Int) async -> String? = { [store] id in
      do { try await store.delete(id) } catch { return "\(error)" }
      return nil
    }
    app.keys = [KeyCommand("x", label: "drop", help: "drop a row", asking: { "drop \($0)?" }, action: drop)]
    return app
  }
}

/// An app on a screen in memory, and its model.
struct ConsoleDriver<Screen: DrivenScreen>: Sendable {
  let screen: Screen
  let store: LeafStore
  let expansion: OutlineExpansion<Int>
  var random: SeededGenerator
  var model = ConsoleModel()
  private var lines = 20
  private var log: [String] = []
  /// True if the row with the focus must be on the screen.
  private var showsFocus = false
  /// The screen at the last comparison.
  private var former: [String] = []

  /// Plays all steps. Returns the features that were used.
  static func play(
    _ fuzzCase: FuzzCase<ConsoleFeature>, on screen: Screen, _ list: DrivenList
  ) async throws -> Set<ConsoleFeature> {
    var driver = ConsoleDriver(
      screen: screen, store: list.store, expansion: list.expansion, random: SeededGenerator(seed: fuzzCase.seed))
    for id in 1...10 { try await driver.upsert(id) }
    try await driver.check()
    var used: Set<ConsoleFeature> = []
    for step in fuzzCase.steps {
      driver.random = SeededGenerator(seed: step.seed)
      driver.log.append(step.feature.rawValue)
      if try await driver.perform(step.feature) { used.insert(step.feature) }
      try await driver.check()
    }
    return used
  }

  private init(screen: Screen, store: LeafStore, expansion: OutlineExpansion<Int>, random: SeededGenerator) {
    (self.screen, self.store, self.expansion, self.random) = (screen, store, expansion, random)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func letter() -> Character { "abcd".randomElement(using: &random) ?? "a" }
  private mutating func anyID() -> Int? { model.leaves.map(\.id).randomElement(using: &random) }

  // MARK: - Edits of the list

  /// Inserts a row, or changes one: its place under another one, its title, and its size.
  private mutating func upsert(_ id: Int) async throws {
    // Not under itself, nor under a row that waits for it.
    let children = Set(model.leaves.filter { $0.place.parent == id }.map(\.id))
    let parents = model.leaves.map(\.id).filter {
      $0 != id && children.isDisjoint(with: [$0] + model.ancestors(of: $0))
    }
    let parent = number(0...3) == 0 ? nil : parents.randomElement(using: &random)
    // The number makes it the only one. Behind it is what a screen shows otherwise.
    let title = String([letter(), letter()]) + "\(id).\(Leaf.disguises[id % Leaf.disguises.count].raw)z"
    let leaf = Leaf(id, title, under: parent, size: number(0...3))
    model.change { model in
      if let index = model.leaves.firstIndex(where: { $0.id == id }) {
        model.leaves[index] = leaf
      } else {
        model.leaves.append(leaf)
      }
    }
    try await store.edit { try $0.upsert(leaf) }
  }

  private mutating func remove(_ id: Int) async throws {
    model.change { $0.leaves.removeAll { $0.id == id } }
    try await store.edit { try $0.remove(id) }
  }

  // MARK: - The screen

  private static func isHeading(_ line: String) -> Bool { line.contains("SIZE") && line.contains("NAME") }

  /// The lines of rows on a screen, each with its number, without the lines of removed rows.
  private func rows(on lines: [String]) -> [(line: Int, text: String)] {
    lines.enumerated().dropFirst().dropLast().filter { _, line in
      !line.isEmpty && !Self.isHeading(line) && !line.hasPrefix("(") && !line.dropFirst(2).hasPrefix("-")
    }
    .map { ($0.offset, $0.element) }
  }

  /// The rows on the screen.
  private var visible: [(line: Int, id: Int)] {
    get async {
      await rows(on: screen.lines).compactMap { line, text in
        model.leaves.first { text.contains($0.shownTitle) }.map { (line, $0.id) }
      }
    }
  }

  /// Compares the screen with the model. A small screen has a part of the list. Marks of changes may take lines.
  private mutating func check() async throws {
    try await screen.advance(by: .zero)
    let now = await screen.lines
    defer { (showsFocus, former) = (false, now) }
    let (shown, wanted) = (rows(on: now).map(\.text), model.lines)
    let screens = (now + ["and was"] + former).filter { !$0.isEmpty }.joined(separator: "\n")
    func isShown(_ start: Int) -> Bool {
      zip(shown, wanted[start...]).allSatisfy { shown, line in
        let sign = shown.dropFirst(2).prefix(1)
        return shown.prefix(2) == line.prefix(2)
          && (sign == line.dropFirst(2).prefix(1) || ["+", "~", ">"].contains(sign))
          && shown.dropFirst(4).hasPrefix(line.dropFirst(4))
      }
    }
    let starts = shown.count <= wanted.count && shown.isEmpty == wanted.isEmpty ? 0...wanted.count - shown.count : nil
    // A quarter of the lines may be taken by removed rows.
    // A small screen has no heading.
    let room = lines - (Self.isHeading(now[1]) ? 3 : 2)
    let isEnough = shown.count >= min(wanted.count, room - room / 4)
    try Mismatch.unless(
      isEnough && starts?.contains(where: isShown) ?? false,
      "expected\n\(wanted.joined(separator: "\n"))\nafter \(log), but the screen is\n\(screens)")
    try Mismatch.unless(
      now[1] == model.heading || !Self.isHeading(now[1]),
      "expected \(model.heading)\nafter \(log), but the screen is\n\(screens)")
    try Mismatch.unless(
      !showsFocus || model.focus == nil || shown.contains { $0.hasPrefix("▸") },
      "the focus is out of sight after \(log), on the screen\n\(screens)")
  }

  // MARK: - Steps

  /// Returns false if there was nothing to do.
  private mutating func perform(_ feature: ConsoleFeature) async throws -> Bool {
    if Self.acting.contains(feature), let id = model.focus, await !visible.contains(where: { $0.id == id }) {
      // A row out of sight is shown, and nothing else happens.
      try await screen.press(.delete)
      showsFocus = true
      try await check()
    }
    switch feature {
    case .upsert: try await upsert(number(1...14))
    case .remove:
      guard model.leaves.count > 4, let id = anyID() else { return false }
      try await remove(id)
    case .fold:
      // Rows above the focus, and others.
      guard let id = model.focus.flatMap({ model.ancestors(of: $0).randomElement(using: &random) }) ?? anyID() else {
        return false
      }
      model.change { $0.folds.append((id, false, true)) }
      await expansion.collapse(id, descendants: true)
    case .pause: try await pause()
    case .time:
      try await screen.advance(by: .seconds(1))
      model.lastClick = nil
    case .resize:
      lines = [9, 12, 20].randomElement(using: &random) ?? 20
      try await screen.resize(columns: number(56...76), lines: lines)
    case .redraw: try await screen.press(.control("l"))
    case .up, .down, .home, .end, .right, .left, .enter, .expandAll:
      if let key = Self.keys[feature] { try await press(key) }
    case .escape:
      if model.searched == nil { model.focus = nil } else { model.searched = nil }
      try await screen.press(.escape)
    case .wheel: try await screen.turnWheel(number(-2...2))
    case .click, .doubleClick:
      if feature == .doubleClick {
        // With a click just before, the first one is a second already, and rows that it shows may be under the other.
        try await screen.advance(by: .milliseconds(400))
        model.lastClick = nil
      }
      guard let row = await visible.randomElement(using: &random) else { return false }
      for _ in 0..<(feature == .click ? 1 : 2) { model.click(row.id) }
      // Once on the first column, where there is no mark; the second click finds the row in its place.
      try await screen.click(line: row.line, column: 6, times: feature == .click ? 1 : 2)
    case .sort:
      model.sort(by: (model.order + 1) % 3)
      try await screen.press("s")
    case .sortByColumn:
      guard await Self.isHeading(screen.lines[1]) else { return false }
      let column = number(1...2)
      model.sort(by: column, reversing: true)
      try await screen.click(line: 1, column: column == 1 ? 6 : 13, times: 1)
    case .filter, .filterTakenBack, .paste: try await filter(feature)
    case .filterShown:
      let text = shownText()
      try await screen.press("/", .control("u"))
      model.filter(by: "")
      for end in text.indices {
        try await check()
        model.filter(by: String(text[...end]))
        try await screen.press(.character(text[end]))
      }
      try await screen.press(.enter)
    case .search: return try await search(for: String(letter()))
    case .searchShown: return try await search(for: shownText())
    case .nextHit:
      if model.searched == nil, try await !search(for: String(letter())) { return false }
      guard model.focus != nil else { return false }
      let step = [1, -1].randomElement(using: &random) ?? 1
      model.goOn(step)
      try await screen.press(step > 0 ? "n" : "N")
      showsFocus = true
    case .help:
      try await screen.press("?")
      try Mismatch.unless(await screen.lines.joined().contains("Keys"), "no help")
      try await screen.press(.escape)
    case .palette:
      model.sort(by: (model.order + 1) % 3)
      try await screen.press(":")
      try await screen.type("sort")
      try await screen.press(.enter)
    case .question:
      guard model.leaves.count > 4, let id = model.focus else { return false }
      let isMeant = number(0...1) == 0
      if isMeant { model.change { $0.leaves.removeAll { $0.id == id } } }
      try await screen.press("x", isMeant ? "y" : "n")
    case .delete:
      guard model.leaves.count > 4, let id = model.focus else { return false }
      model.change { $0.leaves.removeAll { $0.id == id } }
      try await screen.press(.delete)
    case .move:
      let step = [1, -1].randomElement(using: &random) ?? 1
      let isMoved = model.move(by: step)
      try await screen.press(step > 0 ? .shiftDown : .shiftUp)
      // However many rows it passes.
      showsFocus = true
      return isMoved
    case .follow: try await screen.press("f")
    }
    return true
  }

  private static var keys: [ConsoleFeature: Key] {
    [
      .up: .up, .down: .down, .home: .home, .end: .end, .right: .right, .left: .left, .enter: .enter, .expandAll: "*",
    ]
  }

  /// What a person does to the focused row.
  private static var acting: Set<ConsoleFeature> { [.right, .left, .expandAll, .enter, .question, .delete, .move] }

  private mutating func press(_ key: Key) async throws {
    model.press(key, first: model.focus == nil ? await visible.first?.id : nil)
    try await screen.press(key)
    showsFocus = key != .enter && key != "*"
  }

  /// A part of what a row shows.
  private mutating func shownText() -> String {
    let title = Array(model.leaves.randomElement(using: &random)?.shownTitle ?? "a")
    let (first, last) = (number(0...title.count - 1), number(0...title.count - 1))
    return String(title[min(first, last)...max(first, last)])
  }

  private mutating func search(for text: String) async throws -> Bool {
    guard model.focus != nil else { return false }
    model.searched = text
    model.goOn(1)
    try await screen.press(.control("f"))
    try await screen.type(text)
    try await screen.press(.enter)
    showsFocus = true
    return true
  }

  /// Rows change while the list is paused, and the focus moves.
  private mutating func pause() async throws {
    try await screen.press("p")
    var later = self
    for _ in 0..<number(1...3) {
      later.random = SeededGenerator(seed: random.next())
      let id = number(1...14)
      try await number(0...2) > 0 || model.leaves.count < 6 || !later.model.leaves.contains { $0.id == id }
        ? later.upsert(id) : later.remove(id)
    }
    try await check()
    if number(0...1) == 0 {
      try await press([.up, .down].randomElement(using: &random) ?? .up)
      // Before the list continues: a list that follows its end may take the focus out of sight.
      try await check()
    }
    model.change { $0.leaves = later.model.leaves }
    try await screen.press("p")
  }

  private mutating func filter(_ feature: ConsoleFeature) async throws {
    let (former, letter) = (model.filter, letter())
    try await screen.press("/")
    if feature == .filterTakenBack {
      model.filter(by: former + [letter])
      model.filter(by: former)
      return try await screen.press(.character(letter), .escape)
    }
    if !former.isEmpty { try await screen.press(.control("u")) }
    model.filter(by: "")
    if former.isEmpty {
      model.filter(by: String(letter))
      // Line ends after a text are not part of it.
      if feature == .paste {
        try await screen.paste("\(letter)\n\n")
      } else {
        try await screen.press(.character(letter))
      }
    }
    try await screen.press(.enter)
  }
}

extension LeafStore {
  func delete(_ id: Int) async throws { try await edit { try $0.remove(id) } }
}

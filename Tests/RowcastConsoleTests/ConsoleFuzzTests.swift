import Foundation
import RowcastDiff
import Testing

@testable import RowcastConsole

/// All that a person can do to an app while its list changes, beside a model over arrays.
@Suite(.watched) struct ConsoleFuzzTests {
  /// Cases that failed before.
  static let found = [
    // The first click moved the lines under the second one.
    "853640: pause 102967, right 417629, paste 178553, remove 504307, search 309639, palette 168830, resize 768931, doubleClick 738985",
    "271875: resize 356068, palette 957423, follow 794902, doubleClick 350083, search 237630, delete 353838, pause 992650",
    "397432: resize 494055, sort 836443, pause 599167, left 309491, sort 746389, left 926076",
    // A deleted row had taken the line of the table's first one.
    "488110: filter 338429, follow 595691, paste 47855, resize 9494, remove 991009, up 591327",
    "264312: filter 995601, doubleClick 122383, resize 27304, delete 112966, escape 645560, left 426452",
    "207002: filter 312786, up 67757, left 92620, click 546669, delete 373131, pause 768148, doubleClick 734247",
  ]

  @Test func `any list is shown, and keeps its focus and its selection, whatever a person and its source do`()
    async throws
  {
    try await FeaturePairs<ConsoleFeature>.drive("console", runs: 2, long: 4_000, steps: 40, found: Self.found) {
      run in
      let list = DrivenList()
      let screen = try await StepScreen(list.app, columns: 70, lines: 20)
      for feature in try await ConsoleDriver.play(run.fuzzCase, on: screen, list) { run.note(feature) }
      try await screen.checkQuiet()
    }
  }

  @Test func `an app with its loop and its tasks shows the same`() async throws {
    var random = Self.random("console app")
    var cases = Self.found.compactMap { FuzzCase<ConsoleFeature>($0) }
    for _ in 0..<SeededGenerator.rounds(1, long: 1_000) {
      var next = FuzzCase<ConsoleFeature>(seed: random.next())
      next.steps = (0..<40).map { _ in (ConsoleFeature.allCases.randomElement(using: &random) ?? .up, random.next()) }
      cases.append(next)
    }
    for fuzzCase in cases {
      let list = DrivenList()
      try await ConsoleScreen.show(list.app, columns: 70, lines: 20) { screen in
        _ = try await ConsoleDriver.play(fuzzCase, on: screen, list)
      }
    }
  }

  /// The same cases in each usual run, like a driver's: others with `ROWCAST_LONG` or `ROWCAST_SEED`.
  private static func random(_ name: String) -> SeededGenerator {
    let environment = ProcessInfo.processInfo.environment
    let isRepeated = environment["ROWCAST_LONG"] != "1" && SplitMix64.seed(from: environment["ROWCAST_SEED"]) == nil
    return isRepeated ? SeededGenerator(seed: 1) : .forFuzzing(name)
  }

  /// Keys of all kinds, and input that no driver with a model can follow.
  private static func anyInput(_ random: inout SeededGenerator) -> TerminalInput {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let named: [Key] = [
      .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .shiftUp, .shiftDown, .enter, .backspace, .delete,
      .escape, .control("f"), .control("p"), .control("u"), .control("z"), .control("r"), .alt("d"), .pasted("\n"),
      .pasted("a"),
    ]
    switch number(0...19) {
    case 0: return .resized(TerminalSize(columns: number(1...130), lines: number(1...30)))
    case 1: return .time(.milliseconds([0, 50, 400, 2_000].randomElement(using: &random) ?? 0))
    case 2...4: return .press(line: number(0...30), column: number(0...130))
    case 5: return .wheel(number(-1...1))
    case 6...12: return .key(named.randomElement(using: &random) ?? .up)
    default: return .key(.character("adx?:/spfnNgGjky*uuy ".randomElement(using: &random) ?? "a"))
    }
  }

  @Test func `each key moves a row by one, and deletes one, however late answers and updates are, paused or not`()
    async throws
  {
    var random = Self.random("console edits")
    for round in 0..<SeededGenerator.rounds(20, long: 20_000) {
      let store = LeafStore()
      try await store.edit { list in for id in 1...9 { try list.append(Leaf(id, "row \(id)")) } }
      let (deletions, ask) = AsyncStream.makeStream(of: Int.self)
      var app = ConsoleApp(store, columns: [ConsoleColumn("NAME", width: 40) { $0.title }])
      app.environment = [:]
      app.onMove = { id, next, _ in try await store.move(id, before: next) }
      app.onDelete = { id in
        ask.yield(id)
        try await store.delete(id)
      }
      // On some screens the row moves out of sight, and back.
      let screen = try await StepScreen(app, columns: 70, lines: Int.random(in: 4...14, using: &random))
      try await screen.press("j")
      var (ids, place) = (Array(1...9), 0)
      var keys = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        [Key.shiftDown, .shiftDown, .shiftUp].randomElement(using: &random) ?? .shiftDown
      }
      if Bool.random(using: &random) { keys += [.delete, .delete] }
      let pauses = Bool.random(using: &random)
      while true {
        switch Int.random(in: 0...(pauses ? 4 : 3), using: &random) {
        case 0: if await !screen.works.isEmpty { try await screen.run(0) }
        case 1: if await !screen.answers.isEmpty { try await screen.answer(0) }
        case 2: _ = try await screen.update()
        case 3 where !keys.isEmpty:
          let key = keys.removeFirst()
          // While the list is paused, the person is told that the row has already moved.
          let isRefused = await screen.hidesEdit
          try await screen.take(.key(key))
          #expect(await screen.lines.joined().contains("is paused and does not show the last edit: p") == isRefused)
          if isRefused || key == .delete { continue }
          let next = min(max(place + (key == .shiftDown ? 1 : -1), 0), 8)
          ids.swapAt(place, next)
          place = next
        case 4: try await screen.take(.key("p"))
        default: break
        }
        if keys.isEmpty, Int.random(in: 0...9, using: &random) == 0 { break }
      }
      if await screen.isPaused {
        try await screen.settle()
        try await screen.take(.key("p"))
      }
      try await screen.settle()
      try await screen.checkQuiet()
      ask.finish()
      let deleted = await deletions.reduce(into: []) { $0.append($1) }
      // The second one is of the next row if the person has seen that focused.
      #expect(Set(deleted).count == deleted.count, "round \(round)")
      #expect(await store.snapshot.allRows.map(\.id) == ids.filter { !deleted.contains($0) }, "round \(round)")
      #expect(await screen.lines.contains { $0.hasPrefix("▸") }, "round \(round)")
    }
  }

  @Test func `in whatever order keys, work and updates come, all is answered, and three keys end the app`() async throws
  {
    var random = Self.random("console steps")
    for _ in 0..<SeededGenerator.rounds(5, long: 20_000) {
      let list = DrivenList()
      var app = list.app
      app.panels = Bool.random(using: &random) ? Set(ScreenPanel.allCases) : []
      app.followsTail = Bool.random(using: &random)
      // Some edits are refused.
      app.onDelete = { [store = list.store] id in
        if id % 3 == 0 { throw Mismatch("refused") }
        try await store.delete(id)
      }
      if Bool.random(using: &random) { app.outline = nil }
      app.onUndo = { [store = list.store] in
        try? await store.edit { if let row = $0.snapshot.allRows.first { try $0.remove(row.id) } }
        return "undone"
      }
      app.onRedo = { nil }
      let screen = try await StepScreen(app, columns: 70, lines: 20)
      var log: [String] = []
      // A run has some kinds of input often, and few frames or many.
      let inputs = (0..<6).map { _ in Self.anyInput(&random) }
      let frames = Int.random(in: 0...4, using: &random)
      do {
        for number in 0..<200 {
          let draws = Int.random(in: 0...4, using: &random) < frames
          switch Int.random(in: 0...9, using: &random) {
          case 0:
            let leaf = Leaf(Int.random(in: 1...9, using: &random), "ab\(number)", size: number % 3)
            log.append("upsert \(leaf.id)")
            try await list.store.edit { try $0.upsert(leaf) }
          case 1:
            log.append("remove")
            try await list.store.edit { if let row = $0.snapshot.rows(inSection: 0).first { try $0.remove(row.id) } }
          case 2:
            log.append("update")
            _ = try await screen.update(draws: draws)
          case 3:
            guard let index = await screen.works.indices.randomElement(using: &random) else { continue }
            log.append("run \(index)")
            try await screen.run(index)
          case 4:
            guard let index = await screen.answers.indices.randomElement(using: &random) else { continue }
            log.append("answer \(index)")
            try await screen.answer(index, draws: draws)
          default:
            let input =
              Bool.random(using: &random) ? Self.anyInput(&random) : inputs.randomElement(using: &random) ?? .ended
            log.append("\(input)")
            try await screen.take(input, draws: draws)
          }
        }
        try await screen.settle()
        try await screen.checkQuiet()
      } catch {
        throw Mismatch("\(error)\nafter \(log.joined(separator: ", "))")
      }
    }
  }
}

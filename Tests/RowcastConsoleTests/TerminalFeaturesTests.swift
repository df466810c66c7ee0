import RowcastModel
import RowcastPlatform
import RowcastTerminal
import RowcastSources
import RowcastStore
import RowcastTestSupport
import RowcastTesting
import Testing

@testable import RowcastConsole

/// What a terminal answers when it is asked for its features.
struct RecordedTerminal: CustomTestStringConvertible, Sendable {
  let name: String
  /// The answers, one after the other, in the order of the questions. The last one is that to DA1, where there is any.
  let answers: [String]
  let features: TerminalFeatures
  let switchable: TerminalFeatures
  let isLight: Bool?
  var testDescription: String { name }

  /// A terminal that says in which state its modes 2026, 2027, 2031 and 2048 are, that it has kitty's keyboard, its ground, and what it is.
  private init(
    _ name: String, modes: [Int] = [], hasKeyboard: Bool = false, ground: String? = nil, identity: String? = nil,
    features: TerminalFeatures, switchable: TerminalFeatures? = nil, isLight: Bool? = nil
  ) {
    let states = zip([2026, 2027, 2031, 2048], modes).map { "\u{1B}[?\($0);\($1)$y" }
    let others = [ground.map { "\u{1B}]11;rgb:\($0)" }, identity.map { "\u{1B}[?\($0)c" }].compactMap(\.self)
    (self.name, answers) = (name, states + (hasKeyboard ? ["\u{1B}[?0u"] : []) + others)
    (self.features, self.switchable, self.isLight) = (features, switchable ?? features, isLight)
  }

  /// The answers of terminals: those with a version of Debian 12 were recorded by `Tests/Terminal/answer_probe.py`, the others are read
  /// from the source at the revision named.
  static let all = [
    // Recorded under Xvfb.
    RecordedTerminal(
      "xterm 379", modes: [0, 0, 0, 0], ground: "ffff/ffff/ffff\u{7}", identity: "64;1;2;6;9;15;16;17;18;21;22;28",
      features: [], isLight: true),
    // Recorded under Xvfb.
    RecordedTerminal(
      "kitty 0.26.5", modes: [2, 0, 0, 0], hasKeyboard: true, ground: "0000/0000/0000\u{1B}\\", identity: "62;",
      features: [.synchronizedOutput, .keyboard], isLight: false),
    // Source at 9475a58 of 2026: `report_mode_status`, `screen_report_key_encoding_flags`, `report_color`.
    RecordedTerminal(
      "kitty of 2026", modes: [2, 0, 2, 2], hasKeyboard: true, ground: "0000/0000/0000\u{1B}\\", identity: "62;52;",
      features: [.synchronizedOutput, .colorReports, .sizeReports, .keyboard], isLight: false),
    // Source at 4ff581a of 2025, with the keyboard as it is by default, which is silent.
    RecordedTerminal(
      "wezterm of 2025", modes: [2, 3, 0, 0], ground: "0000/0000/0000\u{1B}\\", identity: "65;4;6;18;22",
      features: [.synchronizedOutput, .graphemeWidths], switchable: .synchronizedOutput, isLight: false),
    // The same with `enable_kitty_keyboard`.
    RecordedTerminal(
      "wezterm with kitty's keyboard", modes: [2, 3, 0, 0], hasKeyboard: true, ground: "0000/0000/0000\u{1B}\\",
      identity: "65;4;6;18;22",
      features: [.synchronizedOutput, .graphemeWidths, .keyboard], switchable: [.synchronizedOutput, .keyboard],
      isLight: false),
    // Recorded in weston under Xvfb.
    RecordedTerminal(
      "foot 1.13.1", modes: [2, 0, 0, 0], hasKeyboard: true, ground: "1111/1111/1111\u{7}", identity: "62;4;22",
      features: [.synchronizedOutput, .keyboard], isLight: false),
    // Source at 3c5b584 of 2026, whose widths are those of `wcswidth` by default.
    RecordedTerminal(
      "foot of 2026", modes: [2, 4, 2, 2], hasKeyboard: true, ground: "2424/2424/2424\u{7}",
      identity: "62;4;22;28;29;52",
      features: [.synchronizedOutput, .colorReports, .sizeReports, .keyboard], isLight: false),
    // The same with `grapheme-width-method=double-width`, where the mode is on from the beginning.
    RecordedTerminal(
      "foot with widths of clusters", modes: [2, 1, 2, 2], hasKeyboard: true, ground: "ffff/ffff/ffff\u{7}",
      identity: "62;4;22;28;29;52",
      features: [.synchronizedOutput, .graphemeWidths, .colorReports, .sizeReports, .keyboard],
      switchable: [.synchronizedOutput, .colorReports, .sizeReports, .keyboard], isLight: true),
    // Recorded under Xvfb.
    RecordedTerminal("alacritty 0.11", ground: "1d1d/1f1f/2121\u{7}", identity: "6", features: [], isLight: false),
    // Source at bdb72b3 of 2026.
    RecordedTerminal(
      "alacritty of 2026", modes: [2, 0, 0, 0], hasKeyboard: true, ground: "1818/1818/1818\u{7}", identity: "6",
      features: [.synchronizedOutput, .keyboard], isLight: false),
    // Recorded, detached and in a terminal that answers.
    RecordedTerminal("tmux 3.3a", identity: "1;2", features: []),
    // Source at c1f947a of 2026.
    RecordedTerminal(
      "tmux 3.8", modes: [2, 0, 2, 0], ground: "0000/0000/0000\u{7}", identity: "1;2;4",
      features: [.synchronizedOutput, .colorReports], isLight: false),
    // Recorded.
    RecordedTerminal("screen 4.09", identity: "1;2", features: []),
    // The kernel's `vt.c` ignores what it does not know, and answers as a VT102.
    RecordedTerminal("the Linux console", identity: "6", features: []),
    RecordedTerminal("a terminal that says nothing", features: []),
  ]
}

@Suite(.watched) struct TerminalFeaturesTests {
  @Test(arguments: RecordedTerminal.all)
  func `what a terminal has said that it has is used, and nothing else`(terminal: RecordedTerminal) {
    var parser = KeyParser()
    let input = parser.take(terminal.answers.joined().utf8)
    let offer = TerminalOffer(input)
    #expect(offer.features == terminal.features)
    #expect(offer.switchable == terminal.switchable)
    #expect(offer.isComplete == !terminal.answers.isEmpty)
    #expect(input.filter { $0.key != nil }.isEmpty && parser.pause().isEmpty)
    let grounds = input.compactMap { if case .background(let isLight) = $0 { isLight } else { nil } }
    #expect(grounds == [terminal.isLight].compactMap(\.self))
  }

  @Test func `a mode is used in three of its five states, and switched if it is off in one of them`() {
    let modes: [(Int, TerminalFeatures)] = [(2027, .graphemeWidths), (2031, .colorReports), (2048, .sizeReports)]
    for (number, feature) in modes {
      for (state, isUsed, isSwitched) in [
        (0, false, false), (1, true, false), (2, true, true), (3, true, false), (4, false, false), (5, false, false),
      ] {
        var parser = KeyParser()
        let offer = TerminalOffer(parser.take("\u{1B}[?\(number);\(state)$y\u{1B}[?62c".utf8))
        #expect(offer.features == (isUsed ? feature : []) && offer.switchable == (isSwitched ? feature : []))
      }
    }
    // A frame ends its output, so that this is to be ended in a crash, however it was before.
    for state in 1...3 {
      var parser = KeyParser()
      #expect(TerminalOffer(parser.take("\u{1B}[?2026;\(state)$y".utf8)).switchable == .synchronizedOutput)
    }
    var parser = KeyParser()
    #expect(
      TerminalOffer(parser.take("\u{1B}[?1049;1$y\u{1B}[?2026;1y\u{1B}[2026;1$y\u{1B}[?2026$y".utf8)).features == [])
  }

  @Test func `answers after the last one change nothing`() {
    var parser = KeyParser()
    var offer = TerminalOffer()
    for (text, isLast) in [
      ("\u{1B}[?2026;2$y", false), ("\u{1B}[?62c", true), ("\u{1B}[?62c", false), ("\u{1B}[?2048;2$y", false),
    ] {
      let answers = parser.take(text.utf8).map { offer.take($0) }
      #expect(answers == [isLast])
    }
    #expect(offer.features == .synchronizedOutput)
  }

  @Test func `each question is asked once, that which every terminal answers is the last, and none is asked alone`() {
    #expect(
      TerminalQuestions([.features, .ground]).text
        == "\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?2031$p\u{1B}[?2048$p\u{1B}[?u\u{1B}]11;?\u{7}\u{1B}[c")
    #expect(TerminalQuestions.ground.text == "\u{1B}]11;?\u{7}\u{1B}[c")
    #expect(TerminalQuestions.features.text.hasSuffix("\u{1B}[?u\u{1B}[c") && TerminalQuestions().text.isEmpty)
  }

  @Test func `each feature that is switched on has its end, and the keyboard is pushed once`() {
    let all: TerminalFeatures = [.synchronizedOutput, .graphemeWidths, .colorReports, .sizeReports, .keyboard]
    #expect(all.sequences(isRepeated: false) == "\u{1B}[?2027h\u{1B}[?2031h\u{1B}[?2048h\u{1B}[>5u")
    #expect(all.sequences(isRepeated: true) == "\u{1B}[?2027h\u{1B}[?2031h\u{1B}[?2048h\u{1B}[=5;1u")
    let ends: [(TerminalFeatures, String)] = [
      (.synchronizedOutput, "\u{1B}[?2026l"), (.graphemeWidths, "\u{1B}[?2027l"), (.colorReports, "\u{1B}[?2031l"),
      (.sizeReports, "\u{1B}[?2048l"), (.keyboard, "\u{1B}[<u"),
    ]
    for (feature, end) in ends {
      #expect(Platform.ScreenModes(rawValue: feature.rawValue).ends.map(\.description) == [end])
    }
    #expect(Platform.ScreenModes(rawValue: all.rawValue).ends.map(\.description) == ends.map(\.1))
  }

  @Test(arguments: [
    ("\u{1B}[48;24;80;480;800t", TerminalSize(columns: 80, lines: 24)),
    ("\u{1B}[48;24;80t", TerminalSize(columns: 80, lines: 24)),
    ("\u{1B}[48;24:1;80:2;480:3;800t", TerminalSize(columns: 80, lines: 24)),
    ("\u{1B}[48;99999;99999;0;0t", TerminalSize(columns: 1_000, lines: 500)),
    ("\u{1B}[48;0;80;0;800t", nil), ("\u{1B}[48;24t", nil), ("\u{1B}[8;24;80t", nil), ("\u{1B}[?48;24;80t", nil),
  ])
  func `a report of the size is one of at least a line and a column`(report: String, size: TerminalSize?) {
    var parser = KeyParser()
    #expect(parser.take(report.utf8) == [size.map { .resized($0) }].compactMap(\.self))
  }

  @Test func `answers that are cut anywhere, between keys, give the same features, and no key that nobody pressed`() {
    var random = SeededGenerator.forFuzzing("answers of terminals")
    let reports = ["\u{1B}[48;24;80;480;800t", "\u{1B}[?997;2n", "\u{1B}[I", "\u{1B}[<0;3;4m", "\u{1B}P>|x(q)\u{1B}\\"]
    let typed: [(String, Key)] = [
      ("q", "q"), ("\u{1B}[A", .up), ("\u{1B}[99;5u", .control("c")), ("\u{1B}[27u", .escape), ("\r", .enter),
      ("é", "é"), ("\u{1B}x", .alt("x")), ("\u{1B}[1089::99;5u", .control("c")), ("\u{7F}", .backspace),
    ]
    for _ in 0..<SeededGenerator.rounds(5_000, long: 500_000) {
      guard let terminal = RecordedTerminal.all.randomElement(using: &random) else { return }
      var (bytes, pressed): ([UInt8], [Key]) = ([], [])
      for answer in terminal.answers {
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          guard let (text, key) = typed.randomElement(using: &random) else { return }
          bytes += Array(text.utf8)
          pressed.append(key)
        }
        if Bool.random(using: &random) { bytes += Array((reports.randomElement(using: &random) ?? "").utf8) }
        bytes += Array(answer.utf8)
      }
      var (parser, input, rest) = (KeyParser(), [TerminalInput](), bytes[...])
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(9, rest.count), using: &random)
        input += parser.take(rest.prefix(count))
        rest = rest.dropFirst(count)
        // Between keys and answers nothing is pending, for however long.
        if parser.wait == nil { input += parser.pause() }
      }
      let keys = input.compactMap(\.key)
      guard keys == pressed, TerminalOffer(input).features == terminal.features else {
        Issue.record("\(terminal.name): \(String(decoding: bytes, as: UTF8.self).debugDescription) is \(input)")
        return
      }
    }
  }

  @Test func `an ESC is the beginning of an answer while one is awaited, and a key afterwards`() async throws {
    let ends = try Platform.makePipe()
    let file = OpenFile(descriptor: ends.reading)
    var keys = TerminalKeys(input: file, patience: (0, .max), awaitsAnswer: true)
    try Platform.write([0x1B], to: ends.writing)
    let read = Task {
      var input: [TerminalInput] = []
      while let next = try await keys.nextInput() { input.append(next) }
      return input
    }
    // It does not take long for the reader to see that nothing follows.
    for _ in 0..<5_000 { await Task.yield() }
    try Platform.write(Array("[?2026;2$y\u{1B}[?6".utf8), to: ends.writing)
    try Platform.write(Array("2c\u{1B}".utf8), to: ends.writing)
    Platform.close(ends.writing)
    #expect(try await read.value == [.offers(.synchronizedOutput, isOn: false), .identified, .key(.escape)])
  }

  // MARK: - Apps

  private let yes = "\u{1B}[?2026;2$y\u{1B}[?2027;2$y\u{1B}[?2031;2$y\u{1B}[?2048;2$y\u{1B}[?0u\u{1B}[?62;c"

  @Test func `frames are synchronized outputs once the terminal has said that it knows these`() async throws {
    try await onScreen(.rows(5)) { screen in
      try await screen.press("j")
      #expect(await screen.frames.allSatisfy { !$0.contains("?2026") })
      try await screen.send("\u{1B}[?2026;2$y")
      try await screen.press("j")
      // There may be more answers.
      #expect(await screen.frames.allSatisfy { !$0.contains("?2026") })
      try await screen.send("\u{1B}[?62;c")
      let count = await screen.frames.count
      try await screen.press("j")
      let frames = await screen.frames[count...]
      #expect(frames.count == 1 && frames.allSatisfy { $0.hasPrefix("\u{1B}[?2026h") && $0.hasSuffix("\u{1B}[?2026l") })
    }
  }

  @Test func `what the terminal offers is switched on with the next frame, and once`() async throws {
    try await onScreen(.rows(5)) { screen in
      let count = await screen.frames.count
      try await screen.send(yes)
      try await screen.press("j")
      try await screen.send(yes)
      try await screen.press("j")
      let frames = await screen.frames[count...].joined()
      #expect(frames.hasPrefix("\u{1B}[?2027h\u{1B}[?2031h\u{1B}[?2048h\u{1B}[>5u"))
      #expect(frames.components(of: "\u{1B}[?2027h") == 1 && frames.components(of: "\u{1B}[>5u") == 1)
    }
  }

  @Test func `a terminal that was not asked, or knows nothing, gets nothing`() async throws {
    let no = "\u{1B}[?2026;0$y\u{1B}[?2027;4$y\u{1B}[?62;c"
    for (limit, answer) in [(Int?.some(9), yes), (nil, "\u{1B}[?62;c"), (nil, no)] {
      try await onScreen(.rows(5), { $0.updateLimit = limit }) { screen in
        try await screen.send(answer)
        try await screen.press("j", "k", "?", "?")
        let written = await screen.frames.joined()
        #expect(!written.contains("\u{1B}[?20") && !written.contains("\u{1B}[>"))
      }
    }
  }

  @Test func `a reported size is that of the screen, and one that is no news draws nothing`() async throws {
    try await onScreen(.rows(30)) { screen in
      try await screen.send(yes)
      let count = await screen.frames.count
      try await screen.send("\u{1B}[48;8;50;160;500t")
      #expect(await screen.frames.count == count)
      try await screen.send("\u{1B}[48;5;20;100;200t")
      let frame = try #require(await screen.frames.last)
      #expect(frame.contains("\u{1B}[2J") && frame.contains("\u{1B}[5;1H") && !frame.contains("\u{1B}[6;1H"))
    }
  }

  @Test func `the theme follows the colours of the terminal`() async throws {
    let store = try TestStore.rows(2)
    try await onScreen(store) { screen in
      try await screen.send(yes)
      try await screen.advance(by: .seconds(60))
      try await store.edit { try $0.update(1) { $0.text = "new" } }
      try await screen.expect("a mark") { $0[2].hasPrefix("  ~") }
      func look() async -> String? { await screen.emphasised(line: 2).first?.parameters }
      #expect(await look() == Theme.dark.parameters(of: .updated))
      try await screen.send("\u{1B}[?997;2n")
      // What the person prefers may not be what this terminal shows.
      #expect(await look() == Theme.dark.parameters(of: .updated))
      #expect(await screen.frames.last?.hasPrefix("\u{1B}]11;?\u{7}\u{1B}[c") == true)
      try await screen.send("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}\u{1B}[?62;c")
      #expect(await look() == Theme.light.parameters(of: .updated))
    }
  }

  @Test func `a theme of the app stays, and a report that nobody wanted asks nothing`() async throws {
    for (theme, answer) in [(Theme?.some(.dark), yes), (nil, "\u{1B}[?2031;0$y\u{1B}[?62;c")] {
      try await onScreen(.rows(2), { $0.theme = theme }) { screen in
        try await screen.send(answer)
        try await screen.press("j")
        let count = await screen.frames.count
        try await screen.send("\u{1B}[?997;2n")
        try await screen.press("k")
        #expect(await screen.frames[count...].allSatisfy { !$0.contains("\u{1B}]11") })
      }
    }
  }
}

extension String {
  /// The number of times that a text is in this one.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}

import RowcastPlatform
import RowcastTerminal
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

  /// A terminal that reports the states of its modes 2026, 2027, 2031 and 2048, kitty's keyboard, its background, and its name.
  private init(
    _ name: String, modes: [Int] = [], hasKeyboard: Bool = false, background: String? = nil, _ identity: String? = nil,
    _ features: TerminalFeatures = [], switchable: TerminalFeatures? = nil
  ) {
    let states = zip([2026, 2027, 2031, 2048], modes).map { "\u{1B}[?\($0);\($1)$y" }
    let others = [background.map { "\u{1B}]11;rgb:\($0)" }, identity.map { "\u{1B}[?\($0)c" }].compactMap(\.self)
    (self.name, answers) = (name, states + (hasKeyboard ? ["\u{1B}[?0u"] : []) + others)
    (self.features, self.switchable, isLight) = (features, switchable ?? features, background?.hasPrefix("ffff/"))
  }

  /// The answers of terminals: those with a version of Debian 12 were recorded by `Tests/Terminal/answer_probe.py`, the others are read
  /// from the source: kitty at 9475a58 (`report_mode_status`, `screen_report_key_encoding_flags`, `report_color`), foot at 3c5b584,
  /// alacritty at bdb72b3 and tmux at c1f947a, all of 2026, wezterm at 4ff581a of 2025.
  static let all = [
    RecordedTerminal(
      "xterm 379", modes: [0, 0, 0, 0], background: "ffff/ffff/ffff\u{7}", "64;1;2;6;9;15;16;17;18;21;22;28"),
    RecordedTerminal(
      "kitty 0.26.5", modes: [2, 0, 0, 0], hasKeyboard: true, background: "0000/0000/0000\u{1B}\\", "62;",
      [.synchronizedOutput, .keyboard]),
    RecordedTerminal(
      "kitty of 2026", modes: [2, 0, 2, 2], hasKeyboard: true, background: "0000/0000/0000\u{1B}\\", "62;52;",
      [.synchronizedOutput, .colorReports, .sizeReports, .keyboard]),
    // With the keyboard as it is by default, which is silent.
    RecordedTerminal(
      "wezterm of 2025", modes: [2, 3, 0, 0], background: "0000/0000/0000\u{1B}\\", "65;4;6;18;22",
      [.synchronizedOutput, .graphemeWidths], switchable: .synchronizedOutput),
    RecordedTerminal(
      "wezterm with `enable_kitty_keyboard`", modes: [2, 3, 0, 0], hasKeyboard: true,
      background: "0000/0000/0000\u{1B}\\", "65;4;6;18;22", [.synchronizedOutput, .graphemeWidths, .keyboard],
      switchable: [.synchronizedOutput, .keyboard]),
    // Its widths are `wcswidth`'s by default.
    RecordedTerminal(
      "foot of 2026", modes: [2, 4, 2, 2], hasKeyboard: true, background: "2424/2424/2424\u{7}", "62;4;22;28;29;52",
      [.synchronizedOutput, .colorReports, .sizeReports, .keyboard]),
    // The mode is on from the beginning.
    RecordedTerminal(
      "foot with `grapheme-width-method=double-width`", modes: [2, 1, 2, 2], hasKeyboard: true,
      background: "ffff/ffff/ffff\u{7}", "62;4;22;28;29;52",
      [.synchronizedOutput, .graphemeWidths, .colorReports, .sizeReports, .keyboard],
      switchable: [.synchronizedOutput, .colorReports, .sizeReports, .keyboard]),
    RecordedTerminal("alacritty 0.11", background: "1d1d/1f1f/2121\u{7}", "6"),
    RecordedTerminal("tmux 3.3a and screen 4.09", "1;2"),
    RecordedTerminal(
      "tmux 3.8", modes: [2, 0, 2, 0], background: "0000/0000/0000\u{7}", "1;2;4", [.synchronizedOutput, .colorReports]),
    // The kernel's `vt.c` ignores what it does not know, and answers as a VT102.
    RecordedTerminal("the Linux console", "6"),
    RecordedTerminal("a terminal that says nothing"),
  ]
}

extension TerminalOffer {
  /// The offer in answers, in their order of arrival.
  fileprivate init(_ answers: [TerminalInput]) {
    self.init()
    for answer in answers { _ = take(answer) }
  }
}

@Suite(.watched) struct TerminalFeaturesTests {
  private func input(_ text: String) -> [TerminalInput] {
    var parser = KeyParser()
    return parser.take(text.utf8)
  }

  @Test(arguments: RecordedTerminal.all)
  func `what a terminal has said that it has is used, and nothing else`(terminal: RecordedTerminal) {
    let input = input(terminal.answers.joined())
    let offer = TerminalOffer(input)
    #expect(offer.features == terminal.features && offer.switchable == terminal.switchable)
    #expect(offer.isComplete == !terminal.answers.isEmpty)
    let backgrounds = input.compactMap { if case .background(let isLight) = $0 { isLight } else { nil } }
    #expect(backgrounds == [terminal.isLight].compactMap(\.self))
  }

  @Test func `a mode is used in three of its five states, and switched if it is off in one of them`() {
    let modes: [(Int, TerminalFeatures)] = [(2027, .graphemeWidths), (2031, .colorReports), (2048, .sizeReports)]
    for (number, feature) in modes {
      for state in 0...5 {
        let offer = TerminalOffer(input("\u{1B}[?\(number);\(state)$y\u{1B}[?62c"))
        #expect(offer.features == ((1...3).contains(state) ? feature : []), "\(number) in \(state)")
        #expect(offer.switchable == (state == 2 ? feature : []), "\(number) in \(state)")
      }
    }
    // A frame ends its output, so that this is to be ended in a crash, however it was before.
    for state in 1...3 {
      #expect(TerminalOffer(input("\u{1B}[?2026;\(state)$y")).switchable == .synchronizedOutput)
    }
    // Other answers, none of which is the last one.
    let other = TerminalOffer(input("\u{1B}[?1049;1$y\u{1B}[?2026;1y\u{1B}[2026;1$y\u{1B}[?2026$y\u{1B}[>1;10;0c"))
    #expect(other.features == [] && !other.isComplete)
  }

  @Test func `answers after the last one change nothing`() {
    var offer = TerminalOffer()
    for (text, isLast) in [
      ("\u{1B}[?2026;2$y", false), ("\u{1B}[?62c", true), ("\u{1B}[?62c", false), ("\u{1B}[?2048;2$y", false),
    ] {
      let answers = input(text).map { offer.take($0) }
      #expect(answers == [isLast])
    }
    #expect(offer.features == .synchronizedOutput)
  }

  @Test func `each question is asked once, that which every terminal answers is the last, and none is asked alone`() {
    let questions = TerminalFeatures.questions
    #expect(
      questions(true, true)
        == "\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?2031$p\u{1B}[?2048$p\u{1B}[?u\u{1B}]11;?\u{7}\u{1B}[c")
    #expect(questions(false, true) == "\u{1B}]11;?\u{7}\u{1B}[c")
    #expect(questions(true, false).hasSuffix("\u{1B}[?u\u{1B}[c") && questions(false, false).isEmpty)
  }

  @Test func `each feature that is switched on has its end, and the keyboard is pushed once`() {
    let ends: [(feature: TerminalFeatures, end: String)] = [
      (.synchronizedOutput, "\u{1B}[?2026l"), (.graphemeWidths, "\u{1B}[?2027l"), (.colorReports, "\u{1B}[?2031l"),
      (.sizeReports, "\u{1B}[?2048l"), (.keyboard, "\u{1B}[<u"),
    ]
    let all = TerminalFeatures(ends.map(\.feature))
    #expect(all.sequences(isRepeated: false) == "\u{1B}[?2027h\u{1B}[?2031h\u{1B}[?2048h\u{1B}[>5u")
    #expect(all.sequences(isRepeated: true) == "\u{1B}[?2027h\u{1B}[?2031h\u{1B}[?2048h\u{1B}[=5;1u")
    for (features, texts) in ends.map({ ($0.feature, [$0.end]) }) + [(all, ends.map(\.end))] {
      #expect(Platform.ends(ofScreenModes: features.rawValue).map(\.description) == texts)
    }
  }

  @Test(arguments: [
    ("\u{1B}[48;24;80;480;800t", TerminalSize(columns: 80, lines: 24)),
    ("\u{1B}[48;24;80t", TerminalSize(columns: 80, lines: 24)),
    ("\u{1B}[48;24:1;80:2;480:3;800t", TerminalSize(columns: 80, lines: 24)),
    ("\u{1B}[48;99999;99999;0;0t", TerminalSize(columns: 1_000, lines: 500)),
    ("\u{1B}[48;0;80;0;800t", nil), ("\u{1B}[48;24t", nil), ("\u{1B}[8;24;80t", nil), ("\u{1B}[?48;24;80t", nil),
  ])
  func `a report of the size is one of at least a line and a column`(report: String, size: TerminalSize?) {
    #expect(input(report) == [size.map { .resized($0) }].compactMap(\.self))
  }

  @Test func `an ESC is the beginning of an answer while one is awaited, and a key afterwards`() async throws {
    let ends = try Platform.makePipe()
    let file = OpenFile(descriptor: ends.reading)
    let deadline = ContinuousClock.now.advanced(by: .seconds(3_600))
    var reader = TerminalReader(input: file, patience: (0, .max), answerDeadline: deadline)
    try Platform.write([0x1B], to: ends.writing)
    let read = Task {
      var input: [TerminalInput] = []
      while input.last != .ended { input.append(try await reader.next()) }
      return input
    }
    // It does not take long for the reader to see that nothing follows.
    for _ in 0..<5_000 { await Task.yield() }
    for part in ["[?2026;2$y\u{1B}[?6", "2c\u{1B}"] { try Platform.write(Array(part.utf8), to: ends.writing) }
    Platform.close(ends.writing)
    #expect(try await read.value == [.offers(.synchronizedOutput, isOn: false), .identified, .key(.escape), .ended])
  }

  @Test(arguments: [Duration.zero, .milliseconds(20)])
  func `an ESC is a key soon after the time for an answer, which may never come`(rest: Duration) async throws {
    let ends = try Platform.makePipe()
    let file = OpenFile(descriptor: ends.reading)
    var reader = TerminalReader(input: file, patience: (0, .max), answerDeadline: .now.advanced(by: rest))
    for (byte, key) in [(0x1B, .escape), (0x70, "p"), (0x1B, .escape)] as [(UInt8, Key)] {
      try Platform.write([byte], to: ends.writing)
      #expect(try await reader.next() == .key(key))
    }
    Platform.close(ends.writing)
  }

  // MARK: - Apps

  private let yes = "\u{1B}[?2026;2$y\u{1B}[?2027;2$y\u{1B}[?2031;2$y\u{1B}[?2048;2$y\u{1B}[?0u\u{1B}[?62;c"

  @Test func `once the terminal has said all that it knows, that is switched on with the next frame, and once`()
    async throws
  {
    try await onScreen(.rows(5)) { screen in
      for text in ["", String(yes.dropLast(7))] {
        // There may be more answers.
        try await screen.send(text)
        try await screen.press("j")
        #expect(await screen.frames.allSatisfy { !$0.contains("?20") && !$0.contains("\u{1B}[>") })
      }
      let count = await screen.frames.count
      for key in ["j", "k"] as [Key] {
        try await screen.send(yes)
        try await screen.press(key)
      }
      var frames = await screen.frames[count...].joined()
      #expect(frames.hasPrefix("\u{1B}[?2027h\u{1B}[?2031h\u{1B}[?2048h\u{1B}[>5u"))
      frames.trimPrefix("\u{1B}[?2027h\u{1B}[?2031h\u{1B}[?2048h\u{1B}[>5u")
      #expect(frames.hasPrefix("\u{1B}[?2026h") && frames.hasSuffix("\u{1B}[?2026l"))
      #expect(!frames.contains("\u{1B}[?2027h") && !frames.contains("\u{1B}[>5u"))
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

  // MARK: - The environment

  @Test(arguments: [
    (["COLUMNS": "100", "LINES": "30"], TerminalSize(columns: 100, lines: 30)),
    ([:], TerminalSize(columns: 80, lines: 24)),
    (["COLUMNS": "wide"], TerminalSize(columns: 80, lines: 24)),
    (["COLUMNS": "-5", "LINES": "0"], TerminalSize(columns: 80, lines: 24)),
    (["COLUMNS": "0", "LINES": "1"], TerminalSize(columns: 80, lines: 1)),
    (["COLUMNS": "99999999", "LINES": "99999999"], TerminalSize(columns: 1_000, lines: 500)),
  ])
  func `a size that is not reported comes from the environment, and is never absurd`(
    environment: [String: String], expected: TerminalSize
  ) {
    #expect(TerminalSize.resolved(reported: nil, environment: environment) == expected)
    let reported = TerminalSize(columns: 7, lines: 3)
    #expect(TerminalSize.resolved(reported: reported, environment: environment) == reported)
  }

  @Test(arguments: [
    (ColorPolicy.always, false, ["NO_COLOR": "1"], true),
    (.never, true, ["CLICOLOR_FORCE": "1"], false),
    (.auto, true, [:], true),
    (.auto, false, [:], false),
    (.auto, true, ["TERM": "dumb"], false),
    (.auto, true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
    (.auto, true, ["NO_COLOR": ""], true),
    (.auto, false, ["CLICOLOR_FORCE": "1"], true),
    (.auto, false, ["CLICOLOR_FORCE": "0"], false),
  ])
  func `colour is decided by flag, NO_COLOR, CLICOLOR_FORCE and terminal, in this order`(
    policy: ColorPolicy, isTerminal: Bool, environment: [String: String], expected: Bool
  ) {
    #expect(policy.isOn(isTerminal: isTerminal, environment: environment) == expected)
  }
}

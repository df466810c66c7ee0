import RowcastPlatform
import Testing

@testable import RowcastConsole

extension KeyParser {
  /// The time that an incomplete key waits for more, as a terminal has it.
  fileprivate var wait: Int32? { wait(short: 50, long: 1_000) }

  /// The keys that bytes complete.
  fileprivate mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] { take(bytes).compactMap(\.key) }

  /// The key that is one if no bytes follow.
  fileprivate mutating func rest() -> [Key] { pause().compactMap(\.key) }
}

extension TerminalInput {
  /// The key, if the input is one.
  var key: Key? { if case .key(let key) = self { key } else { nil } }
}

/// A terminal sends a key in whatever pieces the line, or the size of a read, make of it.
@Suite(.watched) struct KeyParserTests {
  @Test func `a key is the same in each of the ways in which terminals encode it`() {
    for sent in SentKeys.complete {
      var parser = KeyParser()
      #expect(parser.keys(sent.bytes) + parser.rest() == sent.keys, "\(sent.text)")
    }
  }

  @Test func `a key is only where a person pressed one, and an answer what it is alone, wherever the bytes are cut`() {
    var random = SeededGenerator.forFuzzing("keys of a terminal")
    for _ in 0..<SeededGenerator.rounds(4_000, long: 1_000_000) {
      var (parser, input, rest): (KeyParser, [TerminalInput], [UInt8]) = (KeyParser(), [], [])
      let all = (0..<Int.random(in: 1...12, using: &random)).map { _ in SentKeys.random(&random) }
      func take(_ count: Int) {
        input += parser.take(rest[..<count])
        rest.removeFirst(count)
        // Between keys and answers nothing is pending, for however long.
        if parser.wait == nil { input += parser.pause() }
      }
      for sent in all {
        rest += sent.bytes
        if sent.needsPause {
          take(rest.count)
          input += parser.pause()
        } else if Bool.random(using: &random) {
          take(Int.random(in: 0...rest.count, using: &random))
        }
      }
      take(rest.count)
      input += parser.pause()
      let alone = all.flatMap { sent in
        var parser = KeyParser()
        return parser.take(sent.bytes) + parser.pause()
      }
      guard input == alone, input.compactMap(\.key) == all.flatMap(\.keys) else {
        Issue.record("seed \(random.seed): \(all.map(\.text)) are \(input), alone \(alone)")
        return
      }
    }
  }

  @Test func `bytes that are no text give the same keys wherever they are cut`() {
    let bytes: [UInt8] = [0xFF, 0xC3, 0x71, 0xE2, 0x82, 0x1B, 0x5B, 0x41, 0x80, 0xF0, 0x9F, 0x9A, 0x80, 0xC3, 0xA9]
    for border in 0...bytes.count {
      var parser = KeyParser()
      let keys = parser.keys(bytes[..<border]) + parser.keys(bytes[border...])
      #expect(keys == ["\u{FFFD}", "\u{FFFD}", "q", "\u{FFFD}", .up, "\u{FFFD}", "🚀", "é"])
    }
  }

  @Test func `an ESC and what follows it at once is a key with Alt, and the ESC is a key if nothing follows`() {
    var parser = KeyParser()
    #expect(parser.keys([0x1B]).isEmpty && parser.wait == 50 && parser.rest() == [.escape] && parser.wait == nil)
    #expect(parser.keys("[C".utf8) == ["[", "C"])
    #expect(parser.keys([0x1B, 0x1B]).isEmpty && parser.wait == 50 && parser.rest() == [.escape, .escape])
    for introducer in SentKeys.introducers {
      #expect(parser.keys("\u{1B}\(introducer)".utf8).isEmpty && parser.wait == 50)
      #expect(parser.rest() == [.alt(.character(introducer))])
      #expect(parser.keys("q".utf8) == ["q"])
    }
    #expect(parser.keys([0xC3]).isEmpty && parser.wait == nil && parser.rest().isEmpty && parser.keys([0xA9]) == ["é"])
  }

  @Test func `what has no end is dropped after a while, is not kept, and no byte of it is a key`() {
    for begun in SentKeys.unfinished + ["[Mq", "[M", "]11;rgb:", "Pquick", "_q\u{1B}"] {
      var parser = KeyParser()
      #expect(parser.keys("\u{1B}\(begun)".utf8).isEmpty && parser.wait == 1_000, "\(begun)")
      #expect(parser.rest().isEmpty && parser.wait == nil && parser.keys("Aj".utf8) == ["A", "j"])
    }
    var parser = KeyParser()
    #expect(parser.keys("\u{1B}[5".utf8).isEmpty)
    for _ in 0..<10_000 { #expect(parser.keys("1;".utf8).isEmpty) }
    #expect(parser.keys("~j".utf8) == ["j"])
  }

  @Test func `nothing but its end mark ends a paste, and what follows that is keys`() {
    var parser = KeyParser()
    #expect(parser.keys("\u{1B}[200~a".utf8) == [.pasted("a")])
    #expect(parser.keys([0x1B]).isEmpty && parser.wait == nil && parser.rest().isEmpty)
    #expect(parser.keys("q\u{1B}[20".utf8) == [.pasted("q")])
    #expect(parser.keys("x\u{1B}[201".utf8) == [.pasted("["), .pasted("2"), .pasted("0"), .pasted("x")])
    #expect(parser.keys("~q".utf8) == ["q"])
  }

  @Test func `a report of the mouse is an action in every encoding`() {
    let reports: [(bytes: [UInt8], input: [TerminalInput])] = [
      (
        Array("\u{1B}[<0;81;4M\u{1B}[32;81;4M\u{1B}[M q$".utf8), Array(repeating: .press(line: 3, column: 80), count: 3)
      ),
      (
        Array("\u{1B}[<65;1;1M\u{1B}[<0;10;20m\u{1B}[<64;3;4Mj\u{1B}[<35;1;1M\u{1B}[<16;2;2M\u{1B}[<0;0;1M".utf8),
        [.wheel(1), .wheel(-1), .key("j"), .press(line: 1, column: 1)]
      ),
      ([0x1B, 0x5B, 0x4D, 0x60, 0xFF, 0x21], [.wheel(-1)]),
      ([0x1B, 0x5B, 0x4D, 0x20, 0xFF, 0x21], [.press(line: 0, column: 222)]),
      // A release, and positions that the encoding cannot have.
      ([0x1B, 0x5B, 0x4D, 0x23, 0x21, 0x21, 0x1B, 0x5B, 0x4D, 0x20, 0x00, 0x1B, 0x71], [.key("q")]),
    ]
    for (bytes, input) in reports {
      var parser = KeyParser()
      #expect(parser.take(bytes) == input)
    }
  }

  @Test func `a report of the mouse with numbers that no terminal has is no action`() {
    for report in ["<:;1;1", "<-1;1;1", "<0;1;+", "<0;-1;1", "\(Int.min);1;1", "<\(Int.max)0;1;1", "<0;\(Int.max);1"] {
      var parser = KeyParser()
      #expect(parser.take("\u{1B}[\(report)Mj".utf8) == [.key("j")], "\(report)")
    }
  }

  @Test func `a character of many scalars is put together again where it is typed`() {
    for text in ["e\u{301}", "👨‍👩‍👧", "🏳️‍🌈", "🇩🇪", "👍🏽", "नि", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"] {
      var (prompt, parser) = (TypedText(text: ""), KeyParser())
      for byte in text.utf8 { for key in parser.keys([byte]) { _ = prompt.take(key) } }
      #expect(prompt.text == text && prompt.text.count == 1)
      _ = prompt.take(.backspace)
      #expect(prompt.text.isEmpty)
    }
  }

  // MARK: - Reading

  /// A reader of a pipe, and the other end of that.
  private func pipe(patience: Int32) throws -> (reader: TerminalReader, writing: Int32) {
    let ends = try Platform.makePipe()
    return (TerminalReader(input: OpenFile(descriptor: ends.reading), patience: (patience, .max)), ends.writing)
  }

  @Test func `an ESC is a key when its time is over`() async throws {
    var (reader, writing) = try pipe(patience: 0)
    defer { Platform.close(writing) }
    try Platform.write([0x1B], to: writing)
    #expect(try await reader.next() == .key(.escape))
  }

  @Test func `keys that are read in many pieces are those that were sent, an ESC at the end is one, and then none are`()
    async throws
  {
    var (reader, writing) = try pipe(patience: .max)
    let sent: [(text: String, key: Key, count: Int)] = [
      ("\u{1B}[A", .up, 100), ("é", "é", 150), ("🚀", "🚀", 99), ("\u{1B}", .escape, 1),
    ]
    try Platform.write(Array(sent.map { String(repeating: $0.text, count: $0.count) }.joined().utf8), to: writing)
    Platform.close(writing)
    var read: [Key] = []
    while case .key(let key) = try await reader.next() { read.append(key) }
    #expect(read == sent.flatMap { Array(repeating: $0.key, count: $0.count) })
    #expect(try await reader.next() == .ended)
  }
}

import RowcastPlatform
import RowcastSources
import RowcastTestSupport
import Testing

@testable import RowcastConsole

extension KeyParser {
  /// The keys in all that a terminal sent: an ESC at the end is one.
  static func keys(in bytes: [UInt8]) -> [Key] {
    var parser = KeyParser()
    return parser.keys(bytes) + parser.rest()
  }

  /// The keys that bytes complete.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] { take(bytes).compactMap(\.key) }

  /// The key that is one if no bytes follow.
  mutating func rest() -> [Key] { pause().compactMap(\.key) }
}

extension TerminalInput {
  /// The key, if the input is one.
  var key: Key? { if case .key(let key) = self { key } else { nil } }
}

/// A terminal sends a key in whatever pieces the line, or the size of a read, make of it.
@Suite(.watched) struct KeyParserTests {
  /// What terminals send, and the keys that it is.
  private let sent: [(text: String, keys: [Key])] = [
    ("q", ["q"]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[C", [.right]), ("\u{1B}OD", [.left]),
    ("\u{1B}[E", []), ("\u{1B}[1;5A", [.up]),
    ("\u{1B}[5~", [.pageUp]),
    ("\u{1B}[6;2~", [.pageDown]), ("\u{1B}[<0;10;20M", []), ("\u{1B}[H", [.home]), ("\u{1B}[8~", [.end]), ("é", ["é"]),
    ("日", ["日"]), ("🚀", ["🚀"]), ("e\u{301}", ["e", "\u{301}"]), ("\r\n", [.enter]), ("\r", [.enter]), ("\n", [.enter]),
    ("\u{7F}", [.backspace]), ("\u{13}", [.control("s")]), ("\u{1B}x", [.alt("x")]),
    ("\u{1B}\u{1B}[B", [.alt(.down)]), ("\u{1B}é", [.alt("é")]), ("\u{1B}\u{7F}", [.alt(.backspace)]),
    (
      "\u{1B}[200~q\r\né\t\u{1B}[A\u{1B}\u{1B}[201~",
      [.pasted("q"), .pasted("\n"), .pasted("é"), .pasted("\t"), .pasted("["), .pasted("A")]
    ),
    ("\u{1B}[3\u{1B}[A", [.up]), (" ", [" "]), ("\u{1B}[M !q", []), ("\u{1B}[[A", []), ("\u{1B}P1$rq\u{1B}\\", []),
    ("\u{1B}]11;rgb:0/0/0\u{7}", []), ("\u{1B}_Gq\u{1B}\\", []), ("\u{1B}^q\u{1B}\\", []),
    ("\u{1B}Xq\u{7}q\u{1B}\\", []),
    ("\u{1B}[?62;c", []), ("\u{1B}[I", []), ("\u{1B}[97u", ["a"]), ("\u{1B}[27;5;102~", [.control("f")]),
  ]

  /// The keys of pieces that arrive one after the other.
  private func keys(_ pieces: [ArraySlice<UInt8>]) -> [Key] {
    var parser = KeyParser()
    return pieces.flatMap { parser.keys($0) } + parser.rest()
  }

  @Test func `a sequence of keys gives the same keys wherever it is cut`() {
    for first in sent {
      for second in sent {
        // A line feed behind a return is part of it.
        if first.text == "\r", second.text == "\n" { continue }
        let bytes = Array((first.text + second.text).utf8)
        for start in 0...bytes.count {
          for end in start...bytes.count {
            let pieces = [bytes[..<start], bytes[start..<end], bytes[end...]]
            #expect(keys(pieces) == first.keys + second.keys, "\(pieces)")
          }
        }
      }
    }
  }

  @Test func `bytes that are no text give the same keys wherever they are cut`() {
    let bytes: [UInt8] = [0xFF, 0xC3, 0x71, 0xE2, 0x82, 0x1B, 0x5B, 0x41, 0x80, 0xF0, 0x9F, 0x9A, 0x80, 0xC3, 0xA9]
    let expected: [Key] = ["\u{FFFD}", "\u{FFFD}", "q", "\u{FFFD}", .up, "\u{FFFD}", "🚀", "é"]
    for border in 0...bytes.count { #expect(keys([bytes[..<border], bytes[border...]]) == expected) }
  }

  @Test func `an ESC and what follows it at once is a key with Alt, and the ESC is a key if nothing follows`() {
    var parser = KeyParser()
    #expect(parser.keys([0x1B]).isEmpty && parser.wait == .short && parser.rest() == [.escape] && parser.wait == nil)
    #expect(parser.keys("[C".utf8) == ["[", "C"])
    #expect(parser.keys([0x1B, 0x1B]).isEmpty && parser.wait == .short && parser.rest() == [.escape, .escape])
    for introducer: Character in ["[", "]", "O", "P", "X", "^", "_"] {
      #expect(parser.keys("\u{1B}\(introducer)".utf8).isEmpty && parser.wait == .short)
      #expect(parser.rest() == [.alt(.character(introducer))])
      #expect(parser.keys("q".utf8) == ["q"])
    }
    #expect(parser.keys([0xC3]).isEmpty && parser.wait == nil && parser.rest().isEmpty && parser.keys([0xA9]) == ["é"])
  }

  @Test func `what has no end is dropped after a while, and no byte of it is a key`() {
    let begun = [
      "\u{1B}[1;", "\u{1B}O1", "\u{1B}[M", "\u{1B}[Mq", "\u{1B}[[", "\u{1B}]11;rgb:", "\u{1B}Pquick", "\u{1B}_q\u{1B}",
    ]
    for begun in begun {
      var parser = KeyParser()
      #expect(parser.keys(begun.utf8).isEmpty && parser.wait == .long, "\(begun)")
      #expect(parser.rest().isEmpty && parser.wait == nil && parser.keys("Aj".utf8) == ["A", "j"])
    }
  }

  @Test func `nothing but its end mark ends a paste, and what follows that is keys`() {
    var parser = KeyParser()
    #expect(parser.keys("\u{1B}[200~a".utf8) == [.pasted("a")])
    #expect(parser.keys([0x1B]).isEmpty && parser.wait == nil && parser.rest().isEmpty)
    #expect(parser.keys("q\u{1B}[20".utf8) == [.pasted("q")])
    #expect(parser.keys("x\u{1B}[201".utf8) == [.pasted("["), .pasted("2"), .pasted("0"), .pasted("x")])
    #expect(parser.keys("~q".utf8) == ["q"])
  }

  @Test(
    arguments: [
      ("\u{1B}[113u", "q"), ("\u{1B}[113;1:1u", "q"), ("\u{1B}[113;1:2u", "q"), ("\u{1B}[113;1:3u", nil),
      ("\u{1B}[97;2u", "A"),
      ("\u{1B}[97:65;2u", "A"), ("\u{1B}[27;2;65~", "A"), ("\u{1B}[98;3u", .alt("b")), ("\u{1B}[27;3;98~", .alt("b")),
      ("\u{1B}[127;3u", .alt(.backspace)), ("\u{1B}[97;5u", .control("a")), ("\u{1B}[27;5;97~", .control("a")),
      ("\u{1B}[98;7u", .alt(.control("b"))), ("\u{1B}[13u", .enter), ("\u{1B}[27u", .escape), ("\u{1B}[27;1:3u", nil),
      ("\u{1B}[57419u", .up), ("\u{1B}[57401u", "2"), ("\u{1B}[57441u", nil), ("\u{1B}[1;3D", .alt(.left)),
      ("\u{1B}[1;2A", .shiftUp),
      ("\u{1B}[1;1:3A", nil), ("\u{1B}[u", nil), ("\u{1B}[?1u", nil), ("\u{1B}Oq", "1"), ("\u{1B}OM", .enter),
      ("\u{1B}OP", nil),
      ("\u{1B}[3;3~", .alt(.delete)), ("\u{1B}[104;5u", .backspace), ("\u{1B}[228u", "ä"), ("\u{1B}[1$A", nil),
      ("\u{1B}[>1A", nil),
      // As a terminal sends them once the keyboard's protocol is on: with the shifted and the basic key.
      ("\u{1B}[99;5u", .control("c")), ("\u{1B}[122;5u", .control("z")), ("\u{1B}[92;5u", .control("\\")),
      ("\u{1B}[1089::99;5u", .control("c")), ("\u{1B}[1089;5u", nil), ("\u{1B}[1073::44;3u", .alt("б")),
      ("\u{1B}[1089:1057:99;6u", .control("c")), ("\u{1B}[228::39;5u", nil), ("\u{1B}[9;2u", nil),
      ("\u{1B}[9;5u", .control("i")),
      ("\u{1B}[13;2u", .enter), ("\u{1B}[127;5u", .backspace), ("\u{1B}[32;5u", nil), ("\u{1B}[91;5u", .escape),
      ("\u{1B}[99;69u", .control("c")), ("\u{1B}[57358u", nil), ("\u{1B}[1;1F", .end), ("\u{1B}[3;5~", .delete),
    ] as [(String, Key?)])
  func `a key is the same in each of the ways in which terminals encode it`(sent: String, key: Key?) {
    #expect(KeyParser.keys(in: Array(sent.utf8)) == [key].compactMap(\.self))
  }

  @Test func `a report of the mouse is an action in every encoding`() {
    let press = MouseEvent(.press, column: 80, line: 3)
    for report in ["\u{1B}[<0;81;4M", "\u{1B}[32;81;4M", "\u{1B}[M q$"] {
      var parser = KeyParser()
      #expect(parser.take(report.utf8) == [.mouse(press)], "\(report)")
    }
    var parser = KeyParser()
    #expect(
      parser.take([0x1B, 0x5B, 0x4D, 0x60, 0xFF, 0x21]) == [.mouse(MouseEvent(.wheel(-1), column: 222, line: 0))])
    // A release, and positions that the encoding cannot have.
    #expect(parser.take([0x1B, 0x5B, 0x4D, 0x23, 0x21, 0x21, 0x1B, 0x5B, 0x4D, 0x20, 0x00, 0x1B]).isEmpty)
    #expect(parser.take("q".utf8) == [.key("q")])
  }

  @Test func `the answer that every terminal gives tells that there is none to an earlier question`() {
    var parser = KeyParser()
    #expect(parser.take("\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28;29;42;44;52c".utf8) == [.identified])
    #expect(parser.take("\u{1B}[>1;10;0c".utf8).isEmpty)
  }

  @Test func `a sequence without end is not kept`() {
    var parser = KeyParser()
    #expect(parser.keys("\u{1B}[5".utf8).isEmpty)
    for _ in 0..<10_000 { #expect(parser.keys("1;".utf8).isEmpty) }
    #expect(parser.keys("~j".utf8) == ["j"])
  }

  @Test func `a character of many scalars is put together again where it is typed`() {
    for text in ["e\u{301}", "👨‍👩‍👧", "🏳️‍🌈", "🇩🇪", "👍🏽", "नि", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"] {
      var prompt = TypedText(text: "")
      var parser = KeyParser()
      for byte in text.utf8 { for key in parser.keys([byte]) { _ = prompt.take(key) } }
      #expect(prompt.text == text && prompt.text.count == 1)
      _ = prompt.take(.backspace)
      #expect(prompt.text.isEmpty)
    }
  }

  @Test func `a prompt takes no more than its limit of scalars`() {
    var prompt = TypedText(text: "")
    for _ in 0..<1_000 { _ = prompt.take(.pasted("\u{301}")) }
    #expect(prompt.text.unicodeScalars.count == TypedText.limit)
  }

  // MARK: - Reading

  /// The keys that are read from a pipe, and its other end.
  private func pipe(patience: Int32, _ long: Int32 = .max) throws -> (keys: TerminalKeys, writing: Int32) {
    let ends = try Platform.makePipe()
    return (TerminalKeys(input: OpenFile(descriptor: ends.reading), patience: (patience, long)), ends.writing)
  }

  private func all(_ keys: TerminalKeys) async throws -> [Key] {
    var all: [Key] = []
    for try await key in keys { all.append(key) }
    return all
  }

  @Test func `an ESC is a key when its time is over`() async throws {
    let (keys, writing) = try pipe(patience: 0)
    defer { Platform.close(writing) }
    try Platform.write([0x1B], to: writing)
    #expect(try await keys.first { _ in true } == .escape)
  }

  @Test func `an ESC at the end is a key, and then there are none`() async throws {
    let (keys, writing) = try pipe(patience: .max)
    try Platform.write([0x1B], to: writing)
    Platform.close(writing)
    var iterator = keys.makeAsyncIterator()
    #expect(try await iterator.next() == .escape)
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func `keys that are read in many pieces are those that were sent`() async throws {
    let (keys, writing) = try pipe(patience: .max)
    let sent: [(text: String, key: Key, count: Int)] = [("\u{1B}[A", .up, 100), ("é", "é", 150), ("🚀", "🚀", 99)]
    let text = sent.map { String(repeating: $0.text, count: $0.count) }.joined()
    try Platform.write(Array(text.utf8), to: writing)
    Platform.close(writing)
    #expect(try await all(keys) == sent.flatMap { Array(repeating: $0.key, count: $0.count) })
  }
}

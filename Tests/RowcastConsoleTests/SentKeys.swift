@testable import RowcastConsole

/// What a terminal sends at a time, and the keys that a person pressed for it.
struct SentKeys {
  var bytes: [UInt8]
  var keys: [Key] = []
  /// True if it is a key, or is dropped, because nothing follows.
  var needsPause = false

  init(_ text: String, _ keys: [Key] = [], needsPause: Bool = false) {
    (bytes, self.keys, self.needsPause) = (Array(text.utf8), keys, needsPause)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  private static let plain: [Character] = ["q", "a", "[", "M", "P", "~", "\\", "9", ";", "é", "日", "🚀"]

  /// What begins a sequence or a string behind an ESC.
  static let introducers: [Character] = ["[", "]", "O", "P", "X", "^", "_"]

  /// What never ends, up to a second without more.
  static let unfinished = ["[1;", "[M!", "[[", "Pq", "]11;rgb:ff", "_Gq", "^q", "Xq", "O1"]

  private static let named: [(letter: String?, tilde: Int?, code: Int, key: Key)] = [
    ("A", nil, 57_419, .up), ("B", nil, 57_420, .down), ("C", nil, 57_418, .right), ("D", nil, 57_417, .left),
    ("H", 1, 57_423, .home), ("F", 4, 57_424, .end), (nil, 5, 57_421, .pageUp), (nil, 6, 57_422, .pageDown),
    (nil, 3, 57_426, .delete),
  ]

  private static let special: [(text: String, keys: [Key])] = [
    ("\u{1B}[E", []), ("\u{1B}[1;5A", [.up]), ("\u{1B}[6;2~", [.pageDown]), ("\u{1B}[8~", [.end]),
    ("e\u{301}", ["e", "\u{301}"]), ("\r\n", [.enter]), ("\r", [.enter]), ("\n", [.enter]), (" ", [" "]),
    ("\u{7F}", [.backspace]), ("\u{13}", [.control("s")]), ("\u{1B}\u{7F}", [.alt(.backspace)]),
    (
      "\u{1B}[200~q\r\né\t\u{1B}[A\u{1B}\u{1B}[201~",
      [.pasted("q"), .pasted("\n"), .pasted("é"), .pasted("\t"), .pasted("["), .pasted("A")]
    ),
    ("\u{1B}[3\u{1B}[A", [.up]), ("\u{1B}[M !q", []), ("\u{1B}P1$rq\u{1B}\\", []), ("\u{1B}]11;rgb:0/0/0\u{7}", []),
    ("\u{1B}_Gq\u{1B}\\", []), ("\u{1B}^q\u{1B}\\", []), ("\u{1B}Xq\u{7}q\u{1B}\\", []), ("\u{1B}[97u", ["a"]),
    ("\u{1B}[113;1:1u", ["q"]), ("\u{1B}[113;1:2u", ["q"]), ("\u{1B}[97;2u", ["A"]), ("\u{1B}[97:65;2u", ["A"]),
    ("\u{1B}[27;2;65~", ["A"]), ("\u{1B}[127;3u", [.alt(.backspace)]), ("\u{1B}[98;7u", [.alt(.control("b"))]),
    ("\u{1B}[13u", [.enter]), ("\u{1B}[27u", [.escape]), ("\u{1B}[27;1:3u", []), ("\u{1B}[57401u", ["2"]),
    ("\u{1B}[57441u", []), ("\u{1B}[57358u", []), ("\u{1B}[1;2A", [.shiftUp]), ("\u{1B}[1;1:3A", []), ("\u{1B}[u", []),
    ("\u{1B}Oq", ["1"]), ("\u{1B}OM", [.enter]), ("\u{1B}[228u", ["ä"]), ("\u{1B}[1$A", []), ("\u{1B}[>1A", []),
    // As a terminal sends them once the keyboard's protocol is on: with the shifted and the basic key.
    ("\u{1B}[99;5u", [.control("c")]), ("\u{1B}[122;5u", [.control("z")]), ("\u{1B}[92;5u", [.control("\\")]),
    ("\u{1B}[1089::99;5u", [.control("c")]), ("\u{1B}[1089;5u", []), ("\u{1B}[1073::44;3u", [.alt("б")]),
    ("\u{1B}[1089:1057:99;6u", [.control("c")]), ("\u{1B}[228::39;5u", []), ("\u{1B}[9;2u", []),
    ("\u{1B}[9;5u", [.control("i")]), ("\u{1B}[104;5u", [.backspace]), ("\u{1B}[13;2u", [.enter]),
    ("\u{1B}[127;5u", [.backspace]), ("\u{1B}[32;5u", []), ("\u{1B}[91;5u", [.escape]),
    ("\u{1B}[99;69u", [.control("c")]), ("\u{1B}[1;1F", [.end]), ("\u{1B}[3;5~", [.delete]),
  ]

  /// Answers, and sequences that are not keys here.
  private static let nothing = [
    "[?62;1c", "[>1;2;3c", "[?2026;1$y", "[4;5R", "[?997;1n", "[?1u", "[8;24;80t", "[[A", "[[E", "OP", "[15~", "[1;5S",
    "[I", "[O", "[?62;c",
  ]

  /// Each encoding of each key, and what else is complete in itself.
  static let complete: [SentKeys] = {
    var all = special.map { SentKeys($0.text, $0.keys) } + nothing.map { SentKeys("\u{1B}\($0)") }
    for character in plain {
      all.append(SentKeys("\(character)", [.character(character)]))
      if !introducers.contains(character) { all.append(SentKeys("\u{1B}\(character)", [.alt(.character(character))])) }
    }
    for (modifier, modify) in [(1, { $0 }), (3, Key.alt)] as [(Int, (Key) -> Key)] {
      let escape = modifier == 3 ? "\u{1B}" : ""
      for (letter, tilde, code, key) in named {
        var ways = ["\u{1B}[\(code);\(modifier)u", "\u{1B}[\(code);\(modifier):2u"]
        if let letter { ways += ["\u{1B}[1;\(modifier)\(letter)", "\(escape)\u{1B}[\(letter)"] }
        if let letter, modifier == 1 { ways.append("\u{1B}O\(letter)") }
        if let tilde { ways += ["\u{1B}[\(tilde);\(modifier)~", "\(escape)\u{1B}[\(tilde)~"] }
        all += ways.map { SentKeys($0, [modify(key)]) }
      }
      for code in UInt8(ascii: "a")...UInt8(ascii: "z") {
        let key = modify(.character(Character(Unicode.Scalar(code))))
        all += ["\u{1B}[\(code);\(modifier)u", "\u{1B}[27;\(modifier);\(code)~"].map { SentKeys($0, [key]) }
        all.append(SentKeys("\u{1B}[\(code);\(modifier):3u"))
      }
    }
    for letter in "abdefgknopqrstuvwxy" {
      let code = letter.asciiValue ?? 0
      let ways = ["\(Unicode.Scalar(code - 0x60))", "\u{1B}[\(code);5u", "\u{1B}[27;5;\(code)~"]
      all += ways.map { SentKeys($0, [.control(letter)]) }
    }
    // What terminals answer, and what they report unasked.
    let reports = ["[48;24;80;480;800t", "[?997;2n", "[<0;3;4m", "P>|x(q)\u{1B}\\", "[<65;1;1M", "[<16;2;2M"]
    return all + (reports.map { "\u{1B}\($0)" } + RecordedTerminal.all.flatMap(\.answers)).map { SentKeys($0) }
  }()

  /// Input that can precede any other. A line feed behind a return is part of it.
  private static let independent = complete.filter { $0.bytes != [0x0A] }

  /// A text without the end mark of anything.
  private static func text(_ random: inout some RandomNumberGenerator) -> String {
    String((0..<Int.random(in: 0...12, using: &random)).map { _ in plain.randomElement(using: &random) ?? "q" })
  }

  /// A key in one of its encodings, or something that is not a key.
  static func random(_ random: inout some RandomNumberGenerator) -> SentKeys {
    func any<Element>(_ elements: [Element], or other: Element) -> Element {
      elements.randomElement(using: &random) ?? other
    }
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      let introducer = any(introducers, or: "[")
      return SentKeys("\u{1B}\(introducer)", [.alt(.character(introducer))], needsPause: true)
    case 1: return SentKeys("\u{1B}", [.escape], needsPause: true)
    case 2: return SentKeys("\u{1B}\(any(unfinished, or: "[["))", needsPause: true)
    case 3:
      // Three bytes, none of which is text.
      var sent = SentKeys("\u{1B}[M")
      sent.bytes += (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      return sent
    case 4:
      let (x, y) = (Int.random(in: 1...300, using: &random), Int.random(in: 1...300, using: &random))
      return SentKeys("\u{1B}[" + any(["<0;\(x);\(y)M", "<0;\(x);\(y)m", "64;\(x);\(y)M"], or: "I"))
    case 5:
      let introducer = any(["P", "_", "^", "X", "]"], or: "P")
      // Some terminals end this one so.
      let end = introducer == "]" && Bool.random(using: &random) ? "\u{7}" : "\u{1B}\\"
      return SentKeys("\u{1B}\(introducer)x" + text(&random) + (introducer == "]" ? "" : "\u{7}") + text(&random) + end)
    case 6:
      let (first, second) = (text(&random), text(&random))
      let inside = any(["\u{1B}", "\u{1B}[A", "\u{1B}[20", "\n", "\t", "\r\n"], or: "\n")
      let middle = inside.contains("\u{1B}") ? String(inside.dropFirst()) : inside == "\r\n" ? "\n" : inside
      return SentKeys("\u{1B}[200~\(first)\(inside)\(second)\u{1B}[201~", (first + middle + second).map { .pasted($0) })
    default: return any(independent, or: complete[0])
    }
  }
}

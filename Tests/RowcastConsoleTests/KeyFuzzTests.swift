import RowcastTestSupport
import RowcastTesting
import Testing

@testable import RowcastConsole

/// What a terminal sends at a time, and the keys that a person pressed for it.
private struct Sent {
  var bytes: [UInt8]
  var keys: [Key] = []
  /// True if it is a key because nothing follows.
  var needsPause = false

  init(_ text: String, _ keys: [Key] = [], needsPause: Bool = false) {
    (bytes, self.keys, self.needsPause) = (Array(text.utf8), keys, needsPause)
  }
}

extension Sent {
  private static let plain: [Character] = ["q", "a", "[", "M", "P", "~", "\\", "9", ";", "é", "日", "🚀"]
  private static let named: [(letter: String, tilde: Int?, code: Int, key: Key)] = [
    ("A", nil, 57_419, .up), ("B", nil, 57_420, .down), ("C", nil, 57_418, .right), ("D", nil, 57_417, .left),
    ("H", 1, 57_423, .home), ("F", 4, 57_424, .end), ("", 5, 57_421, .pageUp), ("", 6, 57_422, .pageDown),
    ("", 3, 57_426, .delete),
  ]

  private static func letter(_ random: inout some RandomNumberGenerator) -> Character {
    Character(Unicode.Scalar(UInt8.random(in: 0x61...0x7A, using: &random)))
  }

  /// A text without the end mark of anything.
  private static func text(_ random: inout some RandomNumberGenerator) -> String {
    String((0..<Int.random(in: 0...12, using: &random)).map { _ in plain.randomElement(using: &random) ?? "q" })
  }

  /// A key, in one of the encodings that it has, or something that is none.
  static func random(_ random: inout some RandomNumberGenerator) -> Sent {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1:
      let character = plain.randomElement(using: &random) ?? "q"
      return Sent(String(character), [.character(character)])
    case 2:
      // Those that do not begin a sequence or a string.
      let character = plain.filter { !"[P".contains($0) }.randomElement(using: &random) ?? "q"
      return Sent("\u{1B}\(character)", [.alt(.character(character))])
    case 3:
      let character = ["[", "]", "O", "P", "X", "^", "_"].randomElement(using: &random) ?? "["
      return Sent("\u{1B}\(character)", [.alt(.character(Character(character)))], needsPause: true)
    case 4: return Sent("\u{1B}", [.escape], needsPause: true)
    case 5:
      let letter = letter(&random)
      let alt = Bool.random(using: &random)
      let code = Int(letter.asciiValue ?? 0)
      let ending = Bool.random(using: &random) ? "\(code);\(alt ? 3 : 1)u" : "27;\(alt ? 3 : 1);\(code)~"
      return Sent("\u{1B}[\(ending)", [alt ? .alt(.character(letter)) : .character(letter)])
    case 6:
      let letter = "abdefgknopqrstuvwxy".randomElement(using: &random) ?? "a"
      let code = Int(letter.asciiValue ?? 0)
      let encodings = ["\(Unicode.Scalar(UInt8(code - 0x60)))", "\u{1B}[\(code);5u", "\u{1B}[27;5;\(code)~"]
      return Sent(encodings.randomElement(using: &random) ?? "", [.control(letter)])
    case 7, 8:
      let key = named.randomElement(using: &random) ?? named[0]
      let alt = Bool.random(using: &random)
      let letters =
        key.letter.isEmpty
        ? []
        : ["\u{1B}[1;\(alt ? 3 : 1)\(key.letter)"]
          + (alt ? ["\u{1B}\u{1B}[\(key.letter)"] : ["\u{1B}[\(key.letter)", "\u{1B}O\(key.letter)"])
      let tildes =
        key.tilde.map { ["\u{1B}[\($0);\(alt ? 3 : 1)~"] + (alt ? ["\u{1B}\u{1B}[\($0)~"] : ["\u{1B}[\($0)~"]) } ?? []
      let codes = ["\u{1B}[\(key.code);\(alt ? 3 : 1)u", "\u{1B}[\(key.code);\(alt ? 3 : 1):2u"]
      return Sent((letters + tildes + codes).randomElement(using: &random) ?? "", [alt ? .alt(key.key) : key.key])
    case 9:
      // Three bytes, of which none is text.
      var sent = Sent("\u{1B}[M")
      sent.bytes += (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      return sent
    case 10:
      let (x, y) = (Int.random(in: 1...300, using: &random), Int.random(in: 1...300, using: &random))
      return Sent(
        "\u{1B}["
          + (["<0;\(x);\(y)M", "<0;\(x);\(y)m", "64;\(x);\(y)M", "I", "O"].randomElement(using: &random) ?? "I"))
    case 11:
      let introducer = ["P", "_", "^", "X", "]"].randomElement(using: &random) ?? "P"
      // Some terminals end this one so.
      let end = introducer == "]" && Bool.random(using: &random) ? "\u{7}" : "\u{1B}\\"
      return Sent("\u{1B}\(introducer)x" + text(&random) + (introducer == "]" ? "" : "\u{7}") + text(&random) + end)
    case 12:
      let answers = [
        "[?62;1c", "[>1;2;3c", "[?2026;1$y", "[4;5R", "[?997;1n", "[?1u", "[8;24;80t", "[[A", "[[E", "OP", "[15~",
        "[1;5S",
      ]
      return Sent("\u{1B}" + (answers.randomElement(using: &random) ?? ""))
    case 13: return Sent("\u{1B}[\(Int(letter(&random).asciiValue ?? 0));1:3u")
    case 14:
      let (first, second) = (text(&random), text(&random))
      let inside = ["\u{1B}", "\u{1B}[A", "\u{1B}[20", "\n", "\t", "\r\n"].randomElement(using: &random) ?? "\n"
      let middle = inside.contains("\u{1B}") ? String(inside.dropFirst()) : inside == "\r\n" ? "\n" : inside
      return Sent("\u{1B}[200~\(first)\(inside)\(second)\u{1B}[201~", (first + middle + second).map { .pasted($0) })
    default:
      // What never ends, up to a second without more.
      let begun =
        ["[1;", "[M!", "[[", "Pq", "]11;rgb:ff", "_Gq", "^q", "Xq", "O1"].randomElement(using: &random) ?? "[1;"
      return Sent("\u{1B}" + begun, needsPause: true)
    }
  }
}

@Suite(.watched) struct KeyFuzzTests {
  @Test func `a key is only where a person pressed one, wherever the bytes are cut`() {
    var random = SeededGenerator.forFuzzing("keys of a terminal")
    for _ in 0..<SeededGenerator.rounds(20_000, long: 1_000_000) {
      var parser = KeyParser()
      var keys: [Key] = []
      let all = (0..<Int.random(in: 1...12, using: &random)).map { _ in Sent.random(&random) }
      var rest: [UInt8] = []
      func take(_ count: Int) {
        keys += parser.keys(rest[..<count])
        rest.removeFirst(count)
      }
      for sent in all {
        rest += sent.bytes
        if sent.needsPause {
          take(rest.count)
          keys += parser.rest()
        } else if Bool.random(using: &random) {
          take(Int.random(in: 0...rest.count, using: &random))
        }
      }
      take(rest.count)
      keys += parser.rest()
      let expected = all.flatMap(\.keys)
      guard keys == expected else {
        Issue.record("\(all.map { String(decoding: $0.bytes, as: UTF8.self) }) are \(keys), expected \(expected)")
        return
      }
    }
  }
}

import Foundation
import RowcastConsole
import RowcastDiff
import Testing

/// Calls a test with hostile texts, each from a seed of its own: the one in `ROWCAST_SEED`, or a fixed row of them.
func forHostileTexts(
  length: Int, _ test: (_ text: String, _ note: Comment, _ random: inout SeededGenerator) throws -> Void
) rethrows {
  let given = SplitMix64.seed(from: ProcessInfo.processInfo.environment["ROWCAST_SEED"])
  for seed in given.map({ [$0] }) ?? Array(0..<UInt64(SeededGenerator.rounds(600, long: 30_000))) {
    var random = SeededGenerator(seed: seed)
    let text = random.hostileText(length: length)
    try test(text, "seed \(seed): \(spelled(text))", &random)
  }
}

extension SeededGenerator {
  /// A text of up to `length` pieces, drawn from what breaks terminals and segmentation.
  fileprivate mutating func hostileText(length: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      switch Int.random(in: 0..<4, using: &self) {
      case 0: append(oneOf: hostileRanges, to: &text)
      case 1: append(oneOf: shapingRanges, to: &text)
      case 2: text.append(contentsOf: hostilePieces.randomElement(using: &self)?.unicodeScalars ?? "".unicodeScalars)
      default: append(oneOf: [0...0x10FFFF, 0x20...0x7E], to: &text)
      }
    }
    return String(text)
  }

  private mutating func append(oneOf ranges: [ClosedRange<UInt32>], to text: inout String.UnicodeScalarView) {
    guard let range = ranges.randomElement(using: &self) else { return }
    let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) ?? "\u{FFFD}"
    for _ in 0..<(Int.random(in: 0..<12, using: &self) == 0 ? 20 : 1) { text.append(scalar) }
  }
}

/// The characters that must never reach a terminal, in any context; taken from the Unicode charts, not from the code.
let hostileRanges: [ClosedRange<UInt32>] = [
  0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x034F...0x034F, 0x061C...0x061C, 0x115F...0x1160, 0x17B4...0x17B5,
  0x180E...0x180E, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164,
  0xFDD0...0xFDEF, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0xFFFE...0xFFFF, 0x13430...0x1343F,
  0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE001F, 0xE0080...0xE00FF, 0xE01F0...0xE0FFF, 0x10FFFE...0x10FFFF,
]

/// What shapes or joins the scalars around it, and what it can join.
let shapingRanges: [ClosedRange<UInt32>] = [
  0x0300...0x036F, 0x0600...0x0605, 0x0620...0x064A, 0x0900...0x097F, 0x0D00...0x0D7F, 0x1100...0x11FF,
  0x180B...0x180F, 0x200C...0x200D, 0x20D0...0x20F0, 0xAC00...0xAC20, 0xFE00...0xFE0F, 0xFF9E...0xFF9F,
  0x11000...0x1107F, 0x1F1E6...0x1F1FF, 0x1F3F4...0x1F3F4, 0x1F3FB...0x1F3FF, 0x1F466...0x1F469, 0xE0020...0xE007F,
  0xE0100...0xE01EF,
]

private let hostilePieces = [
  "\u{1B}[31m", "\u{1B}]0;title\u{7}", "\u{9B}2J", "\r\n", "\u{202E}txt.exe", "\u{1B}P1$r\u{1B}\\", "\u{4}", "é", "漢",
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "\u{1F3F4}\u{E0067}\u{E0062}", "1\u{FE0F}\u{20E3}",
  "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{915}\u{94D}\u{937}",
  "\u{1F468}\u{200D}\u{1F3F4}\u{E0067}\u{E007F}",
]

/// The scalars of a neutralised text that have no business there, and a stray tag if a tag sequence does not end.
func forbidden(in text: String) -> [Unicode.Scalar] {
  var previous: Unicode.Scalar?
  var inTags = false
  let found = text.unicodeScalars.filter { scalar in
    defer { previous = scalar }
    if (0xE0020...0xE007F).contains(scalar.value) {
      inTags = inTags || previous == "\u{1F3F4}"
      defer { if scalar == "\u{E007F}" { inTags = false } }
      return !inTags
    }
    let isUnfinished = inTags
    inTags = false
    return isUnfinished || hostileRanges.contains { $0.contains(scalar.value) }
  }
  return Array(found) + (inTags ? ["\u{E0020}"] : [])
}

extension String {
  /// True if the other text has the same scalars. Texts are equal already if they are equivalent.
  func isIdentical(to other: String) -> Bool { unicodeScalars.elementsEqual(other.unicodeScalars) }

  /// This neutralised text, cut between characters to fit: what fitting is compared with.
  func truncated(toColumns columns: Int) -> String {
    guard columnCount > columns else { return self }
    var kept = ""
    for character in self {
      guard kept.columnCount + character.columnCount < columns else { break }
      kept.append(character)
    }
    return columns > 0 ? kept + "…" : ""
  }
}

/// A text as its scalars, for messages that show the invisible.
func spelled(_ text: String) -> String {
  text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
}

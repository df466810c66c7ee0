/// Text from outside that would act on a terminal, or change the order of reading, if it were written as it is.
enum HostileText {
  /// C0, DEL, C1, marks and controls of direction, separators of lines and paragraphs.
  static let scalars =
    (Array(0..<0x20) + Array(0x7F..<0xA0) + [0x61C, 0x200E, 0x200F, 0xFEFF] + Array(0x2028..<0x202F)
    + Array(0x2066..<0x206A)).compactMap { Unicode.Scalar($0 as UInt32) }

  static let sequences = [
    "\u{1B}[2J", "\u{1B}[31m", "\u{1B}]0;title\u{7}", "\u{1B}]52;c;aGk=\u{7}", "\u{1B}[?1049l", "\u{1B}[8;1;1t",
    "\u{1B}P+q\u{1B}\\", "\u{1B}c", "\u{9B}31m", "\u{9D}0;x\u{9C}", "\r\n\n\n", "\u{1B}[6n", "\u{1B}[1;1Howned",
    "\u{1B}[?2026l", "\u{202E}txt.exe", "\u{2066}\u{2069}",
  ]

  /// All of them, and all in sequences.
  static let samples = [String(String.UnicodeScalarView(scalars)), sequences.joined()]

  /// A text as JSON has it between quotes.
  static func quoted(_ text: String) throws -> String {
    String(String(decoding: try JSONEncoder().encode(text), as: UTF8.self).dropFirst().dropLast())
  }

  /// True if a terminal acts on a text, beside going to the next line.
  static func acts(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { $0 != "\n" && scalars.contains($0) }
  }
}

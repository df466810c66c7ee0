/// The number of columns that text takes on a terminal.
///
/// Terminals disagree about some scripts; where they do, this counts the larger number, so that a line never runs over.
/// East Asian Ambiguous counts one column. Control characters count none: neutralise the text first.
package enum TextWidth {
  /// The columns of a text: the sum over its characters.
  ///
  /// - Parameter text: Neutralised text.
  /// - Returns: The number of columns.
  /// - Complexity: O(*n*) in the bytes of the text; one scan if all of it is printable ASCII.
  package static func columns(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy(\.isPrintableASCII) { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The columns of a character, as a grapheme cluster.
  ///
  /// Pictographs are one or two columns however many are joined: two by default, with a variation selector 16, a skin
  /// tone or a joined partner, else one. A flag is two, a keycap with its selector too. All else is the sum of its scalars.
  ///
  /// - Parameter character: A character of neutralised text.
  /// - Returns: The number of columns; none for a control character or a lone nonspacing mark.
  /// - Complexity: O(*s* log *r*) in the scalars of the character and the 125 ranges of wide scalars.
  package static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.isPictograph {
      let isWide = isInWideRange(first)
      return isWide || scalars.dropFirst().contains { $0 == "\u{FE0F}" || $0.isPictograph } ? 2 : 1
    }
    let sum = scalars.reduce(0) { $0 + columns(of: $1) }
    // A vowel or a final consonant without its initial is counted alone.
    if sum == 0, first.isJamoWithoutInitial { return 1 }
    let isKeycap = first.isASCII && first.properties.isEmoji && scalars.dropFirst().first == "\u{FE0F}"
    return isKeycap ? sum + 1 : sum
  }

  /// True if all terminals agree about the columns of a character: letters without marks of their own, and ideographs.
  static func isSure(of character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return false }
    return switch first.value {
    case ..<0xA9, 0xAE..<0x250, 0x370..<0x483, 0x2010..<0x2028, 0x2500..<0x2580, 0x3041..<0x3097, 0x30A1..<0x30FB: true
    case 0x3400..<0xA000, 0xAC00..<0xD7A4: true
    default: false
    }
  }

  /// The columns that a scalar adds to those of its character: 0, 1 or 2.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    // Below, all but the controls take a column.
    if scalar.value < 0x300 { return (0x20..<0x7F).contains(scalar.value) || scalar.value >= 0xA0 ? 1 : 0 }
    if isInWideRange(scalar) { return 2 }
    return scalar.isJamoWithoutInitial || scalar.isWithoutWidth ? 0 : 1
  }
}

extension Unicode.Scalar {
  /// True for a Hangul vowel or final consonant, which takes its column from the initial before it.
  fileprivate var isJamoWithoutInitial: Bool {
    (0x1161...0x11FF).contains(value) || (0xD7B0...0xD7C6).contains(value) || (0xD7CB...0xD7FB).contains(value)
  }

  /// True if the cursor of a terminal stays where it is for this scalar.
  fileprivate var isWithoutWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: true
    case .format: !isPrependedSign
    default: properties.isDefaultIgnorableCodePoint
    }
  }
}

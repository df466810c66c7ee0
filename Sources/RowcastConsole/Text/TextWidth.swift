import RowcastDiff

// Terminals disagree about the columns of some scripts. These functions then count the larger number, so that a line never
// runs over. East Asian Ambiguous counts one column. Control characters count none: neutralise the text first.

extension StringProtocol {
  /// The columns of this neutralised text on a terminal: the sum over its characters.
  ///
  /// - Complexity: O(*n*) in the bytes of the text; one scan if all of it is printable ASCII.
  package var columnCount: Int {
    if utf8.allSatisfy(\.isPrintableASCII) { return utf8.count }
    return reduce(0) { $0 + $1.columnCount }
  }
}

extension Character {
  /// The columns of this character of neutralised text, as a grapheme cluster; none for a control character or a lone
  /// nonspacing mark.
  ///
  /// Pictographs are one or two columns however many are joined: two by default, with a variation selector 16, a skin
  /// tone or a joined partner, else one. A flag is two, a keycap with its selector too. All else is the sum of its scalars.
  ///
  /// - Complexity: O(*s* log *r*) in the scalars of the character and the 125 ranges of wide scalars.
  package var columnCount: Int {
    let scalars = unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.isPictograph {
      return first.isInWideRange || scalars.dropFirst().contains { $0 == "\u{FE0F}" || $0.isPictograph } ? 2 : 1
    }
    let sum = scalars.reduce(0) { $0 + $1.columnCount }
    // A vowel or a final consonant without its initial is counted alone.
    if sum == 0, first.isJamoWithoutInitial { return 1 }
    let isKeycap = first.isASCII && first.properties.isEmoji && scalars.dropFirst().first == "\u{FE0F}"
    return isKeycap ? sum + 1 : sum
  }

  /// True if all terminals agree about its columns: letters without marks of their own, and ideographs.
  var hasSureColumns: Bool {
    guard let first = unicodeScalars.first, unicodeScalars.count == 1 else { return false }
    return switch first.value {
    case ..<0xA9, 0xAE..<0x250, 0x370..<0x483, 0x2010..<0x2028, 0x2500..<0x2580, 0x3041..<0x3097, 0x30A1..<0x30FB: true
    case 0x3400..<0xA000, 0xAC00..<0xD7A4: true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// The columns that the scalar adds to those of its character: 0, 1 or 2.
  fileprivate var columnCount: Int {
    // Below, all but the controls take a column.
    if value < 0x300 { return (0x20..<0x7F).contains(value) || value >= 0xA0 ? 1 : 0 }
    if isInWideRange { return 2 }
    return isJamoWithoutInitial || isWithoutWidth ? 0 : 1
  }

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

  /// True if the scalar takes two columns: East Asian Width W and F, the regional indicators among them.
  ///
  /// - Complexity: O(log *r*) in the number of ranges.
  fileprivate var isInWideRange: Bool {
    guard value >= 0x1100 else { return false }
    let begun = (0..<Self.wideRanges.count / 2).countPrefix { Self.wideRanges[2 * $0] <= value }
    return begun > 0 && value <= Self.wideRanges[2 * begun - 1]
  }

  /// Pairs of first and last scalar, ascending. Facts of Unicode 17.0.0 (EastAsianWidth-17.0.0.txt, 2025-07-24), taken
  /// from the table `WIDE_EASTASIAN` of the Python package wcwidth 0.7.0, which leaves out the scalars without width.
  ///
  /// To renew: `python3 -c 'import wcwidth.table_wide as t; print(list(t.WIDE_EASTASIAN.values())[-1])'`
  private static let wideRanges: [UInt32] = [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3, 0x25FD, 0x25FE,
    0x2614, 0x2615, 0x2630, 0x2637, 0x2648, 0x2653, 0x267F, 0x267F, 0x268A, 0x268F, 0x2693, 0x2693, 0x26A1, 0x26A1,
    0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F3,
    0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B, 0x2728, 0x2728, 0x274C, 0x274C,
    0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797, 0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C,
    0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x2E99, 0x2E9B, 0x2EF3, 0x2F00, 0x2FD5, 0x2FF0, 0x3029, 0x3030, 0x303E,
    0x3041, 0x3096, 0x309B, 0x30FF, 0x3105, 0x312F, 0x3131, 0x3163, 0x3165, 0x318E, 0x3190, 0x31E5, 0x31EF, 0x321E,
    0x3220, 0x3247, 0x3250, 0xA48C, 0xA490, 0xA4C6, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19,
    0xFE30, 0xFE52, 0xFE54, 0xFE66, 0xFE68, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x16FE3,
    0x16FF2, 0x16FF6, 0x17000, 0x18CD5, 0x18CFF, 0x18D1E, 0x18D80, 0x18DF2, 0x1AFF0, 0x1AFF3, 0x1AFF5, 0x1AFFB,
    0x1AFFD, 0x1AFFE, 0x1B000, 0x1B122, 0x1B132, 0x1B132, 0x1B150, 0x1B152, 0x1B155, 0x1B155, 0x1B164, 0x1B167,
    0x1B170, 0x1B2FB, 0x1D300, 0x1D356, 0x1D360, 0x1D376, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E,
    0x1F191, 0x1F19A, 0x1F1E6, 0x1F202, 0x1F210, 0x1F23B, 0x1F240, 0x1F248, 0x1F250, 0x1F251, 0x1F260, 0x1F265,
    0x1F300, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3,
    0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D,
    0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F,
    0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6D8, 0x1F6DC, 0x1F6DF, 0x1F6EB, 0x1F6EC,
    0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7EB, 0x1F7F0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF,
    0x1FA70, 0x1FA7C, 0x1FA80, 0x1FA8A, 0x1FA8E, 0x1FAC6, 0x1FAC8, 0x1FAC8, 0x1FACD, 0x1FADC, 0x1FADF, 0x1FAEA,
    0x1FAEF, 0x1FAF8, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD,
  ]
}

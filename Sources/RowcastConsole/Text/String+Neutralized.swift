extension String {
  /// This text, made safe to print on one line of a terminal.
  ///
  /// Text from outside can move the cursor, change colours, reorder its neighbours or hide in plain sight. Here:
  ///
  /// - tabs, line breaks and paragraph breaks become one space each (CR LF together: one);
  /// - other C0 controls and DEL become their pictures: ESC is `␛`, so an escape sequence is plain text after it;
  /// - C1 controls, bidirectional controls, other invisible scalars and noncharacters become their names: `<U+202E>`;
  /// - joiners, variation selectors and emoji tags stay where they shape the character before them, and are named elsewhere;
  /// - a mark at the very start gets a dotted circle to sit on, so that it cannot join the text printed before;
  /// - a character of more than 16 scalars is truncated to that many.
  ///
  /// Neutralising twice is neutralising once. Right-to-left letters stay; a terminal reorders them within the line.
  ///
  ///     "user\u{202E}txt.exe\n".neutralized   // "user<U+202E>txt.exe "
  ///
  /// - Complexity: O(*n*) in the bytes of the text.
  package var neutralized: String { fitted(columns: .max) }

  /// This text ``neutralized`` and truncated to fit, with `…` at its end if something is missing; empty for 0 columns or fewer.
  ///
  /// Truncation falls between characters: a character of two columns is not shown if one column is left. No more of the text
  /// is read than the columns can show: 16 scalars a column, and a few more. Text that needs more of them is truncated.
  ///
  ///     "日本語".fitted(columns: 4)   // "日…", three columns
  ///
  /// - Complexity: O(`columns`), however long the text is.
  package func fitted(columns: Int) -> String {
    guard columns > 0 else { return "" }
    return fittedASCII(columns: columns) ?? Self.fitting(unicodeScalars.makeIterator(), columns: columns)
  }

  /// The fitted text if printable ASCII alone decides about it, else nil.
  private func fittedASCII(columns: Int) -> String? {
    // One byte more than can be shown: the one after the last column might combine with it.
    guard utf8.prefix(columns).allSatisfy(\.isPrintableASCII),
      utf8.dropFirst(columns).first?.isPrintableASCII ?? true
    else { return nil }
    return utf8.count <= columns ? self : String(prefix(columns - 1)) + "…"
  }

  /// The same for scalars, and at least one column.
  static func fitting(_ scalars: some IteratorProtocol<Unicode.Scalar>, columns: Int) -> String {
    let limit = columns < .max / longestCharacter ? (columns + 1) * longestCharacter : .max
    var characters = NeutralCharacters(scalars, limit: limit)
    var used = 0
    // The tail is shown only if nothing has to give way to the `…`.
    var (text, tail) = ("", "")
    while let character = characters.next() {
      let width = character.columnCount
      guard width <= columns - used else { return text + "…" }
      used += width
      if used < columns { text.append(character) } else { tail.append(character) }
    }
    return characters.isTruncated ? text + "…" : text + tail
  }

  /// This neutralised text filled up to a width with a character of one column, after the text or, if it is trailing,
  /// before it. Wider text is returned as it is.
  package func padded(toColumns columns: Int, with filler: Character = " ", trailing isTrailing: Bool = false) -> String
  {
    let missing = String(repeating: filler, count: max(0, columns - columnCount))
    return isTrailing ? missing + self : self + missing
  }
}

extension UInt8 {
  /// True for a visible ASCII character or a space.
  var isPrintableASCII: Bool { 0x20 <= self && self < 0x7F }
}

/// The most scalars that one character may have. The longest in use – a family with skin tones, a flag of a region, a
/// Sanskrit conjunct – stay below; stacks of marks that paint over other lines do not.
let longestCharacter = 16

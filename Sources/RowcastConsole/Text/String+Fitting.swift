extension String {
  /// This text neutralised and truncated to fit, with `…` at its end if something is missing.
  ///
  /// Truncation falls between characters: one of two columns with one column left is not shown. No more of the text is read
  /// than the columns can show: 16 scalars a column, and a few more. Text that needs more of them is truncated.
  ///
  ///     "a\u{1B}[2Jb".fitted(columns: 4)   // "a␛[…"
  ///     "日本語".fitted(columns: 4)   // "日…", three columns
  ///
  /// Nothing fits into 0 columns or fewer.
  ///
  /// - Complexity: O(`columns`), however long the text is.
  package func fitted(columns: Int) -> String {
    guard columns > 0 else { return "" }
    return fittedASCII(columns: columns) ?? Self.fitting(unicodeScalars.makeIterator(), columns: columns)
  }

  /// The fitted text if printable ASCII is all that decides about it, else nil.
  private func fittedASCII(columns: Int) -> String? {
    // One byte more than can be shown: the one after the last column might combine with it.
    guard utf8.prefix(columns).allSatisfy(\.isPrintableASCII),
      utf8.dropFirst(columns).first?.isPrintableASCII ?? true
    else { return nil }
    return utf8.count <= columns ? self : String(prefix(columns - 1)) + "…"
  }

  /// The same for scalars, and at least one column.
  package static func fitting(_ scalars: some IteratorProtocol<Unicode.Scalar>, columns: Int) -> String {
    let limit = columns < .max / longestCharacter ? (columns + 1) * longestCharacter : .max
    var characters = NeutralCharacters(scalars, limit: limit)
    var used = 0
    // The tail is shown only if nothing has to give way to the `…`.
    var (text, tail) = ("", "")
    while let character = characters.next() {
      let width = TextWidth.columns(of: character)
      guard width <= columns - used else { return text + "…" }
      used += width
      if used < columns { text.append(character) } else { tail.append(character) }
    }
    return characters.scalars.isTruncated ? text + "…" : text + tail
  }

  /// This neutralised text filled up to a width with a character of one column, after the text or, if it is trailing,
  /// before it. Wider text is returned as it is.
  ///
  ///     "日".padded(toColumns: 4) + "|"   // "日  |"
  ///
  /// - Complexity: O(*n*) in the bytes of the text.
  package func padded(toColumns columns: Int, with filler: Character = " ", trailing isTrailing: Bool = false) -> String
  {
    let missing = String(repeating: filler, count: max(0, columns - TextWidth.columns(of: self)))
    return isTrailing ? missing + self : self + missing
  }
}

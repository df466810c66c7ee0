extension String {
  /// This text neutralised and cut to fit: what a row or a title shows of outside text.
  ///
  /// The same as `neutralized.truncated(toColumns: columns)`, but reads no more of the text than the columns can show.
  /// Only text with characters of more than 16 scalars may be cut earlier.
  ///
  ///     "a\u{1B}[2Jb".fitted(columns: 4)   // "a␛[…"
  ///
  /// - Parameter columns: The most columns the result may take.
  /// - Returns: Neutralised text of at most that many columns; it ends in `…` if something was cut.
  /// - Complexity: O(`columns`), however long the text is.
  package func fitted(columns: Int) -> String {
    guard columns > 0 else { return "" }
    if let text = fittedASCII(columns: columns) { return text }
    return LineFitting.fitting(unicodeScalars.makeIterator(), columns: columns)
  }

  /// This neutralised text, cut between characters to fit.
  ///
  /// A character of two columns with one column left is not shown. If something is cut, `…` takes its place, and a
  /// column. Nothing is neutralised here: outside text takes `fitted(columns:)`.
  ///
  ///     "日本語".truncated(toColumns: 4)   // "日…", three columns
  ///
  /// - Parameter columns: The most columns the result may take; nothing fits into 0 or fewer.
  /// - Returns: The text itself if it fits, else its beginning with `…`.
  /// - Complexity: O(`columns`), however long the text is: 16 scalars are looked at for each column, and the text is cut
  ///   if it needs more.
  package func truncated(toColumns columns: Int) -> String {
    guard columns > 0 else { return "" }
    if let text = fittedASCII(columns: columns) { return text }
    let end = unicodeScalars.index(
      startIndex, offsetBy: LineFitting.budget(columns: columns), limitedBy: endIndex)
    var line = LineFitting(columns: columns)
    for character in self[..<(end ?? endIndex)] {
      guard line.append(character) else { return line.cut }
    }
    return end == nil || end == endIndex ? self : line.cut
  }

  /// This neutralised text with spaces behind it, up to a width.
  ///
  /// Nothing is cut: text that is wider already comes back as it is.
  ///
  ///     "日".padded(toColumns: 4) + "|"   // "日  |"
  ///
  /// - Parameter columns: The least columns of the result.
  /// - Returns: The text, followed by as many spaces as it lacks.
  /// - Complexity: O(*n*) in the bytes of the text, at most O(`columns`) for neutralised text.
  package func padded(toColumns columns: Int) -> String {
    var missing = columns
    for character in self {
      guard missing > 0 else { return self }
      missing -= TextWidth.columns(of: character)
    }
    return missing > 0 ? self + String(repeating: " ", count: missing) : self
  }

  /// The fitted text if printable ASCII is all that decides about it, else nil.
  private func fittedASCII(columns: Int) -> String? {
    // One byte more than can be shown: what follows the last column might belong to it.
    guard utf8.prefix(columns).allSatisfy(\.isPrintableASCII),
      utf8.dropFirst(columns).first?.isPrintableASCII ?? true
    else { return nil }
    return utf8.count <= columns ? self : String(prefix(columns - 1)) + "…"
  }
}

extension LineFitting {
  /// Neutralises scalars and fits them into columns, asking for no more of them than `budget(columns:)` and one.
  package static func fitting(_ scalars: some IteratorProtocol<Unicode.Scalar>, columns: Int) -> String {
    guard columns > 0 else { return "" }
    var characters = NeutralCharacters(BoundedScalars(scalars, limit: budget(columns: columns)))
    var line = Self(columns: columns)
    while let character = characters.next() {
      guard line.append(character) else { return line.cut }
    }
    return characters.scalars.base.isCut ? line.cut : line.whole
  }
}

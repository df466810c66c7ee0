extension String {
  /// This text neutralised and cut to fit: what a row or a title shows of outside text.
  ///
  /// The neutralised text if that fits, else its beginning with `…`. It is cut between characters: one of two columns with
  /// one column left is not shown. No more of the text is read than the columns can show: 16 scalars a column, and a few more.
  /// Text that needs more of them is cut.
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
    // One byte more than can be shown: what follows the last column might belong to it.
    guard utf8.prefix(columns).allSatisfy(\.isPrintableASCII),
      utf8.dropFirst(columns).first?.isPrintableASCII ?? true
    else { return nil }
    return utf8.count <= columns ? self : String(prefix(columns - 1)) + "…"
  }

  /// The same for scalars, and at least one column.
  package static func fitting(_ scalars: some IteratorProtocol<Unicode.Scalar>, columns: Int) -> String {
    let limit = columns < .max / longestCharacter ? (columns + 1) * longestCharacter : .max
    var characters = NeutralCharacters(BoundedScalars(base: scalars, left: limit))
    var used = 0
    // The tail is shown only if nothing has to give way to the `…`.
    var (text, tail) = ("", "")
    while let character = characters.next() {
      let width = TextWidth.columns(of: character)
      guard width <= columns - used else { return text + "…" }
      used += width
      if used < columns { text.append(character) } else { tail.append(character) }
    }
    return characters.scalars.base.isCut ? text + "…" : text + tail
  }

  /// This neutralised text filled up to a width with a character of one column, behind the text or, if it is trailing,
  /// before it. Text that is wider already comes back as it is.
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

/// The first scalars of a text, and whether there were more: one more is asked for, to learn that.
struct BoundedScalars<Base: IteratorProtocol<Unicode.Scalar>>: IteratorProtocol {
  var base: Base
  /// How many scalars may still come.
  var left: Int
  /// Whether the bound was met with text left over; known when `next()` has returned nil.
  private(set) var isCut = false

  mutating func next() -> Unicode.Scalar? {
    guard !isCut else { return nil }
    guard left > 0 else {
      isCut = base.next() != nil
      return nil
    }
    left -= 1
    return base.next()
  }
}

extension String {
  /// This text, made safe to print on one line of a terminal.
  ///
  /// Text from outside can move the cursor, change colours, reorder its neighbours or hide in plain sight. Here:
  ///
  /// - tabs, line breaks and paragraph breaks become one space each (CR LF together: one);
  /// - other C0 controls and DEL become their pictures: ESC is `␛`, so an escape sequence is plain text after it;
  /// - C1 controls, bidirectional controls, other invisible scalars and noncharacters become their names: `<U+202E>`;
  /// - joiners, variation selectors and emoji tags stay where they shape the character before them, and are named
  ///   elsewhere;
  /// - a mark at the very start gets a dotted circle to sit on, so that it cannot join the text printed before;
  /// - a character of more than 16 scalars is truncated to that many.
  ///
  /// Nothing is dropped but the excess of such a character. Neutralising twice is neutralising once. Right-to-left
  /// letters stay; a terminal that reorders them does so within the line.
  ///
  ///     "\u{1B}[31mred\n".neutralized   // "␛[31mred "
  ///     "user\u{202E}txt.exe".neutralized   // "user<U+202E>txt.exe"
  ///
  /// - Complexity: O(*n*) in the bytes of the text; printable ASCII returns itself after one scan.
  package var neutralized: String {
    if utf8.allSatisfy(\.isPrintableASCII) { return self }
    var characters = NeutralCharacters(unicodeScalars.makeIterator())
    var result = ""
    result.reserveCapacity(utf8.count)
    while let character = characters.next() { result.append(character) }
    return result
  }
}

extension UInt8 {
  /// True for a visible ASCII character or a space.
  var isPrintableASCII: Bool { 0x20 <= self && self < 0x7F }
}

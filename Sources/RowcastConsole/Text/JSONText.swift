/// JSON that can be looked at in a terminal.
public enum JSONText {
  /// Encoded JSON in which no string can act on a terminal, with the same meaning.
  ///
  /// Encoders escape C0 controls. They pass on DEL, C1 and bidirectional controls, line separators and other invisible
  /// scalars. Here each of these becomes `\u` and four hex digits, or two such escapes beyond U+FFFF: the bytes of
  /// `{"name":"a␛2J"}`, where `␛` stands for U+009B, become those of `{"name":"a\u009B2J"}`. Joiners and variation selectors,
  /// which shape visible characters, stay as they are. Line feeds, tabs and carriage returns may stand between tokens and
  /// stay. Bytes that are not UTF-8 become U+FFFD: a terminal could take them for C1 controls.
  ///
  /// - Parameter json: Encoded JSON in UTF-8, one or more values.
  /// - Returns: The same values in UTF-8.
  /// - Complexity: O(*n*) in the bytes; ASCII without anything to escape returns itself after one scan.
  public static func escapingForTerminal(_ json: [UInt8]) -> [UInt8] {
    if json.allSatisfy(\.isHarmlessInJSON) { return json }
    var result = ""
    result.reserveCapacity(json.count + json.count / 8)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if scalar.needsJSONEscape {
        for unit in String(scalar).utf16 { result += "\\u" + unit.hexadecimal }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }
}

extension UInt8 {
  /// Whether this byte is printable ASCII or white space between tokens.
  fileprivate var isHarmlessInJSON: Bool { isPrintableASCII || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension Unicode.Scalar {
  fileprivate var needsJSONEscape: Bool {
    switch ScalarTreatment(self) {
    case .keep, .joiner, .variationSelector: false
    case .space: value > 0x7F || value == 0x0B || value == 0x0C
    case .picture, .name, .tag: true
    }
  }
}

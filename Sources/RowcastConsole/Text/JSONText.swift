/// JSON that can be looked at in a terminal.
public enum JSONText {
  /// Encoded JSON in which no string can act on a terminal, with the same meaning.
  ///
  /// Encoders escape C0 controls. They pass on DEL, C1 and bidirectional controls, line separators and other invisible
  /// scalars. Here each of these becomes `\u` and four hex digits, or two such escapes beyond U+FFFF. Joiners and variation selectors,
  /// which shape visible characters, stay as they are. Line feeds, tabs and carriage returns may stand between tokens and
  /// stay.
  ///
  ///     JSONText.escapingForTerminal("{\"name\":\"a\u{9B}2J\"}")   // {"name":"a\u009B2J"}
  ///
  /// - Parameter json: Encoded JSON, one or more values.
  /// - Returns: The same values.
  /// - Complexity: O(*n*) in the bytes; text without anything to escape returns itself.
  public static func escapingForTerminal(_ json: String) -> String {
    if json.utf8.allSatisfy(\.isHarmlessInJSON) { return json }
    guard json.unicodeScalars.contains(where: \.needsJSONEscape) else { return json }
    var result = ""
    result.reserveCapacity(json.utf8.count + json.utf8.count / 8)
    for scalar in json.unicodeScalars {
      if scalar.needsJSONEscape {
        for unit in UTF16.CodeUnit.units(of: scalar) { result += unit.jsonEscape }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Encoded JSON in which no string can act on a terminal, with the same meaning.
  ///
  /// As for text. Bytes that are not UTF-8 become U+FFFD: a terminal could take them for C1 controls.
  ///
  /// - Parameter json: Encoded JSON in UTF-8.
  /// - Returns: The same values in UTF-8.
  /// - Complexity: O(*n*) in the bytes; ASCII without anything to escape returns itself after one scan.
  public static func escapingForTerminal(_ json: [UInt8]) -> [UInt8] {
    if json.allSatisfy(\.isHarmlessInJSON) { return json }
    return Array(escapingForTerminal(String(decoding: json, as: UTF8.self)).utf8)
  }
}

extension UInt8 {
  /// Whether this byte is printable ASCII or white space between tokens.
  fileprivate var isHarmlessInJSON: Bool {
    isPrintableASCII || self == 0x0A || self == 0x0D || self == 0x09
  }
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

extension UTF16.CodeUnit {
  /// The one or two code units of a scalar.
  fileprivate static func units(of scalar: Unicode.Scalar) -> Unicode.UTF16.EncodedScalar {
    UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter
  }

  /// This code unit as JSON writes it inside a string.
  fileprivate var jsonEscape: String {
    let digits = String(self, radix: 16, uppercase: true)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

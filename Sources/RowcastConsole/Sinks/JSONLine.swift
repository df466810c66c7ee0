import Foundation

/// JSON on one line, the form of all machine-readable output of a console. Numbers that are not finite, which JSON lacks, are
/// the strings "nan", "inf" and "-inf": a single one must not prevent a list from being written.
package enum JSONLine {
  private static let (infinity, nan) = ("inf", "nan")

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: nan)
    return encoder
  }()

  /// Encodes a value with sorted keys and without characters that a terminal acts on; ends in a line end.
  ///
  /// - Throws: The errors of the value's `encode(to:)`.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    var line = Array(try encoder.encode(value))
    line.append(UInt8(ascii: "\n"))
    return escapingForTerminal(line)
  }

  /// A function that reads values from JSON, and throws the errors of `JSONDecoder`.
  static func reader<Value: Decodable & SendableMetatype>(
    of type: Value.Type
  ) -> @Sendable ([UInt8]) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: nan)
    return { [decoder] in try decoder.decode(type, from: Data($0)) }
  }

  /// Encoded JSON with the same meaning, in which no string can act on a terminal.
  ///
  /// Encoders escape only C0 controls. Here other controls and invisible scalars become `\u` and four hex digits, or two such
  /// escapes beyond U+FFFF. Joiners and variation selectors, which shape visible characters, and white space between tokens
  /// stay. Bytes that are not UTF-8 become U+FFFD: a terminal could take them for C1 controls.
  static func escapingForTerminal(_ json: [UInt8]) -> [UInt8] {
    if json.allSatisfy({ $0.isPrintableASCII || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) { return json }
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

extension Unicode.Scalar {
  fileprivate var needsJSONEscape: Bool {
    switch ScalarTreatment(self) {
    case .keep, .joiner, .variationSelector: false
    case .space: value > 0x7F || value == 0x0B || value == 0x0C
    case .picture, .name, .tag: true
    }
  }
}

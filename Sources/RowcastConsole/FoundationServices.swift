import Foundation

/// All that this module takes from Foundation: its other files compile without it.
enum FoundationServices {
  /// The environment of the process.
  static var environment: [String: String] { ProcessInfo.processInfo.environment }

  /// The canonical decomposition of a scalar.
  static func decomposed(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
  }

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON has no such numbers. One of them must not keep a list from being written.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: nan)
    return encoder
  }()

  private static let (infinity, nan) = ("inf", "nan")

  /// The JSON of a value, on one line, with sorted keys. Numbers that are not finite are the strings "nan", "inf" and "-inf".
  ///
  /// - Throws: The errors of the value's `encode(to:)`.
  static func json(_ value: some Encodable) throws -> [UInt8] { Array(try encoder.encode(value)) }

  /// A function that reads values from JSON, and throws the errors of `JSONDecoder`.
  static func reader<Value: Decodable & SendableMetatype>(
    of type: Value.Type
  ) -> @Sendable ([UInt8]) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: nan)
    return { [decoder] in try decoder.decode(type, from: Data($0)) }
  }
}

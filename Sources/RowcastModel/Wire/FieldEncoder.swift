/// Writes a value's fields beside others into one object.
///
/// It passes a keyed container of the base encoder on, refuses fields whose names are taken, and notes whether the value
/// asked for any other kind of container: encoders stop the process if an object and another value are in one place.
struct FieldEncoder: Encoder {
  /// What is known of the value so far. Shared with the containers.
  fileprivate final class Findings {
    /// The first thing that is wrong, found where nothing can be thrown.
    var problem: WireError?
  }

  private let base: any Encoder
  private let reserved: Set<String>
  private let typeName: String
  private let findings = Findings()

  /// Writes the fields of a value into an object that has fields with reserved names beside them.
  ///
  /// - Throws: ``WireError/contentIsNoObject(type:)``, ``WireError/reservedField(_:type:)``; what value and encoder throw.
  static func encode<Value: Encodable>(_ value: Value, beside reserved: Set<String>, to encoder: any Encoder) throws {
    let fields = FieldEncoder(base: encoder, reserved: reserved, typeName: String(reflecting: Value.self))
    try value.encode(to: fields)
    if let problem = fields.findings.problem { throw problem }
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }
  fileprivate var contentIsNoObject: WireError { .contentIsNoObject(type: typeName) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldContainer(base: base.container(keyedBy: type), encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    note { throw contentIsNoObject }
    return RefusingContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer(encoder: self) }

  fileprivate func check(_ key: some CodingKey) throws {
    if reserved.contains(key.stringValue) { throw WireError.reservedField(key.stringValue, type: typeName) }
  }

  /// Keeps an error for the time when it can be thrown.
  fileprivate func note(_ check: () throws -> Void) {
    do { try check() } catch { findings.problem = findings.problem ?? error as? WireError }
  }
}

/// A keyed container that takes no field whose name is reserved.
private struct FieldContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>
  let encoder: FieldEncoder

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    try encoder.check(key)
    try base.encodeNil(forKey: key)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.check(key)
    try base.encode(value, forKey: key)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.note { try encoder.check(key) }
    return base.nestedContainer(keyedBy: keyType, forKey: key)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.note { try encoder.check(key) }
    return base.nestedUnkeyedContainer(forKey: key)
  }

  mutating func superEncoder() -> any Encoder { base.superEncoder() }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    encoder.note { try encoder.check(key) }
    return base.superEncoder(forKey: key)
  }
}

/// Stands where a value that should be an object encodes something else. A single value may still be an object inside.
private struct RefusingContainer: SingleValueEncodingContainer, UnkeyedEncodingContainer {
  let encoder: FieldEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { 0 }

  func encodeNil() throws { throw encoder.contentIsNoObject }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case is Bool, is String, is any BinaryInteger, is any BinaryFloatingPoint: throw encoder.contentIsNoObject
    default: try value.encode(to: encoder)
    }
  }

  func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { encoder }
}

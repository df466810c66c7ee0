/// Writes a value's fields beside others into one object.
///
/// It forwards a keyed container of the base encoder, and refuses fields whose names are used already, and any other kind of
/// container: encoders stop the process if an object and another value are in one place. A single value may still be an object
/// inside.
final class FieldEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
  private let base: any Encoder
  private let reserved: Set<String>
  /// The name of the value's type.
  private let type: String
  /// The first problem that was found where nothing can be thrown.
  private var problem: WireError?

  private init(base: any Encoder, reserved: Set<String>, type: String) {
    self.base = base
    self.reserved = reserved
    self.type = type
  }

  /// Writes the fields of a value into an object that also has fields with reserved names.
  ///
  /// - Throws: ``WireError/contentIsNoObject(type:)``, ``WireError/reservedField(_:type:)``; the errors of value and encoder.
  static func encode<Value: Encodable>(_ value: Value, beside reserved: Set<String>, to encoder: any Encoder) throws {
    let fields = FieldEncoder(base: encoder, reserved: reserved, type: String(reflecting: Value.self))
    try value.encode(to: fields)
    if let problem = fields.problem { throw problem }
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }
  var count: Int { 0 }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldContainer(base: base.container(keyedBy: type), encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    problem = problem ?? .contentIsNoObject(type: type)
    return self
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// The refusal of a field, if its name is reserved.
  fileprivate func refusal(of key: some CodingKey) -> WireError? {
    reserved.contains(key.stringValue) ? .reservedField(key.stringValue, type: type) : nil
  }

  fileprivate func check(_ key: some CodingKey) throws { if let error = refusal(of: key) { throw error } }

  /// Keeps the refusal for the time when it can be thrown.
  fileprivate func note(_ key: some CodingKey) { problem = problem ?? refusal(of: key) }

  // MARK: - Containers of values that should be objects

  func encodeNil() throws { throw WireError.contentIsNoObject(type: type) }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case is Bool, is String, is any BinaryInteger, is any BinaryFloatingPoint: try encodeNil()
    default: try value.encode(to: self)
    }
  }

  func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
    container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { self }
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
    encoder.note(key)
    return base.nestedContainer(keyedBy: keyType, forKey: key)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.note(key)
    return base.nestedUnkeyedContainer(forKey: key)
  }

  mutating func superEncoder() -> any Encoder { base.superEncoder() }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    encoder.note(key)
    return base.superEncoder(forKey: key)
  }
}

/// Values by keys, in copies that share what they have in common: a trie of the digits of hashes, with dictionaries as its
/// leaves (Phil Bagwell, "Ideal Hash Trees", 2001).
///
/// Its form depends on its content alone. Keys are equal to themselves.
@usableFromInline
struct PersistentMap<Key: Hashable & Sendable, Value: Hashable & Sendable>: Hashable, Sendable {
  /// The number of pairs.
  @usableFromInline private(set) var count = 0
  /// All pairs, if they are few, or the digits of their hashes are used up.
  @usableFromInline private(set) var pairs: [Key: Value] = [:]
  /// Otherwise a map for each value of the next digit.
  @usableFromInline private(set) var parts: [PersistentMap] = []

  /// The greatest number of pairs in one dictionary, while digits are left.
  private static var few: Int { 16 }
  private static var digits: Int { 8 }

  @inlinable var isEmpty: Bool { count == 0 }

  /// The value of a key. Takes O(log n).
  @inlinable
  subscript(key: Key) -> Value? {
    if parts.isEmpty { return pairs[key] }
    var (map, hash) = (self, key.hashValue)
    while !map.parts.isEmpty { (map, hash) = (map.parts[hash & 15], hash >> 4) }
    return map.pairs[key]
  }

  /// Sets or removes the value of a key, and returns its former value. Takes O(log n).
  @discardableResult
  mutating func set(_ key: Key, to value: Value?) -> Value? { set(key, to: value, key.hashValue, Self.digits) }

  private mutating func set(_ key: Key, to value: Value?, _ hash: Int, _ digits: Int) -> Value? {
    let former: Value?
    if parts.isEmpty {
      former = pairs[key]
      pairs[key] = value
    } else {
      former = parts[hash & 15].set(key, to: value, hash >> 4, digits - 1)
    }
    count += (value == nil ? 0 : 1) - (former == nil ? 0 : 1)
    if count <= Self.few, !parts.isEmpty {
      (pairs, parts) = (dictionary, [])
    } else if count > Self.few, parts.isEmpty, digits > 0 {
      parts = Array(repeating: PersistentMap(), count: 16)
      let level = 4 * (Self.digits - digits)
      for (key, value) in pairs {
        let hash = key.hashValue >> level
        _ = parts[hash & 15].set(key, to: value, hash >> 4, digits - 1)
      }
      pairs = [:]
    }
    return former
  }

  var dictionary: [Key: Value] { parts.reduce(pairs) { $0.merging($1.dictionary) { first, _ in first } } }

  /// The keys that have another value in another map, or are in only one of the maps. Takes O(d log n) for d of them, if one map
  /// was made from the other.
  func differences(from other: PersistentMap) -> Set<Key> {
    // Shared parts are found equal at once.
    if self == other { return [] }
    if parts.isEmpty || other.parts.isEmpty {
      let (own, others) = (dictionary, other.dictionary)
      return Set(own.keys).union(others.keys).filter { own[$0] != others[$0] }
    }
    return zip(parts, other.parts).reduce(into: []) { $0.formUnion($1.0.differences(from: $1.1)) }
  }
}

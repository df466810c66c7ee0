/// Returns true if two equal values are known to be the same in every respect. The `==` of a type may ignore something: the case
/// of a name, the sign of a zero, the form of a Unicode text. False means that they may be told apart.
@inlinable
func areIdentical<Value>(_ first: Value, _ second: Value) -> Bool {
  if let first = first as? String, let second = second as? String { return first.utf8.elementsEqual(second.utf8) }
  guard _isPOD(Value.self) else { return false }
  // Values of such a type are nothing but their bytes, which are read while the closures run. Bytes between their fields may
  // differ, which counts as a difference.
  return unsafe withUnsafeBytes(of: first) { first in
    unsafe withUnsafeBytes(of: second) { unsafe first.elementsEqual($0) }
  }
}

/// Returns true if two equal values can be told apart: by their texts, unless they are known to be identical.
@inlinable
func areDistinguishable<Value: Equatable>(_ first: Value, _ second: Value) -> Bool {
  !areIdentical(first, second) && !"\(first)".utf8.elementsEqual("\(second)".utf8)
}

/// Returns true if equal values of a type are always identical: integers, and no other types.
@inlinable
func isExact(_ type: any Any.Type) -> Bool { type is any BinaryInteger.Type }

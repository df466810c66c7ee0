/// Returns `true` if two values are equal, or unchanged values that are unequal to themselves.
@inlinable
package func areUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old == new || isUnchanged(unequal: old, new)
}

/// Returns `true` if two values that are unequal to themselves, such as measurements of NaN, have the same content: each pair of
/// stored values is equal, or NaN on both sides.
///
/// The stored values are read by reflection, which is slow, but only for values that are unequal to themselves. Objects, and
/// values with a mirror of their own, count as changed.
@usableFromInline
package func isUnchanged<Value: Equatable>(unequal old: Value, _ new: Value) -> Bool {
  if old == old { return false }
  return areSameBytes(old, new) || haveSameParts(old, new)
}

/// Returns `true` if two values that are nothing but bytes have the same bytes. Bytes between their fields may differ.
private func areSameBytes<Value>(_ old: Value, _ new: Value) -> Bool {
  guard _isPOD(Value.self) else { return false }
  // The bytes are read while the closures run.
  return unsafe withUnsafeBytes(of: old) { old in
    unsafe withUnsafeBytes(of: new) { unsafe old.elementsEqual($0) }
  }
}

private func isSame(_ old: Any, _ new: Any) -> Bool {
  if let old = old as? any Equatable, old.equals(new) { return true }
  return type(of: old) == type(of: new) && haveSameParts(old, new)
}

/// Returns `true` if two values of one type, which are not equal, are both NaN, or all their stored values are the same. Values
/// that were compared are not compared again.
private func haveSameParts(_ old: Any, _ new: Any) -> Bool {
  if let old = old as? any FloatingPoint, let new = new as? any FloatingPoint { return old.isNaN && new.isNaN }
  let mirror = Mirror(reflecting: old)
  switch mirror.displayStyle {
  case .class, .set, .dictionary: return false
  case .optional, .collection: break
  default: if old is any CustomReflectable { return false }
  }
  let other = Mirror(reflecting: new)
  return !mirror.children.isEmpty && mirror.children.count == other.children.count
    && zip(mirror.children, other.children).allSatisfy { $0.label == $1.label && isSame($0.value, $1.value) }
}

extension Equatable {
  fileprivate func equals(_ other: Any) -> Bool { (other as? Self).map { $0 == self } ?? false }
}

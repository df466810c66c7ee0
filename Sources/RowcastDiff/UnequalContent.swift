/// Returns `true` if two values that are unequal to themselves, such as measurements of NaN, have the same content: each pair of
/// stored values is equal, or NaN on both sides.
///
/// The stored values are read by reflection, which is slow, but only for values that are unequal to themselves. Objects, and
/// values with a mirror of their own, count as changed.
@usableFromInline
package func showSame<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  if old == old || new == new { return false }
  return isSame(old, new)
}

private func isSame(_ old: Any, _ new: Any) -> Bool {
  if let old = old as? any Equatable, old.equals(new) { return true }
  guard type(of: old) == type(of: new) else { return false }
  if let old = old as? any FloatingPoint, let new = new as? any FloatingPoint { return old.isNaN && new.isNaN }
  let (mirror, other) = (Mirror(reflecting: old), Mirror(reflecting: new))
  switch mirror.displayStyle {
  case .class, .set, .dictionary: return false
  case .optional, .collection: break
  default: if old is any CustomReflectable { return false }
  }
  return !mirror.children.isEmpty && mirror.children.count == other.children.count
    && zip(mirror.children, other.children).allSatisfy { $0.label == $1.label && isSame($0.value, $1.value) }
}

extension Equatable {
  fileprivate func equals(_ other: Any) -> Bool { (other as? Self).map { $0 == self } ?? false }
}

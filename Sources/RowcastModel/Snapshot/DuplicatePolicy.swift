/// The treatment of an id that occurs twice in the material of a snapshot.
///
/// Row ids are unique in the whole list, section ids among its sections. Dropping a section drops its rows with it.
///
/// An id that is unequal to itself, such as `Double.nan`, is a duplicate of nothing, and its row could never be found.
/// Snapshots and transactions refuse it under every policy, with
/// ``ListError/nonReflexiveRowID(_:at:)`` or ``ListError/nonReflexiveSectionID(_:at:)``.
public enum DuplicatePolicy: Hashable, Sendable {
  /// Refuse the material with a ``ListError`` that names the id and both places.
  case reject
  /// Keep the first occurrence, drop the later ones.
  case keepFirst
  /// Keep the last occurrence, drop the earlier ones.
  case keepLast
}

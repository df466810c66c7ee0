/// What to do with an id that occurs twice in the material of a snapshot.
///
/// Row ids are unique in the whole list, section ids among its sections. Dropping a section drops its rows with it.
///
/// An id that is not equal to itself, such as a `Double` that is not a number, is a duplicate of nothing, and nothing
/// could find its row again. Snapshots and transactions refuse it under every policy, with
/// ``ListError/rowIDUnequalToItself(_:at:)`` or ``ListError/sectionIDUnequalToItself(_:at:)``.
public enum DuplicatePolicy: Hashable, Sendable {
  /// Refuse the material with a ``ListError`` that names the id and both places.
  case reject
  /// Keep the first occurrence, drop the later ones.
  case keepFirst
  /// Keep the last occurrence, drop the earlier ones.
  case keepLast
}

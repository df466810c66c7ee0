/// The place of a row in an outline.
public struct OutlinePlace<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The number of rows above this one, up to the top: 0 for a row at the top.
  public let depth: Int
  /// The parent of this row in the outline; `nil` at the top. It is not the parent that the row names if that one is missing, or
  /// if the row was cut out of a cycle.
  public let parent: ID?
  /// True if this row has children, shown or not.
  public let hasChildren: Bool
  /// True if the children are shown. False without children.
  public let isExpanded: Bool
  /// False for a row that does not pass the filter of the outline, and is shown as an ancestor of one that does.
  public let isMatch: Bool

  /// A place, made by hand: for previews and tests.
  ///
  /// - Parameters:
  ///   - depth: The number of rows above this one, up to the top.
  ///   - parent: The parent of this row in the outline.
  ///   - hasChildren: True if this row has children.
  ///   - isExpanded: True if the children are shown.
  ///   - isMatch: False for a row that is shown as an ancestor only.
  public init(
    depth: Int = 0, parent: ID? = nil, hasChildren: Bool = false, isExpanded: Bool = false, isMatch: Bool = true
  ) {
    (self.depth, self.parent, self.hasChildren) = (depth, parent, hasChildren)
    (self.isExpanded, self.isMatch) = (isExpanded, isMatch)
  }

  /// Two places are equal if all their properties are. (A synthesised operator is not specialised in other modules.)
  @inlinable
  public static func == (lhs: OutlinePlace, rhs: OutlinePlace) -> Bool {
    lhs.depth == rhs.depth && lhs.parent == rhs.parent && lhs.hasChildren == rhs.hasChildren
      && lhs.isExpanded == rhs.isExpanded && lhs.isMatch == rhs.isMatch
  }
}

extension OutlinePlace: Codable where ID: Codable {}

/// A policy for rows whose parent the list does not have.
public enum MissingParentPolicy: Hashable, Sendable {
  /// The row is at the top, with its descendants, until the parent is inserted.
  case top
  /// The row and its descendants are hidden until the parent is inserted.
  case hidden
}

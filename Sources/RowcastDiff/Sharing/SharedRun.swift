/// Neighbours that are the same in two lists: known to be so, or found to be.
public struct SharedRun: Hashable, Sendable {
  /// The position of the first of them before the change.
  public var before: Int
  /// The position of the first of them after the change.
  public var after: Int
  /// How many they are, at least 1.
  public var count: Int

  /// Creates a run from its positions on either side.
  @inlinable
  public init(before: Int, after: Int, count: Int) {
    self.before = before
    self.after = after
    self.count = count
  }
}

/// What stands between two shared runs on either side, and has to be compared.
public struct ChangedStretch<Element> {
  /// The position of the first element of ``before``.
  public var beforeStart: Int
  /// The position of the first element of ``after``.
  public var afterStart: Int
  /// The elements before the change.
  public var before: [Element]
  /// The elements after the change.
  public var after: [Element]

  /// Creates a stretch from its elements on either side.
  @inlinable
  public init(beforeStart: Int, afterStart: Int, before: [Element], after: [Element]) {
    self.beforeStart = beforeStart
    self.afterStart = afterStart
    self.before = before
    self.after = after
  }
}

/// A section on the line of all rows that take part in a difference: where it stands, and how many rows it has.
public struct SharedSegment: Hashable, Sendable {
  /// The index of the section before the change.
  public var before: Int
  /// The index of the section after the change.
  public var after: Int
  /// The number of its rows before the change.
  public var beforeCount: Int
  /// The number of its rows after the change.
  public var afterCount: Int

  /// Creates a segment.
  @inlinable
  public init(before: Int, after: Int, beforeCount: Int, afterCount: Int) {
    self.before = before
    self.after = after
    self.beforeCount = beforeCount
    self.afterCount = afterCount
  }
}

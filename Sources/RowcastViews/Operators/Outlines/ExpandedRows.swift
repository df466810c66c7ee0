/// A row of an outline, or a row with all its descendants, whose expansion differs from others of its depth.
@usableFromInline
struct ExpansionException: Hashable, Sendable, Codable {
  @usableFromInline let isExpanded: Bool
  /// The number of exceptions for subtrees up to and including this one. A greater number wins; among equal numbers, the
  /// exception for a single row.
  @usableFromInline let order: Int
}

/// The rows of an outline that are expanded: all above a depth, and exceptions.
///
/// It is a value that can be saved, and given to an ``OutlineExpansion`` of the next run. Rows need not be in the list: a row
/// that is inserted again is expanded if it was, until ``OutlineExpansion/prune(keeping:)`` forgets it.
public struct ExpandedRows<ID: Hashable & Sendable>: Sendable {
  /// Rows of a smaller depth are expanded unless an exception says otherwise.
  @usableFromInline let depth: Int
  /// The exceptions for single rows.
  @usableFromInline private(set) var rows = PersistentMap<ID, ExpansionException>()
  /// The exceptions for rows with their descendants.
  @usableFromInline private(set) var subtrees = PersistentMap<ID, ExpansionException>()
  private var order = 0
  /// The numbers of exceptions, for single rows and for subtrees, that differ from what all rows are without one.
  private var (opposingRows, opposingSubtrees) = (0, 0)

  /// Expanded rows.
  ///
  /// - Parameter depth: Rows of a smaller depth are expanded: none for 0, and all by default.
  public init(depth: Int = .max) { self.depth = depth }

  /// What each row is without an exception; `nil` if that depends on its depth.
  private var standard: Bool? { depth == .max ? true : depth <= 0 ? false : nil }

  /// Expands or collapses one row.
  ///
  /// The row is an exception then, unless all rows are expanded or none is by default, and this one is as others are.
  ///
  /// - Parameters:
  ///   - id: The id of the row.
  ///   - isExpanded: True if the row is expanded.
  ///   - descendants: True if all rows under this one are, too.
  /// - Returns: True if that changes an exception.
  /// - Complexity: O(log e) for e exceptions.
  @discardableResult
  mutating func set(_ id: ID, isExpanded: Bool, descendants: Bool = false) -> Bool {
    // Such a row could not be found again.
    if id != id { return false }
    let isStandard = standard == isExpanded
    if !descendants {
      let isPlain = isStandard && opposingSubtrees == 0
      return setRow(id, to: isPlain ? nil : ExpansionException(isExpanded: isExpanded, order: order))
    }
    let former = (row: setRow(id, to: nil), subtree: subtrees[id])
    if isStandard, opposingRows == 0, opposingSubtrees == (former.subtree?.isExpanded == !isExpanded ? 1 : 0) {
      // All rows are as they would be without exceptions, and the remaining exceptions say the same.
      let isChanged = former.row || !rows.isEmpty || !subtrees.isEmpty
      self = ExpandedRows(depth: depth)
      return isChanged
    }
    order &+= 1
    setSubtree(id, to: ExpansionException(isExpanded: isExpanded, order: order))
    return true
  }

  private func isOpposing(_ exception: ExpansionException?) -> Bool {
    exception.map { $0.isExpanded != standard } ?? false
  }

  private mutating func setRow(_ id: ID, to exception: ExpansionException?) -> Bool {
    let former = rows.set(id, to: exception)
    opposingRows += (isOpposing(exception) ? 1 : 0) - (isOpposing(former) ? 1 : 0)
    return former != exception
  }

  private mutating func setSubtree(_ id: ID, to exception: ExpansionException?) {
    let former = subtrees.set(id, to: exception)
    opposingSubtrees += (isOpposing(exception) ? 1 : 0) - (isOpposing(former) ? 1 : 0)
  }

  /// Forgets all exceptions except for some rows. Takes O(e log e) for e exceptions.
  mutating func prune(keeping kept: Set<ID>) {
    for id in rows.dictionary.keys where !kept.contains(id) { _ = setRow(id, to: nil) }
    for id in subtrees.dictionary.keys where !kept.contains(id) { setSubtree(id, to: nil) }
  }

  /// The level of siblings: the number of their ancestors, and the newest exception among these.
  @usableFromInline typealias Level = (depth: Int, exception: ExpansionException?)

  /// The level of the rows at the top.
  @inlinable static var topLevel: Level { (0, nil) }

  /// The level of the children of a row.
  @inlinable
  func level(below id: ID, at level: Level) -> Level {
    guard !subtrees.isEmpty, let own = subtrees[id], own.order > level.exception?.order ?? 0 else {
      return (level.depth + 1, level.exception)
    }
    return (level.depth + 1, own)
  }

  /// True if a row is expanded.
  @inlinable
  func isExpanded(_ id: ID, at level: Level) -> Bool {
    let inherited = self.level(below: id, at: level).exception
    if let own = rows[id], own.order >= inherited?.order ?? own.order { return own.isExpanded }
    return inherited?.isExpanded ?? (level.depth < depth)
  }

  /// The rows whose exceptions differ in two values. Takes O(d log e) for d of them, if one value was made from the other.
  @usableFromInline
  func differences(from other: ExpandedRows) -> Set<ID> {
    rows.differences(from: other.rows).union(subtrees.differences(from: other.subtrees))
  }
}

extension ExpandedRows: Hashable {
  /// Two values are equal if they have the same depth and the same exceptions.
  public static func == (lhs: ExpandedRows, rhs: ExpandedRows) -> Bool {
    lhs.depth == rhs.depth && lhs.rows == rhs.rows && lhs.subtrees == rhs.subtrees
  }

  /// Hashes the depth and the exceptions.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(depth)
    hasher.combine(rows)
    hasher.combine(subtrees)
  }
}

extension ExpandedRows: Codable where ID: Codable {
  private enum CodingKeys: CodingKey {
    case depth, rows, subtrees, order
  }

  /// Decodes what was saved.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    depth = try container.decode(Int.self, forKey: .depth)
    order = try container.decode(Int.self, forKey: .order)
    for (id, exception) in try container.decode([ID: ExpansionException].self, forKey: .rows) where id == id {
      _ = setRow(id, to: exception)
    }
    for (id, exception) in try container.decode([ID: ExpansionException].self, forKey: .subtrees) where id == id {
      setSubtree(id, to: exception)
    }
  }

  /// Encodes the depth and the exceptions.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(depth, forKey: .depth)
    try container.encode(rows.dictionary, forKey: .rows)
    try container.encode(subtrees.dictionary, forKey: .subtrees)
    try container.encode(order, forKey: .order)
  }
}

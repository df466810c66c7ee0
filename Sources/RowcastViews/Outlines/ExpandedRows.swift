/// The rows of an outline that are expanded: all above a depth, and exceptions.
///
/// It is a value that can be saved, and given to an ``OutlineExpansion`` of the next run. Rows need not be in the list: a row that
/// comes back is expanded if it was.
public struct ExpandedRows<ID: Hashable & Sendable>: Hashable, Sendable {
  /// An exception. Later ones count more.
  @usableFromInline
  struct Mark: Hashable, Sendable {
    @usableFromInline let isExpanded: Bool
    @usableFromInline let order: Int
  }

  /// Rows of a smaller depth are expanded unless an exception says otherwise.
  public private(set) var depth: Int
  /// The exceptions for single rows.
  @usableFromInline private(set) var rows: [ID: Mark] = [:]
  /// The exceptions for rows with all that stands under them.
  @usableFromInline private(set) var subtrees: [ID: Mark] = [:]
  private var order = 0

  /// Expanded rows.
  ///
  /// - Parameter depth: Rows of a smaller depth are expanded: none for 0, and all by default.
  public init(depth: Int = .max) { self.depth = depth }

  /// Expands or collapses one row.
  ///
  /// - Parameters:
  ///   - id: The id of the row.
  ///   - isExpanded: True if the row is expanded.
  ///   - descendants: True if all rows under this one are, too.
  public mutating func set(_ id: ID, isExpanded: Bool, descendants: Bool = false) {
    // Such a row could not be found again.
    if id != id { return }
    order &+= 1
    if descendants {
      subtrees[id] = Mark(isExpanded: isExpanded, order: order)
      rows[id] = nil
    } else {
      rows[id] = Mark(isExpanded: isExpanded, order: order)
    }
  }

  /// True if a row is expanded. `depth` is the number of rows above it, and `ancestors` their newest exception.
  @_alwaysEmitIntoClient
  func isExpanded(_ id: ID, depth: Int, under ancestors: Mark?) -> Bool {
    let inherited = mark(below: id, under: ancestors)
    if let own = rows[id], own.order > inherited?.order ?? 0 { return own.isExpanded }
    return inherited?.isExpanded ?? (depth < self.depth)
  }

  /// The newest exception for all rows under one.
  @_alwaysEmitIntoClient
  func mark(below id: ID, under ancestors: Mark?) -> Mark? {
    guard !subtrees.isEmpty, let own = subtrees[id], own.order > ancestors?.order ?? 0 else { return ancestors }
    return own
  }

  /// The rows for which two values have other exceptions. Takes O(e) for e exceptions.
  @_alwaysEmitIntoClient
  func differences(from other: ExpandedRows) -> Set<ID> {
    var ids: Set<ID> = []
    for (marks, others) in [(rows, other.rows), (subtrees, other.subtrees)] {
      for (id, mark) in marks where others[id] != mark { ids.insert(id) }
      for id in others.keys where marks[id] == nil { ids.insert(id) }
    }
    return ids
  }
}

extension ExpandedRows: Codable where ID: Codable {}
extension ExpandedRows.Mark: Codable where ID: Codable {}

public import RowcastDiff

/// The rows of one section of a snapshot, in order: a view that shares them with the snapshot.
///
/// Reading one row by its index is O(log n); reading all of them in order is O(n).
public struct ListRows<Row: RowViewModel>: RandomAccessCollection, Sendable {
  @usableFromInline let base: Tree<RowKind<Row>>

  @inlinable
  init(base: Tree<RowKind<Row>>) { self.base = base }

  /// No rows.
  @inlinable
  public init() { self.init(base: Tree(flat: [], shape: .rows)) }

  /// The position of the first row, always 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of rows.
  @inlinable public var endIndex: Int { base.count }

  /// The row at an index.
  ///
  /// - Precondition: The index lies within the section.
  /// - Complexity: O(log n).
  @inlinable
  public subscript(index: Int) -> Row {
    require(index >= 0 && index < base.count, "Row \(index) is out of range 0..<\(base.count)")
    return base.element(at: index)
  }

  /// Reads the rows in order, faster than by their indexes.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(base: base.makeIterator()) }

  /// Transforms all rows, in order. The same of any other collection reads by index, which takes O(log n) a row here.
  ///
  /// - Parameter transform: Gets each row once.
  /// - Returns: What the closure returns, in the order of the rows.
  /// - Throws: What the closure throws.
  /// - Complexity: O(n).
  @inlinable
  public func map<Result, Failure: Error>(_ transform: (Row) throws(Failure) -> Result) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    for row in self { results.append(try transform(row)) }
    return results
  }

  /// Reads the rows of a section in order.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var base: TreeIterator<RowKind<Row>>

    @inlinable
    init(base: TreeIterator<RowKind<Row>>) { self.base = base }

    /// The next row.
    @inlinable
    @inline(__always)
    public mutating func next() -> Row? { base.next() }
  }
}

extension ListRows: Equatable {
  /// Whether both have equal rows in the same order, or rows that show the same. What they share is not compared.
  ///
  /// - Complexity: O(d log n) for d rows that are not shared.
  @inlinable
  public static func == (lhs: ListRows, rhs: ListRows) -> Bool { lhs.base.hasSameRows(as: rhs.base) }
}

extension Tree {
  /// Whether both trees have equal elements in the same order.
  @inlinable
  func isSame(as other: Tree, _ areEqual: (Element, Element) -> Bool) -> Bool {
    guard count == other.count else { return false }
    var isSame = true
    // Trees that differ mostly do so from the first leaf on that is not shared, and have the same form up to there.
    let isAllRead = unsafe forEachChangedLeaf(other) { old, _, new, _ in
      for index in 0..<Swift.min(old.count, new.count) where unsafe !areEqual(old[index], new[index]) {
        isSame = false
        return false
      }
      return old.count == new.count
    }
    if isAllRead || !isSame { return isSame }
    var comparison = TreeComparison<Kind>(section: IndexPair(old: 0, new: 0))
    comparison.compare(self, other, isRelated: true)
    // No id occurs twice: what is shared at another place is not at this one.
    return comparison.stretches.allSatisfy { stretch in
      stretch.extent.row.old == stretch.extent.row.new && stretch.old.count == stretch.new.count
        && zip(stretch.old, stretch.new).allSatisfy(areEqual)
    }
  }

  @inlinable
  func hasSameRows<Row: Equatable>(as other: Tree) -> Bool where Kind == RowKind<Row> {
    isSame(as: other) { $0 == $1 || showSame($0, $1) }
  }
}

extension ListSnapshot {
  /// The sections of a list, in order, without their rows.
  public struct SectionModels: RandomAccessCollection, Sendable {
    let base: Sections

    /// The index of the first section, always 0.
    public var startIndex: Int { 0 }
    /// The number of sections.
    public var endIndex: Int { base.count }

    /// The section at an index, which is its index in the list.
    ///
    /// - Precondition: The index lies within the list.
    /// - Complexity: O(log n) for n sections.
    public subscript(index: Int) -> Section { base.element(at: index).model }
  }
}

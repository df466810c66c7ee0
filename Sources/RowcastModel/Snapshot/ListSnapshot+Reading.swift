public import RowcastDiff

extension ListSnapshot {
  /// The sections, in order, without their rows.
  ///
  ///     let index = snapshot.sections.firstIndex { $0.isFavorite }
  ///     let rows = index.map { snapshot.rows(inSection: $0) }
  @inlinable public var sections: SectionCollection<Section> { SectionCollection(tree) { $0.model } }

  /// The sections, each with its rows, in order.
  ///
  ///     for content in snapshot.contents { print(content.section.title, content.rows.count) }
  @inlinable public var contents: SectionCollection<Content> {
    SectionCollection(tree) { Content(section: $0.model, rows: ListRows(base: $0.rows)) }
  }

  /// The rows of all sections, in order.
  ///
  ///     let unread = snapshot.allRows.count { $0.isUnread }
  @inlinable public var allRows: AllRows { AllRows(tree, count: totalRows) }

  /// The row at a path.
  ///
  /// - Precondition: The path lies within the list.
  /// - Complexity: O(log n) for n rows and sections.
  @inlinable
  public subscript(path: RowPath) -> Row { row(at: path) }

  /// A snapshot has no index of ids.
  ///
  /// - Parameter id: The id of a row.
  /// - Returns: Nothing that can be used.
  @available(
    *, unavailable,
    message: "a snapshot has no index of ids: watch row(id) of its list, ask in an edit, or scanForPath(ofRow:)"
  )
  public func row(_ id: Row.ID) -> Row? { nil }

  /// The index of a section, found by reading the list from its beginning, or `nil` if the list does not have it. In a
  /// transaction of a store, finding a section by its id takes O(log n).
  ///
  /// - Complexity: O(number of sections).
  @inlinable
  public func scanForIndex(ofSection id: Section.ID) -> Int? {
    tree.firstPosition { $0.model.id == id }
  }

  /// The path of a row, found by reading the list from its beginning, or `nil` if the list does not have it. In a
  /// transaction of a store, finding a row by its id takes O(log n).
  ///
  /// - Complexity: O(number of rows).
  @inlinable
  public func scanForPath(ofRow id: Row.ID) -> RowPath? {
    var section = 0
    for entry in tree {
      if let row = entry.rows.firstPosition(where: { $0.id == id }) { return RowPath(section: section, row: row) }
      section += 1
    }
    return nil
  }

  /// The path of the row below another one, in its section or in the next that has rows.
  ///
  /// - Complexity: O(s log n) for s sections passed of n.
  package func path(after path: RowPath) -> RowPath? {
    if path.row + 1 < rowCount(inSection: path.section) { return RowPath(section: path.section, row: path.row + 1) }
    return (path.section + 1..<max(path.section + 1, sectionCount)).first { rowCount(inSection: $0) > 0 }
      .map { RowPath(section: $0, row: 0) }
  }

  /// The number of rows of each section.
  @inlinable package var rowCounts: [Int] { tree.map { $0.rows.count } }

  /// The number of rows of each section, from the counts of another list. Sections that both share are not read.
  ///
  /// - Complexity: O(d log s) for d of s sections that are not shared, and a copy of s integers; O(s) if sections were inserted,
  ///   removed or moved.
  @inlinable
  package func rowCounts(startingFrom other: ListSnapshot, _ counts: [Int]) -> [Int] {
    guard counts.count == sectionCount, sectionCount == other.sectionCount else { return rowCounts }
    var counts = counts
    let isSameForm = tree.forEachPair(with: other.tree) { index, section, _ in
      counts[index] = section.rows.count
      return true
    }
    return isSameForm ? counts : rowCounts
  }

  /// The number of rows of a section before the first one for which a condition is true. It is true for all rows after that one.
  @inlinable
  package func partitioningRow(
    inSection section: Int, where belongsInSecondPartition: (Row) throws -> Bool
  ) rethrows -> Int {
    try entry(at: section).rows.partitioningIndex(where: belongsInSecondPartition)
  }

  /// The number of sections before the first one for which a condition is true. It is true for all sections after that one.
  @inlinable
  package func partitioningSection(
    where belongsInSecondPartition: (Section, ListRows<Row>) throws -> Bool
  ) rethrows -> Int {
    try tree.partitioningIndex { try belongsInSecondPartition($0.model, ListRows(base: $0.rows)) }
  }

  /// Some neighbouring rows of a section, by their indexes in it.
  @inlinable
  package func rows(inSection section: Int, _ range: Range<Int>) -> [Row] {
    entry(at: section).rows.elements(in: range)
  }

  /// The number of nodes of some lists, each counted once.
  package static func nodeCount(of lists: [ListSnapshot]) -> Int {
    var addresses: Set<Int> = []
    for list in lists {
      list.tree.collectAddresses(&addresses)
      for entry in list.tree { entry.rows.collectAddresses(&addresses) }
    }
    return addresses.count
  }

  /// The number of nodes that this list does not share with another one.
  package func nodeCount(besides other: ListSnapshot) -> Int {
    Self.nodeCount(of: [self, other]) - Self.nodeCount(of: [other])
  }

  /// A section of a list, and its rows.
  public struct Content: Equatable, Sendable {
    /// The section itself.
    public let section: Section
    /// The rows of the section, in order.
    public let rows: ListRows<Row>

    @inlinable
    init(section: Section, rows: ListRows<Row>) {
      self.section = section
      self.rows = rows
    }
  }

  /// The sections of a list, in order: their models, or models with rows.
  ///
  /// Reading one by its index is O(log n) for n sections; reading all of them in order is O(n).
  public struct SectionCollection<Element: Sendable>: RandomAccessCollection, Sendable {
    @usableFromInline let tree: Sections
    @usableFromInline let read: @Sendable (SectionEntry<Section, Row>) -> Element

    @inlinable
    init(_ tree: Sections, _ read: @escaping @Sendable (SectionEntry<Section, Row>) -> Element) {
      self.tree = tree
      self.read = read
    }

    /// The index of the first section, always 0.
    @inlinable public var startIndex: Int { 0 }

    /// The number of sections.
    @inlinable public var endIndex: Int { tree.count }

    /// The section at an index, which is its index in the list.
    ///
    /// - Precondition: The index lies within the list.
    /// - Complexity: O(log n) for n sections.
    @inlinable
    public subscript(index: Int) -> Element { tree.withElement(at: index, read) }

    /// Reads the sections in order, faster than by their indexes.
    @inlinable
    public func makeIterator() -> some IteratorProtocol<Element> { tree.lazy.map(read).makeIterator() }
  }

  /// The rows of all sections of a list, in order.
  ///
  /// Reading all of them is O(n) for n rows and sections. It is a sequence: to find a row by its place, use `rows(inSection:)`.
  public struct AllRows: Sequence, Sendable {
    @usableFromInline let tree: Sections
    /// The number of rows.
    public let count: Int
    /// The number of rows.
    @inlinable public var underestimatedCount: Int { count }
    /// The first row, or `nil` if there is none.
    ///
    /// - Complexity: O(s) for s sections without rows before it.
    @inlinable public var first: Row? { first { _ in true } }

    @inlinable
    init(_ tree: Sections, count: Int) {
      self.tree = tree
      self.count = count
    }

    /// Reads the rows from the first on.
    @inlinable
    public func makeIterator() -> some IteratorProtocol<Row> { tree.lazy.map { $0.rows }.joined().makeIterator() }
  }
}

extension Tree {
  package func collectAddresses(_ addresses: inout Set<Int>) {
    func collect(_ child: Child) {
      if child.count > 0 { addresses.insert(child.node.address) }
      if case .inner(let children) = child.node { children.forEach(collect) }
    }
    collect(root)
  }
}

public import RowcastDiff

/// The whole list at one moment: an immutable value that is cheap to copy.
///
/// Section ids are unique among the sections, row ids in the whole list. A snapshot that a store made from another one
/// shares everything unchanged with it.
///
///     let snapshot = try ListSnapshot([
///       ListSection(Channel(id: "general", title: "General"), rows: messages),
///     ])
///     let changes = before.changes(to: snapshot)
public struct ListSnapshot<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package typealias Sections = Tree<SectionKind<Section, Row>>
  @usableFromInline package typealias Rows = Tree<RowKind<Row>>

  /// The sections, each with a tree of its rows.
  @usableFromInline package var tree: Sections
  @usableFromInline var totalRows: Int
  @usableFromInline package let rowShape: TreeShape
  /// A random number that is the same for all lists made by edits from one list; 0 for lists made from the empty list. Only lists
  /// with the same number can share nodes.
  @usableFromInline let lineage: UInt64

  /// The empty list.
  @inlinable
  public init() { self.init(unchecked: []) }

  /// Builds a list from its sections.
  ///
  /// - Parameters:
  ///   - sections: The sections with their rows, in order.
  ///   - duplicates: The treatment of an id that occurs twice.
  /// - Throws: ``ListError/nonReflexiveRowID(_:at:)`` or ``ListError/nonReflexiveSectionID(_:at:)`` for an id that
  ///   is unequal to itself. With ``DuplicatePolicy/reject``, ``ListError/duplicateRow(_:first:second:)`` or
  ///   ``ListError/duplicateSection(_:first:second:)`` for the first id that occurs again.
  /// - Complexity: O(n) for n rows and sections.
  @inlinable
  public init(
    _ sections: any Sequence<ListSection<Section, Row>>, duplicates: DuplicatePolicy = .reject
  ) throws(ListError<Section.ID, Row.ID>) {
    self.init(unchecked: try Self.resolved(Array(sections), duplicates: duplicates))
  }

  /// Builds a list from sections whose ids are known to be unique.
  @inlinable
  package init(
    unchecked material: [ListSection<Section, Row>], sectionShape: TreeShape = .sections, rowShape: TreeShape = .rows
  ) {
    let entries = material.map { SectionEntry($0.model, rows: Rows(flat: $0.rows, shape: rowShape)) }
    self.init(
      tree: Sections(flat: entries, shape: sectionShape), rowCount: material.reduce(0) { $0 + $1.rows.count },
      rowShape: rowShape)
  }

  /// Builds a list from sections whose ids are known to be unique, with nodes that a draft can adopt.
  @inlinable
  package init(numbered material: [ListSection<Section, Row>]) {
    var nodeIndex = NodeIndex.numbering()
    self.init(material, sectionShape: .sections, rowShape: .rows, &nodeIndex)
  }

  @inlinable
  init(
    _ material: [ListSection<Section, Row>], sectionShape: TreeShape, rowShape: TreeShape, _ nodeIndex: inout NodeIndex
  ) {
    var rowCount = 0
    let entries = material.map { section in
      rowCount += section.rows.count
      return SectionEntry(section.model, rows: Rows(section.rows, shape: rowShape, &nodeIndex))
    }
    self.init(tree: Sections(entries, shape: sectionShape, &nodeIndex), rowCount: rowCount, rowShape: rowShape)
  }

  @inlinable
  init(tree: Sections, rowCount: Int, rowShape: TreeShape, lineage: UInt64? = nil) {
    self.tree = tree
    totalRows = rowCount
    self.rowShape = rowShape
    self.lineage = lineage ?? (tree.count == 0 ? 0 : .random(in: 1...UInt64.max))
  }

  /// The list of some sections, each with rows that another list has: a list with the lineage, if one is given.
  package init(combining entries: [SectionEntry<Section, Row>], lineage: UInt64? = nil) {
    var nodeIndex = NodeIndex.numbering()
    self.init(
      tree: Sections(entries, shape: .sections, &nodeIndex), rowCount: entries.reduce(0) { $0 + $1.rows.count },
      rowShape: entries.first?.rows.shape ?? .rows, lineage: lineage)
  }

  /// The list without the sections that have no rows. It shares its rows with this one.
  @usableFromInline package var withoutEmptySections: ListSnapshot {
    let filled = tree.filter { $0.rows.count > 0 }
    return filled.count == sectionCount ? self : ListSnapshot(combining: filled, lineage: lineage)
  }

  /// The sections with their rows, as arrays.
  @inlinable package var material: [ListSection<Section, Row>] {
    tree.map { ListSection($0.model, rows: $0.rows.elements) }
  }

  // MARK: - Reading

  /// A Boolean value that tells if the list has no row. It may have sections.
  @inlinable public var isEmpty: Bool { totalRows == 0 }

  /// The number of sections.
  @inlinable public var sectionCount: Int { tree.count }

  /// The number of rows in all sections.
  ///
  /// - Complexity: O(1).
  @inlinable public var rowCount: Int { totalRows }

  /// The section at an index.
  ///
  /// - Precondition: The index lies within the list.
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public func section(at index: Int) -> Section { withEntry(at: index) { $0.model } }

  /// The rows of a section, in order.
  ///
  /// - Precondition: The index lies within the list.
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public func rows(inSection index: Int) -> ListRows<Row> { ListRows(base: withEntry(at: index) { $0.rows }) }

  /// The number of rows of a section.
  ///
  /// - Precondition: The index lies within the list.
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public func rowCount(inSection index: Int) -> Int { withEntry(at: index) { $0.rows.count } }

  /// The row at a path.
  ///
  /// - Precondition: The path lies within the list.
  /// - Complexity: O(log n) for n rows and sections.
  @inlinable
  public func row(at path: RowPath) -> Row {
    withEntry(at: path.section) { entry in
      let count = entry.rows.count
      require(path.row >= 0 && path.row < count, "Row \(path) is out of range: its section has \(count) rows")
      return entry.rows.element(at: path.row)
    }
  }

  /// Returns `true` if the list has a row at a path.
  ///
  /// - Complexity: O(log n) for n sections.
  @inlinable
  public func contains(_ path: RowPath) -> Bool {
    path.section >= 0 && path.section < tree.count && path.row >= 0 && path.row < rowCount(inSection: path.section)
  }

  @inlinable
  func entry(at index: Int) -> SectionEntry<Section, Row> { withEntry(at: index) { $0 } }

  @inlinable
  func withEntry<Result>(at index: Int, _ read: (SectionEntry<Section, Row>) -> Result) -> Result {
    require(index >= 0 && index < tree.count, "Section \(index) is out of range 0..<\(tree.count)")
    return tree.withElement(at: index, read)
  }
}

/// A section together with its rows: the material from which snapshots are built.
public struct ListSection<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// The section itself.
  public var model: Section
  /// The rows of the section, in order.
  public var rows: [Row]

  /// Creates a section from its model and its rows.
  public init(_ model: Section, rows: [Row] = []) {
    self.model = model
    self.rows = rows
  }
}

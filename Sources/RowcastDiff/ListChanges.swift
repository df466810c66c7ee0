/// The difference of two sectioned lists: the operations on sections and on rows.
///
/// Row operations concern the sections that are in both lists. The rows of a deleted or an inserted section are not listed: they
/// are deleted and inserted with it. A row that crosses the border of such a section is listed on its surviving side only, as a
/// deletion or an insertion.
public struct ListChanges: Hashable, Sendable {
  /// The operations on sections. An update of a section is a change of the section model; changes of its rows are not updates of
  /// it.
  public var sections: Changeset<Int>
  /// The operations on rows.
  public var rows: Changeset<RowPath>

  /// Creates the changes of a list from those of its sections and of its rows.
  @inlinable
  public init(sections: Changeset<Int> = .init(), rows: Changeset<RowPath> = .init()) {
    self.sections = sections
    self.rows = rows
  }

  /// A Boolean value that tells if nothing changes.
  @inlinable
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }

  /// The number of operations on sections and rows together.
  @inlinable
  public var count: Int { sections.count + rows.count }
}

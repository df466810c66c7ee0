public import RowcastDiff

/// The operations of a strict table in one step: changes and reloads.
///
/// The changes of a list never hold a reload, as content updates keep their cells. Reloads are here to check the batches of
/// other views: a reload is a delete and an insert in one.
public struct TableBatch: Hashable, Sendable {
  /// The changes. Their operations need not be sorted.
  public var changes: ListChanges
  /// The sections that are reloaded with all their rows: indexes before the batch.
  public var reloadedSections: [Int]
  /// The rows that are reloaded: paths before the batch.
  public var reloadedRows: [RowPath]

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - reloadedSections: Indexes before the batch.
  ///   - reloadedRows: Paths before the batch.
  public init(_ changes: ListChanges, reloadedSections: [Int] = [], reloadedRows: [RowPath] = []) {
    self.changes = changes
    self.reloadedSections = reloadedSections
    self.reloadedRows = reloadedRows
  }

  // Inlined, as a call of each would be given a copy of the batch.
  @inline(__always) var sections: Changeset<Int> { changes.sections }
  @inline(__always) var rows: Changeset<RowPath> { changes.rows }
  /// The sections that are deleted or reloaded: indexes before the batch.
  @inline(__always) var leavingSections: [Int] {
    reloadedSections.isEmpty ? sections.deletes : sections.deletes + reloadedSections
  }
  /// The rows that are deleted or reloaded: paths before the batch.
  @inline(__always) var leavingRows: [RowPath] { reloadedRows.isEmpty ? rows.deletes : rows.deletes + reloadedRows }
}

/// A section or a row of a batch, and the side of the batch on which its index counts.
public enum BatchPlace: Hashable, Sendable {
  /// A section by its index before the batch.
  case sectionBefore(Int)
  /// A section by its index after the batch.
  case sectionAfter(Int)
  /// A row by its path before the batch.
  case rowBefore(RowPath)
  /// A row by its path after the batch.
  case rowAfter(RowPath)
}

extension BatchPlace: CustomStringConvertible {
  /// The section or row, and the side.
  public var description: String {
    switch self {
    case .sectionBefore(let index): "section \(index) before"
    case .sectionAfter(let index): "section \(index) after"
    case .rowBefore(let path): "row \(path) before"
    case .rowAfter(let path): "row \(path) after"
    }
  }
}

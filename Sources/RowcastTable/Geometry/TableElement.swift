public import RowcastDiff

/// A header, row or footer: the elements that a table shows one below the other.
public enum TableElement: Hashable, Sendable {
  /// The header of a section.
  case header(section: Int)
  /// A row.
  case row(RowPath)
  /// The footer of a section.
  case footer(section: Int)

  /// The index of the section.
  @usableFromInline package var section: Int {
    switch self {
    case .header(let section), .footer(let section): section
    case .row(let path): path.section
    }
  }

  /// The path of the row, or `nil` for a header or footer.
  public var rowPath: RowPath? { if case .row(let path) = self { path } else { nil } }

  /// The order within the section: the header is before the rows, the footer after them.
  private var position: Int {
    switch self {
    case .header: -1
    case .row(let path): path.row
    case .footer: .max
    }
  }

  /// True if the element is above another one.
  func precedes(_ other: TableElement) -> Bool { (section, position) < (other.section, other.position) }

  /// True if the other element is the next row of the same section.
  func isFollowed(by other: TableElement) -> Bool {
    guard case .row(let path) = self, case .row(let next) = other else { return false }
    return path.section == next.section && path.row + 1 == next.row
  }
}

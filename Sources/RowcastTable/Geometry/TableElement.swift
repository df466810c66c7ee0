public import RowcastDiff

/// One of the things that a table shows one below the other.
public enum TableElement: Hashable, Sendable {
  /// The header of a section.
  case header(section: Int)
  /// A row.
  case row(RowPath)
  /// The footer of a section.
  case footer(section: Int)

  /// The index of the section.
  public var section: Int {
    switch self {
    case .header(let section), .footer(let section): section
    case .row(let path): path.section
    }
  }

  /// The path of the row, or `nil` for a header or footer.
  public var rowPath: RowPath? { if case .row(let path) = self { path } else { nil } }
}

/// One line of a table on the screen.
public struct TableLine: Hashable, Sendable {
  /// What stands there.
  public var element: TableElement
  /// Which of the element's lines it is, from 0.
  public var offset: Int
}

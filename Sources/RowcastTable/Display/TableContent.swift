import RowcastModel

/// What is shown in one element of a table.
enum TableContent<Section: SectionViewModel, Row: RowViewModel>: Equatable {
  case header(Section)
  case row(Row)
  case footer(Section)

  /// What tells contents apart while they change and move.
  enum ID: Hashable {
    case header(Section.ID)
    case row(Row.ID)
    case footer(Section.ID)
  }

  var id: ID {
    switch self {
    case .header(let section): .header(section.id)
    case .row(let row): .row(row.id)
    case .footer(let section): .footer(section.id)
    }
  }

  var row: Row? { if case .row(let row) = self { row } else { nil } }
}

/// A content with the cell that shows it.
struct ShownElement<Section: SectionViewModel, Row: RowViewModel> {
  var element: TableElement
  var content: TableContent<Section, Row>
  /// How the cell was asked for.
  var request: CellRequest
  var cell: Cell
  /// The first line on the screen; negative if the element starts above it.
  var line: Int
  /// The number of lines.
  var height: Int { request.height }
}

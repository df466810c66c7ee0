import RowcastModel
public import RowcastTable

/// A cell that a console can draw.
public protocol ConsoleDrawable: Cell {
  /// The lines of the cell, not yet neutralised. If the cell has more lines on the screen, the others are empty.
  var texts: [ConsoleText] { get }
}

/// One line of a cell on a console.
public struct ConsoleText: Hashable, Sendable {
  /// The main text.
  package var title: String
  /// The text after the title, if any.
  package var subtitle: String?

  /// Creates a line.
  public init(_ title: String, subtitle: String? = nil) {
    self.title = title
    self.subtitle = subtitle
  }

  /// Title and subtitle in one text, not yet neutralised.
  package var line: String { subtitle.map { "\(title)  \($0)" } ?? title }
}

/// A cell that shows the header of a section as one line of text. A section without anything to show there has no header.
package final class ConsoleHeader<Section: ConsoleSection>: Cell, RowCell, ConsoleDrawable {
  /// The header.
  package private(set) var texts: [ConsoleText] = []

  /// One line, or none.
  package static func height(of row: Section) -> Int { row.hasHeader ? 1 : 0 }

  /// Shows a section.
  package func configure(with row: Section) { texts = [ConsoleText(row.header)] }
}

/// A cell that shows a row as one line of text: its title and subtitle, or columns where these are registered.
public final class ConsoleCell<Row: ConsoleRow>: Cell, RowCell, ConsoleDrawable {
  /// The line of the row.
  public private(set) var texts: [ConsoleText] = []
  private var columns: [ConsoleColumn<Row>] = []

  convenience init(reuseIdentifier: String, columns: [ConsoleColumn<Row>]) {
    self.init(reuseIdentifier: reuseIdentifier)
    self.columns = columns
  }

  /// Shows a row.
  public func configure(with row: Row) { texts = [columns.text(of: row)] }

  /// Clears the text.
  public override func prepareForReuse() { texts = [] }
}

extension CellRegistry where Row: ConsoleSection {
  /// Headers of one line of text.
  package static var consoleHeaders: CellRegistry {
    var registry = CellRegistry()
    registry.register(ConsoleHeader<Row>.self)
    return registry
  }
}

import RowcastModel
import RowcastViews

/// The guides of an outline in the lines of its rows: two columns for each level, and the mark of a row with children.
struct OutlineGuides<Row: ConsoleRow>: Sendable {
  let outline: ConsoleOutline<Row>
  /// The columns of the rows, one of them with the guides; empty for rows without columns.
  private(set) var columns: [ConsoleColumn<Row>]
  /// The index of that column.
  private let index: Int
  /// The columns of the screen for guides and text together. Rows without columns may have more or less.
  private let width: Int

  /// True for guides that can be read aloud: the levels are spaces, and the marks are + and -.
  private let isPlain: Bool

  init(_ outline: ConsoleOutline<Row>, columns: [ConsoleColumn<Row>], isPlain: Bool = false) {
    (self.outline, self.columns, self.isPlain) = (outline, columns, isPlain)
    index = columns.firstIndex { $0.alignment == .leading } ?? 0
    width = columns.isEmpty ? 80 : columns[index].width
    guard !columns.isEmpty else { return }
    self.columns[index].text = { [self, column = columns[index]] row in
      let (guides, text) = (text(of: row), column.text(row))
      guard column.alignment == .trailing else { return guides + text }
      let rest = width - guides.count
      return guides + text.fitted(columns: rest).padded(toColumns: rest, trailing: true)
    }
  }

  func place(of row: Row) -> OutlinePlace<Row.ID> { row[keyPath: outline.place] }

  /// The guides of a row: at most half of the width, with three dots for levels that have no room. Each character has a column.
  func text(of row: Row) -> String {
    let (place, levels) = (place(of: row), levels(of: row))
    let hasAll = levels == place.depth
    let marks = isPlain ? (expanded: "- ", collapsed: "+ ") : (expanded: "▾ ", collapsed: "▸ ")
    return String(repeating: level, count: hasAll ? levels : levels - 1) + (hasAll ? "" : "… ")
      + (place.hasChildren ? place.isExpanded ? marks.expanded : marks.collapsed : "  ")
  }

  private var level: String { isPlain ? "  " : "│ " }

  private func levels(of row: Row) -> Int { min(place(of: row).depth, max(1, width / 4)) }

  /// A line of a row's cell, by its index, with guides unless they are in a column.
  func text(_ text: ConsoleText, of row: Row, offset: Int = 0) -> ConsoleText {
    guard columns.isEmpty else { return text }
    let below = place(of: row).isExpanded ? level : "  "
    let guides = offset == 0 ? self.text(of: row) : String(repeating: level, count: levels(of: row)) + below
    return ConsoleText(guides + text.title, subtitle: text.subtitle)
  }

  /// The vertical lines of the levels, as a range of the characters of a row's line.
  func characters(of row: Row) -> Range<Int> {
    let start = columns.prefix(index).reduce(0) { $0 + $1.fitted($1.text(row), isLast: false).count + 2 }
    return start..<start + 2 * levels(of: row)
  }

  /// Returns true if a row has its mark at a column of the screen, counted from the beginning of its text.
  func hasMark(_ row: Row, at column: Int) -> Bool {
    let mark = columns.prefix(index).reduce(0) { $0 + $1.width + 2 } + 2 * levels(of: row)
    return place(of: row).hasChildren && (mark...mark + 1).contains(column)
  }
}

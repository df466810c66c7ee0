import RowcastDiff
public import RowcastTable
import RowcastViews

/// A column of rows on a console.
///
///     let columns: [ConsoleColumn<Process>] = [
///       ConsoleColumn("PID", width: 7, .trailing) { $0.pid }, ConsoleColumn("NAME", width: 24) { $0.name },
///     ]
public struct ConsoleColumn<Row: ConsoleRow>: Sendable {
  /// The place of text that is narrower than its column.
  public enum Alignment: Sendable {
    /// At the left end.
    case leading
    /// At the right end.
    case trailing
  }

  let title: String
  let width: Int
  let alignment: Alignment
  var text: @Sendable (Row) -> String
  let order, reversedOrder: SortKey<Row>

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - width: The number of columns of the terminal. Wider text is truncated.
  ///   - alignment: The place of narrower text.
  ///   - value: The value that the column shows, as `String(describing:)` prints it, and that sorts rows.
  /// - Precondition: `width` is at least 1.
  public init<Value: Comparable & Sendable>(
    _ title: String, width: Int, _ alignment: Alignment = .leading, _ value: @escaping @Sendable (Row) -> Value
  ) {
    require(width >= 1, "A column cannot have a width of \(width); use 1 or more")
    self.title = title
    self.width = width
    self.alignment = alignment
    text = { "\(value($0))" }
    (order, reversedOrder) =
      alignment == .leading
      ? (.ascending(value), .descending(value)) : (.descending(value), .ascending(value))
  }

  /// A text neutralised, and truncated or filled up to the width. The last column is not filled up.
  func fitted(_ text: String, isLast: Bool) -> String {
    let text = text.fitted(columns: width)
    return isLast && alignment == .leading ? text : text.padded(toColumns: width, trailing: alignment == .trailing)
  }
}

extension Array {
  /// The titles in their columns, with a sign at the one that rows are sorted by.
  func heading<Row>(sortedBy order: Int? = nil, isReversed: Bool = false) -> String
  where Element == ConsoleColumn<Row> {
    enumerated().map { index, column in
      let sign = index == order ? ((column.alignment == .leading) != isReversed ? "▴" : "▾") : ""
      return column.fitted(column.title + sign, isLast: index == count - 1)
    }
    .joined(separator: "  ")
  }

  /// The index of the column at a column of the screen, counted from the beginning of the heading.
  func index<Row>(at position: Int) -> Int? where Element == ConsoleColumn<Row> {
    var end = 0
    return firstIndex { column in
      end += column.width + 2
      return position < end
    }
  }

  /// A row in the columns; its title and subtitle if there are none.
  func text<Row>(of row: Row) -> ConsoleText where Element == ConsoleColumn<Row> {
    if isEmpty { return row.text }
    let texts = enumerated().map { $1.fitted($1.text(row), isLast: $0 == count - 1) }
    return ConsoleText(texts.joined(separator: "  "))
  }
}

extension CellRegistry where Row: ConsoleRow {
  /// Registers cells that show rows in columns.
  ///
  /// - Parameters:
  ///   - columns: The columns, from left to right.
  ///   - kind: The reuse identifier of the rows; by default the name of their type.
  @usableFromInline
  package mutating func registerColumns(_ columns: [ConsoleColumn<Row>], forRowsOf kind: String? = nil) {
    register(ConsoleCell<Row>.self, forRowsOf: kind) { ConsoleCell(reuseIdentifier: $0, columns: columns) }
  }

  /// A registry of cells that show all rows in columns, of whatever kind they are.
  package static func allInColumns(_ columns: [ConsoleColumn<Row>]) -> CellRegistry {
    var registry = CellRegistry()
    registry.registerFallback(ConsoleCell<Row>.self) { ConsoleCell(reuseIdentifier: $0, columns: columns) }
    return registry
  }
}

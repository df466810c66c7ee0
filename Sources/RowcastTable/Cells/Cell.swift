public import RowcastModel

/// A retained view of one row or section header: made once, shown, pooled, and reused for another one.
///
/// Subclass it and conform to ``RowCell`` to show a type of row.
open class Cell {
  /// The kind of this cell: cells of one kind can be used in place of each other.
  public let reuseIdentifier: String
  /// Names the current use of the cell. It changes with each reuse, so that a late result for one row is not delivered to the
  /// next: see ``RetainedTable/deliver(to:as:_:)``.
  public internal(set) var token = ReuseToken()

  /// Creates a fresh cell of a kind.
  public required init(reuseIdentifier: String) { self.reuseIdentifier = reuseIdentifier }

  /// Forgets the row that was shown. Called once each time the cell leaves the pool, before it is configured.
  open func prepareForReuse() {}

  /// Called when the cell, already configured, appears on the screen.
  open func willDisplay() {}

  /// Called when the cell has left the screen; once for each ``willDisplay()``.
  open func didEndDisplaying() {}
}

/// Identifies one use of a cell, from the moment it is assigned to a row until it is returned to the pool.
public struct ReuseToken: Hashable, Sendable {
  /// Counts the uses of the cells of one pool; 0 in the null token, which names no use.
  var use: UInt64 = 0
  /// A random number for each pool, so that no two tables have equal tokens.
  var pool: UInt64 = 0
}

/// A cell that knows how to show one type of row, or of section in a header or footer.
///
///     final class MessageCell: Cell, RowCell {
///       var text = ""
///       func configure(with row: Message) { text = row.text }
///     }
public protocol RowCell<Row>: Cell {
  /// The rows, or sections, that the cell can show.
  associatedtype Row: ListViewModel

  /// The kind of the cell, and the name of its reuse stack. The default is the fully qualified name of the type.
  static var reuseIdentifier: String { get }

  /// The way to make cells that no registration overrides. The default is ``CellRegistration/classReference``.
  static var registration: CellRegistration<Self> { get }

  /// The number of lines of a cell, if it is the same for all rows. The default is 1.
  static var preferredHeight: Int { get }

  /// The number of lines of the cell for a row. The default is ``preferredHeight``.
  ///
  /// Called when the row appears and when its content changes. Until then the table's estimate is used. Cells of headers and
  /// footers are called with their section: 0 means that this section has no header or footer. A row has at least one line.
  static func height(of row: Row) -> Int

  /// Shows a row. Called when the row appears and when its content changes, at no other time.
  func configure(with row: Row)
}

extension RowCell {
  /// The fully qualified name of the cell's type.
  public static var reuseIdentifier: String { qualifiedName(of: Self.self) }

  /// By the class.
  public static var registration: CellRegistration<Self> { .classReference }

  /// One line.
  public static var preferredHeight: Int { 1 }

  /// The preferred height.
  public static func height(of row: Row) -> Int { preferredHeight }
}

/// A way to make cells of a class.
public enum CellRegistration<Content: Cell> {
  /// By the initialiser of their class.
  case classReference
  /// From a prototype: a closure that makes a cell with a given reuse identifier.
  case prototype((_ reuseIdentifier: String) -> Content)

  @inlinable
  func make(_ reuseIdentifier: String) -> Content {
    switch self {
    case .classReference: Content(reuseIdentifier: reuseIdentifier)
    case .prototype(let make): make(reuseIdentifier)
    }
  }
}

/// The fully qualified name of a type, as `String(reflecting:)` returns it, but without the casts that it tries first.
@inlinable
func qualifiedName(of type: Any.Type) -> String { _typeName(type, qualified: true) }

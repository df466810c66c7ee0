public import RowcastModel

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
  /// Asked when the row comes into view and when its content changes. Until then the table's estimate is used. Those of headers
  /// and footers are asked with their section, and 0 is none: this section has no header or footer. A row has a line at least.
  static func height(of row: Row) -> Int

  /// Shows a row. Called when the row comes into view and when its content changes, at no other time.
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

/// The fully qualified name of a type, like that of `String(reflecting:)` but without the casts that it tries first.
@inlinable
func qualifiedName(of type: Any.Type) -> String { _typeName(type, qualified: true) }

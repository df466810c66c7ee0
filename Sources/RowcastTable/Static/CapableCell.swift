/// A cell that is filled with the capabilities of a model.
///
///     final class TextCell: Cell, CapableCell {
///       var text: String?
///       static var slots: [CapabilitySlot<TextCell>] { [.init(.title, \.text)] }
///     }
public protocol CapableCell: Cell {
  /// The capabilities that the cell shows, and their places.
  static var slots: [CapabilitySlot<Self>] { get }

  /// The way to make cells of the class. The default is ``CellRegistration/classReference``.
  static var registration: CellRegistration<Self> { get }

  /// The number of lines of the cell. The default is 1.
  static var preferredHeight: Int { get }

  /// The estimated number of lines until the cell comes into view. The default is ``preferredHeight``.
  static var estimatedHeight: Int { get }
}

extension CapableCell {
  /// By the class.
  public static var registration: CellRegistration<Self> { .classReference }

  /// One line.
  public static var preferredHeight: Int { 1 }

  /// The preferred height.
  public static var estimatedHeight: Int { preferredHeight }
}

/// A cell that is filled by capabilities: those of its slots that a model has.
///
///     final class TextCell: Cell, CapableCell {
///       var text: String?
///       static var slots: [CapabilitySlot<TextCell>] { [.init(.title, \.text)] }
///     }
public protocol CapableCell: Cell {
  /// What the cell shows, and where.
  static var slots: [CapabilitySlot<Self>] { get }

  /// How cells of the class are made. The default is by the class.
  static var registration: CellRegistration<Self> { get }

  /// How many lines the cell has. The default is 1.
  static var preferredHeight: Int { get }

  /// How many lines the cell is taken to have until it comes into view. The default is ``preferredHeight``.
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

import RowcastModel

/// Something that a model may have and a cell may show: a title, a picture.
///
/// A capability is a value. A new one is declared in one place, and named only by the models that have it and the cells
/// that show it:
///
///     extension Capability where Value == Int {
///       static var badge: Capability { Capability("badge") }
///     }
///
///     // A model has it …
///     Capabilities().setting(.title, to: "Inbox").setting(.badge, to: 3)
///     // … a cell shows it.
///     static var slots: [CapabilitySlot<BadgeCell>] { [.init(.title, \.text), .init(.badge, \.count)] }
public struct Capability<Value: Equatable & Sendable>: Hashable, Sendable {
  /// The name, which is unique among the capabilities of the same value type.
  package let name: String

  /// Declares a capability.
  public init(_ name: String) { self.name = name }
}

extension Capability where Value == String {
  /// The main text.
  public static var title: Capability { Capability("title") }
  /// The text below or after the title.
  public static var subtitle: Capability { Capability("subtitle") }
}

/// The capabilities that a model has, with their values.
public struct Capabilities: Equatable, Sendable {
  /// The values by the names of capabilities and their types.
  private var values: [(key: String, value: any Equatable & Sendable)] = []

  /// Creates a value without capabilities.
  public init() {}

  /// The value of a capability, or `nil` for none.
  public subscript<Value>(_ capability: Capability<Value>) -> Value? {
    // The values of a key all have the type of its capability.
    get { value(of: Self.key(of: capability)) as? Value }
    set { set(Self.key(of: capability), to: newValue) }
  }

  /// Returns a copy with one capability set; `nil` removes it.
  public func setting<Value>(_ capability: Capability<Value>, to value: Value?) -> Capabilities {
    var copy = self
    copy[capability] = value
    return copy
  }

  private static func key<Value>(of capability: Capability<Value>) -> String {
    capability.name + ": " + qualifiedName(of: Value.self)
  }

  private func value(of key: String) -> (any Equatable & Sendable)? { values.first { $0.key == key }?.value }

  private mutating func set(_ key: String, to value: (any Equatable & Sendable)?) {
    values.removeAll { $0.key == key }
    if let value { values.append((key, value)) }
  }

  /// Returns true if both have the same capabilities with equal values.
  public static func == (lhs: Capabilities, rhs: Capabilities) -> Bool {
    lhs.values.count == rhs.values.count
      && lhs.values.allSatisfy { key, value in rhs.value(of: key).map { value.isEqual(to: $0) } ?? false }
  }
}

/// The place of a cell that shows a capability.
public struct CapabilitySlot<Content: Cell> {
  let fill: (Content, Capabilities) -> Void

  /// A property of the cell that takes the value, or `nil` of a model without it.
  public init<Value>(_ capability: Capability<Value>, _ property: ReferenceWritableKeyPath<Content, Value?>) {
    fill = { cell, capabilities in cell[keyPath: property] = capabilities[capability] }
  }

  /// A closure that takes the value, or `nil` of a model without it.
  public init<Value>(_ capability: Capability<Value>, _ show: @escaping (Content, Value?) -> Void) {
    fill = { cell, capabilities in show(cell, capabilities[capability]) }
  }
}

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

  /// The estimated number of lines until the cell appears. The default is ``preferredHeight``.
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

import RowcastModel

/// Something that a model may have and a cell may show: a title, a picture.
///
/// A capability is a value. Adding one touches one place, its declaration; models that have it and cells that show it name
/// it, and nothing in between knows of it:
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
  /// What tells it from other capabilities of the same value type.
  public let name: String

  /// Declares a capability.
  public init(_ name: String) { self.name = name }
}

extension Capability where Value == String {
  /// The main text.
  public static var title: Capability { Capability("title") }
  /// The text below or behind the title.
  public static var subtitle: Capability { Capability("subtitle") }
  /// The name or the address of a picture.
  public static var image: Capability { Capability("image") }
  /// The name of a font.
  public static var font: Capability { Capability("font") }
  /// The name of a colour.
  public static var color: Capability { Capability("color") }
}

/// What a model has of what cells may show.
public struct Capabilities: Equatable, Sendable {
  private struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  private var values: [Key: any Equatable & Sendable] = [:]

  /// Nothing.
  public init() {}

  /// What there is of a capability, if anything.
  public subscript<Value>(_ capability: Capability<Value>) -> Value? {
    // A key is stored with values of its own type only.
    get { values[Self.key(of: capability)] as? Value }
    set { values[Self.key(of: capability)] = newValue }
  }

  /// The same with one capability set; `nil` takes it away.
  public func setting<Value>(_ capability: Capability<Value>, to value: Value?) -> Capabilities {
    var copy = self
    copy[capability] = value
    return copy
  }

  private static func key<Value>(of capability: Capability<Value>) -> Key {
    Key(name: capability.name, type: ObjectIdentifier(Value.self))
  }

  /// Whether both have the same capabilities with equal values.
  public static func == (lhs: Capabilities, rhs: Capabilities) -> Bool {
    lhs.values.count == rhs.values.count
      && lhs.values.allSatisfy { key, value in rhs.values[key].map { value.isEqual(to: $0) } ?? false }
  }
}

/// Where a cell shows a capability.
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

import Rowcast
import RowcastConsole

/// A row of the demo's lists.
struct Item: ConsoleRow, Codable {
  let id: String
  var title: String
  var subtitle: String?
  var kind: String
  /// The numbers behind the subtitle, for columns of a screen. They are not written.
  var figures: [Double] = []
  /// The size of a file in bytes. It is not written.
  var size = 0
  /// The place of the row in an outline, if it has one.
  var place: OutlinePlace<String>?
  /// The same, also of a row that is in none.
  var outlinePlace: OutlinePlace<String> {
    get { place ?? OutlinePlace() }
    set { place = newValue }
  }

  init(id: String, title: String? = nil, subtitle: String? = nil, kind: String? = nil) {
    self.id = id
    self.title = title ?? id
    self.subtitle = subtitle
    self.kind = kind ?? "text"
  }

  func figure(_ index: Int) -> Double { figures.indices.contains(index) ? figures[index] : 0 }

  /// Each kind of row has its own stack of cells.
  var reuseIdentifier: String { kind }
}

extension Item {
  private enum Key: String, CodingKey {
    case id, title, subtitle, kind, depth, parent, expanded
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encodeIfPresent(subtitle, forKey: .subtitle)
    try container.encode(kind, forKey: .kind)
    guard let place else { return }
    try container.encode(place.depth, forKey: .depth)
    // A row without a parent, or without children, is marked as such.
    try container.encode(place.parent, forKey: .parent)
    try container.encode(place.hasChildren ? place.isExpanded : nil, forKey: .expanded)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      id: try container.decodeID(forKey: .id),
      title: try container.decodeIfPresent(String.self, forKey: .title),
      subtitle: try container.decodeIfPresent(String.self, forKey: .subtitle),
      kind: try container.decodeIfPresent(String.self, forKey: .kind))
    guard let depth = try container.decodeIfPresent(Int.self, forKey: .depth) else { return }
    let isExpanded = try container.decodeIfPresent(Bool.self, forKey: .expanded)
    place = OutlinePlace(
      depth: depth, parent: try container.decodeIDIfPresent(forKey: .parent), hasChildren: isExpanded != nil,
      isExpanded: isExpanded ?? false)
  }
}

/// A section of the demo's lists.
struct Group: ConsoleSection, WireSection, PhasedSection {
  struct Content: Equatable, Sendable {
    var title: String
    var phase = SectionPhase.idle
  }

  let id: String
  var content: Content

  init(id: String, content: Content) {
    self.id = id
    self.content = content
  }

  init(id: String, title: String? = nil) {
    self.init(id: id, content: Content(title: title ?? id))
  }

  var title: String { content.title }

  var phase: SectionPhase {
    get { content.phase }
    set { content.phase = newValue }
  }
}

extension Group.Content: Codable {
  private enum Key: String, CodingKey {
    case title, phase
  }

  /// A section that belongs to no source has no phase, on the wire either.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    if phase != .idle { try container.encode(phase, forKey: .phase) }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      title: try container.decode(String.self, forKey: .title),
      phase: try container.decodeIfPresent(SectionPhase.self, forKey: .phase) ?? .idle)
  }
}

extension KeyedDecodingContainer {
  /// An id from outside: a string, or an integer that is read as its decimal digits.
  func decodeID(forKey key: Key) throws -> String {
    do {
      return try decode(String.self, forKey: key)
    } catch DecodingError.typeMismatch {
      if let number = try? decode(Int64.self, forKey: key) { return String(number) }
      if let number = try? decode(UInt64.self, forKey: key) { return String(number) }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "an id is a string or an integer")
    }
  }

  /// The same for a field that may be left out or `null`.
  func decodeIDIfPresent(forKey key: Key) throws -> String? {
    guard contains(key), !(try decodeNil(forKey: key)) else { return nil }
    return try decodeID(forKey: key)
  }
}

typealias Snapshot = ListSnapshot<Group, Item>
typealias Update = ListUpdate<Group, Item>
typealias Store = ListStore<Group, Item>
typealias Editor = ListEditor<Group, Item>
typealias Message = WireMessage<Group, Item>

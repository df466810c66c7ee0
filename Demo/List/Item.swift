import Rowcast
import RowcastConsole

/// A row of the demo's lists.
struct Item: ConsoleRow, Codable {
  let id: String
  var title: String
  var subtitle: String?
  var kind: String

  init(id: String, title: String? = nil, subtitle: String? = nil, kind: String? = nil) {
    self.id = id
    self.title = title ?? id
    self.subtitle = subtitle
    self.kind = kind ?? "text"
  }

  /// Each kind of row has its own stack of cells.
  var reuseIdentifier: String { kind }
}

extension Item {
  private enum Key: String, CodingKey {
    case id, title, subtitle, kind
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      id: try container.decode(WireID.self, forKey: .id).text,
      title: try container.decodeIfPresent(String.self, forKey: .title),
      subtitle: try container.decodeIfPresent(String.self, forKey: .subtitle),
      kind: try container.decodeIfPresent(String.self, forKey: .kind))
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

  /// A section that is no source's has no phase, on the wire as well.
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

/// An id as it comes from outside: a string, or an integer that stands for its decimal digits.
struct WireID: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      text = try container.decode(String.self)
    } catch DecodingError.typeMismatch {
      if let number = try? container.decode(Int64.self) {
        text = String(number)
      } else if let number = try? container.decode(UInt64.self) {
        text = String(number)
      } else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "an id is a string or an integer")
      }
    }
  }
}

typealias Snapshot = ListSnapshot<Group, Item>
typealias Update = ListUpdate<Group, Item>
typealias Store = ListStore<Group, Item>
typealias Editor = ListEditor<Group, Item>
typealias Message = WireMessage<Group, Item>

import Rowcast
import RowcastConsole

/// Something that happened to a list, as one line of standard input says it.
enum Event: Equatable, Sendable {
  /// A field that a line may leave out; `null` takes an optional one away.
  struct Fields: Equatable, Sendable {
    var section: String?
    var title: String?
    var subtitle: String??
    var kind: String?
    var index: Int?
  }

  case upsert(id: String, Fields)
  case delete(id: String)
  case move(id: String, section: String?, index: Int?)
  case upsertSection(id: String, title: String?, index: Int?)
  case deleteSection(id: String)
  case moveSection(id: String, index: Int)
  case replace([ListSection<Group, Item>])
  case batch([Event])
}

extension Event: Decodable {
  private enum Key: String, CodingKey {
    case op, id, section, title, subtitle, kind, index, sections, events
  }

  private enum Operation: String, CaseIterable {
    case upsert, delete, move, upsertSection, deleteSection, moveSection, replace, batch
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let name = try container.decode(String.self, forKey: .op)
    guard let operation = Operation(rawValue: name) else {
      let hint = suggestion(for: name, among: Operation.allCases.map(\.rawValue))
      throw DecodingError.dataCorruptedError(
        forKey: .op, in: container, debugDescription: "there is no op \"\(name.prefix(40))\"\(hint)")
    }
    func id() throws -> String { try container.decodeID(forKey: .id) }
    func section() throws -> String? { try container.decodeIDIfPresent(forKey: .section) }
    func title() throws -> String? { try container.decodeIfPresent(String.self, forKey: .title) }
    func index() throws -> Int? { try container.decodeIfPresent(Int.self, forKey: .index) }

    switch operation {
    case .upsert:
      var fields = Fields(
        section: try section(), title: try title(),
        kind: try container.decodeIfPresent(String.self, forKey: .kind), index: try index())
      if container.contains(.subtitle) {
        fields.subtitle = .some(try container.decodeIfPresent(String.self, forKey: .subtitle))
      }
      self = .upsert(id: try id(), fields)
    case .delete: self = .delete(id: try id())
    case .move: self = .move(id: try id(), section: try section(), index: try index())
    case .upsertSection: self = .upsertSection(id: try id(), title: try title(), index: try index())
    case .deleteSection: self = .deleteSection(id: try id())
    case .moveSection: self = .moveSection(id: try id(), index: try container.decode(Int.self, forKey: .index))
    case .replace:
      self = .replace(try container.decode([SectionLine].self, forKey: .sections).map(\.section))
    case .batch:
      let events = try container.decode([Event].self, forKey: .events)
      if events.contains(where: { if case .batch = $0 { true } else { false } }) {
        throw DecodingError.dataCorruptedError(
          forKey: .events, in: container, debugDescription: "a batch cannot hold another batch")
      }
      self = .batch(events)
    }
  }

  /// A section in a `replace` event.
  private struct SectionLine: Decodable {
    let section: ListSection<Group, Item>

    private enum Key: String, CodingKey {
      case id, title, rows
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      section = ListSection(
        Group(
          id: try container.decodeID(forKey: .id),
          title: try container.decodeIfPresent(String.self, forKey: .title)),
        rows: try container.decodeIfPresent([Item].self, forKey: .rows) ?? [])
    }
  }
}

import RowcastDiff

// The objects inside a message, field by field as they are written.

/// A section with its rows: the fields of its content stand beside `id` and `rows`.
struct SectionRecord<Section: WireSection, Row: RowViewModel & Codable>: Codable {
  let section: ListSection<Section, Row>

  private enum Key: String, CodingKey {
    case id, rows
  }

  init(_ section: ListSection<Section, Row>) {
    self.section = section
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    section = ListSection(
      Section(id: try container.decode(Section.ID.self, forKey: .id), content: try .init(from: decoder)),
      rows: try container.decode([Row].self, forKey: .rows))
  }

  func encode(to encoder: any Encoder) throws {
    try FieldEncoder.encode(section.model.content, beside: ["id", "rows"], to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(section.model.id, forKey: .id)
    try container.encode(section.rows, forKey: .rows)
  }
}

/// An update of a section: the fields of its content stand beside `from` and `to`.
struct SectionUpdateRecord<Content: Codable>: Codable {
  let from: Int
  let to: Int
  let content: Content

  private enum Key: String, CodingKey {
    case from, to
  }

  init(from: Int, to: Int, content: Content) {
    self.from = from
    self.to = to
    self.content = content
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    from = try container.decode(Int.self, forKey: .from)
    to = try container.decode(Int.self, forKey: .to)
    content = try Content(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    try FieldEncoder.encode(content, beside: ["from", "to"], to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
  }
}

struct SectionInsertRecord<Section: WireSection, Row: RowViewModel & Codable>: Codable {
  let at: Int
  let section: SectionRecord<Section, Row>
}

struct RowInsertRecord<Row: Codable>: Codable {
  let at: RowPath
  let row: Row
}

struct RowUpdateRecord<Row: Codable>: Codable {
  let from: RowPath
  let to: RowPath
  let row: Row
}

struct MoveRecord<Position: Hashable & Comparable & Sendable & Codable>: Codable {
  let from: Position
  let to: Position

  init(_ transition: Changeset<Position>.Transition) {
    from = transition.from
    to = transition.to
  }

  var transition: Changeset<Position>.Transition { .init(from: from, to: to) }
}

struct SectionOperations<Section: WireSection, Row: RowViewModel & Codable>: Codable {
  let deletes: [Int]
  let inserts: [SectionInsertRecord<Section, Row>]
  let moves: [MoveRecord<Int>]
  let updates: [SectionUpdateRecord<Section.Content>]

  /// The same operations, as changes order them.
  var sorted: SectionOperations {
    SectionOperations(
      deletes: deletes.sorted(), inserts: inserts.sorted { $0.at < $1.at }, moves: moves.sorted { $0.to < $1.to },
      updates: updates.sorted { $0.to < $1.to })
  }
}

struct RowOperations<Row: Codable>: Codable {
  let deletes: [RowPath]
  let inserts: [RowInsertRecord<Row>]
  let moves: [MoveRecord<RowPath>]
  let updates: [RowUpdateRecord<Row>]

  /// The same operations, as changes order them.
  var sorted: RowOperations {
    RowOperations(
      deletes: deletes.sorted(), inserts: inserts.sorted { $0.at < $1.at }, moves: moves.sorted { $0.to < $1.to },
      updates: updates.sorted { $0.to < $1.to })
  }
}

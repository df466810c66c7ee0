import RowcastDiff

// The objects inside a message, field by field as they are written.

/// The names of all fields of the wire form.
///
/// One type for all objects, and not generic: containers with generic keys are looked up at run time, for each object.
enum WireField: String, CodingKey {
  case v, kind, epoch, revision, previous, previousEpoch, lineage, sections, rows, updates
  case deletes, inserts, moves, at, from, to, id, section, row
  case failed, retry, position, lists
}

// Arrays are written and read element by element: the type of an array and its conformances would be
// looked up as well, also where it is empty.
typealias WireEncoder = KeyedEncodingContainer<WireField>
typealias WireDecoder = KeyedDecodingContainer<WireField>

extension WireEncoder {
  mutating func encodeObjects(
    _ indices: Range<Int>, forKey field: WireField, _ write: (Int, inout WireEncoder) throws -> Void
  ) throws {
    var array = nestedUnkeyedContainer(forKey: field)
    for index in indices {
      var object = array.nestedContainer(keyedBy: WireField.self)
      try write(index, &object)
    }
  }

  mutating func encodeArray<Value: Encodable>(_ values: [Value], forKey field: WireField) throws {
    var array = nestedUnkeyedContainer(forKey: field)
    for value in values { try array.encode(value) }
  }

  mutating func encodePath(_ path: RowPath, forKey field: WireField) throws {
    var pair = nestedUnkeyedContainer(forKey: field)
    try pair.encode(path.section)
    try pair.encode(path.row)
  }

  mutating func encodeMoves<Position: Codable>(_ moves: [Changeset<Position>.Transition]) throws {
    try encodeObjects(moves.indices, forKey: .moves) { index, move in
      try move.encode(moves[index].from, forKey: .from)
      try move.encode(moves[index].to, forKey: .to)
    }
  }
}

extension WireDecoder {
  func decodeObjects(_ field: WireField, _ read: (WireDecoder) throws -> Void) throws {
    var array = try nestedUnkeyedContainer(forKey: field)
    while !array.isAtEnd { try read(array.nestedContainer(keyedBy: WireField.self)) }
  }

  func decodeArray<Value: Decodable>(forKey field: WireField) throws -> [Value] {
    var array = try nestedUnkeyedContainer(forKey: field)
    var values: [Value] = []
    while !array.isAtEnd { values.append(try array.decode(Value.self)) }
    return values
  }

  func decodePath(forKey field: WireField) throws -> RowPath {
    var pair = try nestedUnkeyedContainer(forKey: field)
    return RowPath(section: try pair.decode(Int.self), row: try pair.decode(Int.self))
  }

  /// The moves, in the order of their destinations.
  func decodeMoves<Position: Codable>() throws -> [Changeset<Position>.Transition] {
    var moves: [Changeset<Position>.Transition] = []
    try decodeObjects(.moves) { move in
      moves.append(
        .init(from: try move.decode(Position.self, forKey: .from), to: try move.decode(Position.self, forKey: .to)))
    }
    return moves.inOrder { $0.to < $1.to }
  }
}

extension Array {
  /// Sorts operations by a position, and their contents with them.
  mutating func sort<Content>(with contents: inout [Content], by position: (Element) -> some Comparable) {
    if indices.dropFirst().allSatisfy({ position(self[$0 - 1]) <= position(self[$0]) }) { return }
    let order = indexesInOrder(count) { position(self[$0]) < position(self[$1]) }
    self = order.map { self[$0] }
    contents = order.map { contents[$0] }
  }
}

/// A section with its rows: the fields of its content are beside `id` and `rows`.
struct SectionRecord<Section: WireSection, Row: RowViewModel & Codable>: Codable {
  let section: ListSection<Section, Row>

  init(_ section: ListSection<Section, Row>) { self.section = section }

  init(from decoder: any Decoder) throws {
    let record = try decoder.container(keyedBy: WireField.self)
    section = ListSection(
      Section(id: try record.decode(Section.ID.self, forKey: .id), content: try .init(from: decoder)),
      rows: try record.decode([Row].self, forKey: .rows))
  }

  func encode(to encoder: any Encoder) throws {
    try FieldEncoder.encode(section.model.content, beside: ["id", "rows"], to: encoder)
    var record = encoder.container(keyedBy: WireField.self)
    try record.encode(section.model.id, forKey: .id)
    try record.encode(section.rows, forKey: .rows)
  }
}

import RowcastDiff

extension WireMessage: Codable {
  /// The version of the wire form that is written, and the only one that is read.
  package static var version: Int { 1 }

  /// Writes the message in the wire form.
  ///
  /// - Throws: ``WireError/contradiction(_:)`` for a long epoch; the errors of the encoder, the rows and the sections.
  public func encode(to encoder: any Encoder) throws {
    var message = encoder.container(keyedBy: WireField.self)
    try message.encode(Self.version, forKey: .v)
    try message.encodeEpoch(epoch, forKey: .epoch)
    try message.encode(revision, forKey: .revision)
    switch self {
    case .initial(_, let snapshot, _, let lineage):
      try message.encode("initial", forKey: .kind)
      try message.encodeLineage(lineage)
      var sections = message.nestedUnkeyedContainer(forKey: .sections)
      for section in snapshot.material { try section.encode(to: sections.superEncoder()) }
    case .changes(let changes):
      try message.encode("changes", forKey: .kind)
      try message.encode(changes.previous, forKey: .previous)
      if let previousEpoch = changes.previousEpoch { try message.encodeEpoch(previousEpoch, forKey: .previousEpoch) }
      try changes.encodeSections(in: &message)
      try changes.encodeRows(in: &message)
    case .progress(let position, let start):
      try message.encode("progress", forKey: .kind)
      if start.revision != position.revision { try message.encode(start.revision, forKey: .previous) }
      if start.epoch != position.epoch { try message.encodeEpoch(start.epoch, forKey: .previousEpoch) }
    case .end(_, let updates, _):
      try message.encode("end", forKey: .kind)
      try message.encode(updates, forKey: .updates)
    case .run(let lineage):
      try message.encode("run", forKey: .kind)
      try message.encodeLineage(lineage)
    }
  }

  /// Reads a message in the wire form. Unknown fields are ignored.
  public init(from decoder: any Decoder) throws {
    let message = try decoder.container(keyedBy: WireField.self)
    try message.checkVersion()
    let position = ListPosition(
      epoch: try message.decodeEpoch(forKey: .epoch) ?? "", revision: try message.decode(Int.self, forKey: .revision))
    switch try message.decode(String.self, forKey: .kind) {
    case "initial":
      var records = try message.nestedUnkeyedContainer(forKey: .sections)
      var sections: [ListSection<Section, Row>] = []
      while !records.isAtEnd { sections.append(try ListSection(from: records.superDecoder())) }
      self = .initial(
        revision: position.revision, snapshot: try ListSnapshot(sections), epoch: position.epoch,
        lineage: try message.decodeLineage(of: position))
    case "changes":
      self = .changes(try WireChanges(position, from: message))
    case "progress":
      let start = ListPosition(
        epoch: try message.decodeEpoch(forKey: .previousEpoch) ?? position.epoch,
        revision: try message.decodeIfPresent(Int.self, forKey: .previous) ?? position.revision)
      self = .progress(position, since: start)
    case "end":
      let updates = try message.decode(Int.self, forKey: .updates)
      self = .end(revision: position.revision, updates: updates, epoch: position.epoch)
    case "run":
      self = .run(try message.decodeLineage(of: position))
    case let kind:
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: message, debugDescription: "there is no kind of message \"\(kind)\"")
    }
  }
}

// MARK: - Runs

extension WireEncoder {
  fileprivate mutating func encodeEpoch(_ epoch: String, forKey field: WireField) throws {
    guard epoch.utf8.count <= ListPosition.longestEpoch else { throw WireError.longEpoch(epoch) }
    // Without this field, a message starts in the run of its own epoch.
    if !epoch.isEmpty || field == .previousEpoch { try encode(epoch, forKey: field) }
  }

  /// Writes a lineage, if it is known.
  fileprivate mutating func encodeLineage(_ lineage: Lineage) throws {
    if lineage.runs.isEmpty { return }
    try encodeObjects(lineage.runs.indices, forKey: .lineage) { index, run in
      try run.encode(lineage.runs[index].epoch, forKey: .epoch)
      try run.encode(lineage.runs[index].revision, forKey: .revision)
    }
  }
}

extension WireDecoder {
  /// Checks that a message or a line has the version that can be read.
  func checkVersion() throws {
    let version = try decode(Int.self, forKey: .v)
    if version == 1 { return }
    throw DecodingError.dataCorruptedError(
      forKey: .v, in: self,
      debugDescription: "this is version \(version) of the wire form; only version 1 can be read")
  }

  fileprivate func decodeEpoch(forKey field: WireField) throws -> String? {
    guard let epoch = try decodeIfPresent(String.self, forKey: field) else { return nil }
    guard epoch.utf8.count <= ListPosition.longestEpoch else {
      throw DecodingError.dataCorruptedError(
        forKey: field, in: self, debugDescription: WireError.longEpoch(epoch).description)
    }
    return epoch
  }

  /// Reads the lineage of a list at a position; without one it is unknown.
  fileprivate func decodeLineage(of position: ListPosition) throws -> Lineage {
    guard contains(.lineage) else { return Lineage() }
    var runs: [ListPosition] = []
    try decodeObjects(.lineage) { run in
      runs.append(
        ListPosition(
          epoch: try run.decode(String.self, forKey: .epoch), revision: try run.decode(Int.self, forKey: .revision)))
    }
    guard let lineage = Lineage(runs), lineage.leads(to: position) else {
      throw DecodingError.dataCorruptedError(
        forKey: .lineage, in: self,
        debugDescription: "the lineage must have ascending revisions and different epochs, and lead to \(position)")
    }
    return lineage
  }
}

// MARK: - Changes

extension WireChanges {
  fileprivate func encodeSections(in message: inout WireEncoder) throws {
    var sections = message.nestedContainer(keyedBy: WireField.self, forKey: .sections)
    try sections.encodeArray(changes.sections.deletes, forKey: .deletes)
    try sections.encodeObjects(changes.sections.inserts.indices, forKey: .inserts) { index, insert in
      try insert.encode(changes.sections.inserts[index], forKey: .at)
      try insertedSections[index].encode(to: insert.superEncoder(forKey: .section))
    }
    try sections.encodeMoves(changes.sections.moves)
    var updates = sections.nestedUnkeyedContainer(forKey: .updates)
    for (update, content) in zip(changes.sections.updates, updatedSections) {
      // The fields of the content are beside `from` and `to`.
      let encoder = updates.superEncoder()
      try FieldEncoder.encode(content, beside: ["from", "to"], to: encoder)
      var record = encoder.container(keyedBy: WireField.self)
      try record.encode(update.from, forKey: .from)
      try record.encode(update.to, forKey: .to)
    }
  }

  fileprivate func encodeRows(in message: inout WireEncoder) throws {
    var rows = message.nestedContainer(keyedBy: WireField.self, forKey: .rows)
    try rows.encodeArray(changes.rows.deletes, forKey: .deletes)
    try rows.encodeObjects(changes.rows.inserts.indices, forKey: .inserts) { index, insert in
      try insert.encodePath(changes.rows.inserts[index], forKey: .at)
      try insert.encode(insertedRows[index], forKey: .row)
    }
    try rows.encodeMoves(changes.rows.moves)
    try rows.encodeObjects(changes.rows.updates.indices, forKey: .updates) { index, update in
      try update.encodePath(changes.rows.updates[index].from, forKey: .from)
      try update.encodePath(changes.rows.updates[index].to, forKey: .to)
      try update.encode(updatedRows[index], forKey: .row)
    }
  }

  fileprivate init(_ position: ListPosition, from message: WireDecoder) throws {
    let revision = try message.decode(Int.self, forKey: .previous)
    let epoch = try message.decodeEpoch(forKey: .previousEpoch) ?? position.epoch
    self.init(from: ListPosition(epoch: epoch, revision: revision), to: position, ListChanges())
    try decodeSections(from: message.nestedContainer(keyedBy: WireField.self, forKey: .sections))
    try decodeRows(from: message.nestedContainer(keyedBy: WireField.self, forKey: .rows))
  }

  // The order of operations in a message means nothing; the operations of changes are sorted.

  private mutating func decodeSections(from sections: WireDecoder) throws {
    changes.sections.deletes = try sections.decodeArray(forKey: .deletes).ascending
    try sections.decodeObjects(.inserts) { insert in
      changes.sections.inserts.append(try insert.decode(Int.self, forKey: .at))
      guard insert.contains(.section) else {
        // Without the field, `superDecoder(forKey:)` returns an empty decoder.
        let context = DecodingError.Context(
          codingPath: insert.codingPath, debugDescription: "an inserted section is missing")
        throw DecodingError.keyNotFound(WireField.section, context)
      }
      insertedSections.append(try ListSection(from: insert.superDecoder(forKey: .section)))
    }
    changes.sections.inserts.sort(with: &insertedSections) { $0 }
    changes.sections.moves = try sections.decodeMoves()
    var updates = try sections.nestedUnkeyedContainer(forKey: .updates)
    while !updates.isAtEnd {
      let decoder = try updates.superDecoder()
      let update = try decoder.container(keyedBy: WireField.self)
      changes.sections.updates.append(
        .init(from: try update.decode(Int.self, forKey: .from), to: try update.decode(Int.self, forKey: .to)))
      updatedSections.append(try Section.Content(from: decoder))
    }
    changes.sections.updates.sort(with: &updatedSections) { $0.to }
  }

  private mutating func decodeRows(from rows: WireDecoder) throws {
    changes.rows.deletes = try rows.decodeArray(forKey: .deletes).ascending
    try rows.decodeObjects(.inserts) { insert in
      changes.rows.inserts.append(try insert.decodePath(forKey: .at))
      insertedRows.append(try insert.decode(Row.self, forKey: .row))
    }
    changes.rows.inserts.sort(with: &insertedRows) { $0 }
    changes.rows.moves = try rows.decodeMoves()
    try rows.decodeObjects(.updates) { update in
      changes.rows.updates.append(
        .init(from: try update.decodePath(forKey: .from), to: try update.decodePath(forKey: .to)))
      updatedRows.append(try update.decode(Row.self, forKey: .row))
    }
    changes.rows.updates.sort(with: &updatedRows) { $0.to }
  }
}

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

// A section with its rows: the fields of its content are beside `id` and `rows`.
extension ListSection where Section: WireSection, Row: Codable {
  fileprivate init(from decoder: any Decoder) throws {
    let record = try decoder.container(keyedBy: WireField.self)
    self.init(
      Section(id: try record.decode(Section.ID.self, forKey: .id), content: try .init(from: decoder)),
      rows: try record.decode([Row].self, forKey: .rows))
  }

  fileprivate func encode(to encoder: any Encoder) throws {
    try FieldEncoder.encode(model.content, beside: ["id", "rows"], to: encoder)
    var record = encoder.container(keyedBy: WireField.self)
    try record.encode(model.id, forKey: .id)
    try record.encode(rows, forKey: .rows)
  }
}

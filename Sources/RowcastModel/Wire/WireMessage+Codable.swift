import RowcastDiff

extension WireMessage: Codable {
  private enum Key: String, CodingKey {
    case v, kind, revision, previous, sections, rows, updates
  }

  private enum Kind: String, Codable {
    case initial, changes, end
  }

  /// The version of the wire form that is written, and the only one that is read.
  public static var version: Int { 1 }

  /// Writes the message in the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.version, forKey: .v)
    try container.encode(revision, forKey: .revision)
    switch self {
    case .initial(_, let snapshot):
      try container.encode(Kind.initial, forKey: .kind)
      try container.encode(snapshot.material.map(SectionRecord.init), forKey: .sections)
    case .changes(let changes):
      try container.encode(Kind.changes, forKey: .kind)
      try container.encode(changes.previous, forKey: .previous)
      try container.encode(changes.sectionOperations, forKey: .sections)
      try container.encode(changes.rowOperations, forKey: .rows)
    case .end(_, let updates):
      try container.encode(Kind.end, forKey: .kind)
      try container.encode(updates, forKey: .updates)
    }
  }

  /// Reads a message in the wire form. Unknown fields are ignored.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let version = try container.decode(Int.self, forKey: .v)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .v, in: container,
        debugDescription: "this is version \(version) of the wire form; only version \(Self.version) can be read")
    }
    let revision = try container.decode(Int.self, forKey: .revision)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .initial:
      let records = try container.decode([SectionRecord<Section, Row>].self, forKey: .sections)
      self = .initial(revision: revision, snapshot: try ListSnapshot(records.map(\.section)))
    case .changes:
      self = .changes(
        WireChanges(
          previous: try container.decode(Int.self, forKey: .previous), revision: revision,
          sections: try container.decode(SectionOperations<Section, Row>.self, forKey: .sections),
          rows: try container.decode(RowOperations<Row>.self, forKey: .rows)))
    case .end:
      self = .end(revision: revision, updates: try container.decode(Int.self, forKey: .updates))
    }
  }
}

extension WireChanges {
  fileprivate var sectionOperations: SectionOperations<Section, Row> {
    SectionOperations(
      deletes: changes.sections.deletes,
      inserts: zip(changes.sections.inserts, insertedSections).map { .init(at: $0, section: SectionRecord($1)) },
      moves: changes.sections.moves.map(MoveRecord.init),
      updates: zip(changes.sections.updates, updatedSections).map { .init(from: $0.from, to: $0.to, content: $1) })
  }

  fileprivate var rowOperations: RowOperations<Row> {
    RowOperations(
      deletes: changes.rows.deletes,
      inserts: zip(changes.rows.inserts, insertedRows).map { .init(at: $0, row: $1) },
      moves: changes.rows.moves.map(MoveRecord.init),
      updates: zip(changes.rows.updates, updatedRows).map { .init(from: $0.from, to: $0.to, row: $1) })
  }

  fileprivate init(
    previous: Int, revision: Int, sections: SectionOperations<Section, Row>, rows: RowOperations<Row>
  ) {
    self.previous = previous
    self.revision = revision
    // The order of operations in a message means nothing; those of changes are sorted.
    let sections = sections.sorted
    let rows = rows.sorted
    changes = ListChanges(
      sections: Changeset(
        deletes: sections.deletes, inserts: sections.inserts.map(\.at), moves: sections.moves.map(\.transition),
        updates: sections.updates.map { .init(from: $0.from, to: $0.to) }),
      rows: Changeset(
        deletes: rows.deletes, inserts: rows.inserts.map(\.at), moves: rows.moves.map(\.transition),
        updates: rows.updates.map { .init(from: $0.from, to: $0.to) }))
    insertedSections = sections.inserts.map(\.section.section)
    updatedSections = sections.updates.map(\.content)
    insertedRows = rows.inserts.map(\.row)
    updatedRows = rows.updates.map(\.row)
  }
}

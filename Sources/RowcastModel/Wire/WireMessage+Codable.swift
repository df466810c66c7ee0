import RowcastDiff

extension WireMessage: Codable {
  private enum Key: String, CodingKey {
    case v, kind, epoch, revision, previous, sections, rows, updates
  }

  private enum Kind: String, Codable {
    case initial, changes, end
  }

  /// The version of the wire form that is written, and the only one that is read.
  public static var version: Int { 1 }

  /// The most bytes of an epoch that is read.
  static var longestEpoch: Int { 64 }

  /// Writes the message in the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.version, forKey: .v)
    if !epoch.isEmpty { try container.encode(epoch, forKey: .epoch) }
    try container.encode(revision, forKey: .revision)
    switch self {
    case .initial(_, let snapshot, _):
      try container.encode(Kind.initial, forKey: .kind)
      try container.encode(snapshot.material.map(SectionRecord.init), forKey: .sections)
    case .changes(let changes):
      try container.encode(Kind.changes, forKey: .kind)
      try container.encode(changes.previous, forKey: .previous)
      try container.encode(changes.sectionOperations, forKey: .sections)
      try container.encode(changes.rowOperations, forKey: .rows)
    case .end(_, let updates, _):
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
    let epoch = try container.decodeIfPresent(String.self, forKey: .epoch) ?? ""
    guard epoch.utf8.count <= Self.longestEpoch else {
      throw DecodingError.dataCorruptedError(
        forKey: .epoch, in: container,
        debugDescription: "the epoch has \(epoch.utf8.count) bytes; \(Self.longestEpoch) are enough")
    }
    let revision = try container.decode(Int.self, forKey: .revision)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .initial:
      let records = try container.decode([SectionRecord<Section, Row>].self, forKey: .sections)
      self = .initial(revision: revision, snapshot: try ListSnapshot(records.map(\.section)), epoch: epoch)
    case .changes:
      self = .changes(
        WireChanges(
          epoch: epoch, previous: try container.decode(Int.self, forKey: .previous), revision: revision,
          sections: try container.decode(SectionOperations<Section, Row>.self, forKey: .sections),
          rows: try container.decode(RowOperations<Row>.self, forKey: .rows)))
    case .end:
      self = .end(revision: revision, updates: try container.decode(Int.self, forKey: .updates), epoch: epoch)
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
    epoch: String, previous: Int, revision: Int, sections: SectionOperations<Section, Row>, rows: RowOperations<Row>
  ) {
    // The order of operations in a message means nothing; those of changes are sorted.
    let sections = sections.sorted
    let rows = rows.sorted
    self.init(
      epoch: epoch, previous: previous, revision: revision,
      changes: ListChanges(
        sections: Changeset(
          deletes: sections.deletes, inserts: sections.inserts.map(\.at), moves: sections.moves.map(\.transition),
          updates: sections.updates.map { .init(from: $0.from, to: $0.to) }),
        rows: Changeset(
          deletes: rows.deletes, inserts: rows.inserts.map(\.at), moves: rows.moves.map(\.transition),
          updates: rows.updates.map { .init(from: $0.from, to: $0.to) })),
      insertedSections: sections.inserts.map(\.section.section), updatedSections: sections.updates.map(\.content),
      insertedRows: rows.inserts.map(\.row), updatedRows: rows.updates.map(\.row))
  }
}

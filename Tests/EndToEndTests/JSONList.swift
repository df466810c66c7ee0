/// A list as JSON says it, and the folding rule of the wire form: an oracle that shares no code with the engine.
struct JSONList: Equatable {
  struct Row: RowViewModel {
    var id: String
    var title: String
    var subtitle: String?
    var kind: String
    /// The place in an outline.
    var depth: Int?
    var parent: String?
    var expanded: Bool?
  }

  struct Section: SectionViewModel {
    var id: String
    var title: String
    var phase: String?
    var rows: [Row]
  }

  struct Malformed: Error {
    let what: String
  }

  var sections: [Section] = []
  var revision: Int?

  private static func field<Value>(_ object: [String: Any], _ key: String, as type: Value.Type = Value.self) throws
    -> Value
  {
    guard let value = object[key] as? Value else { throw Malformed(what: "\(key) in \(object)") }
    return value
  }

  private static func row(_ object: [String: Any]) throws -> Row {
    Row(
      id: try field(object, "id"), title: try field(object, "title"), subtitle: object["subtitle"] as? String,
      kind: try field(object, "kind"), depth: object["depth"] as? Int, parent: object["parent"] as? String,
      expanded: object["expanded"] as? Bool)
  }

  /// The phase of a section in a word, or the reason of its failure.
  private static func phase(_ object: [String: Any]) -> String? {
    object["phase"] as? String ?? (object["phase"] as? [String: Any])?["failed"] as? String
  }

  private static func section(_ object: [String: Any]) throws -> Section {
    Section(
      id: try field(object, "id"), title: try field(object, "title"), phase: phase(object),
      rows: try field(object, "rows", as: [[String: Any]].self).map(row))
  }

  /// Folds one message; a message that breaks the contract is an error.
  mutating func fold(_ message: [String: Any]) throws {
    guard try Self.field(message, "v", as: Int.self) == 1 else { throw Malformed(what: "version") }
    switch try Self.field(message, "kind", as: String.self) {
    case "initial":
      sections = try Self.field(message, "sections", as: [[String: Any]].self).map(Self.section)
      revision = try Self.field(message, "revision")
    case "changes":
      guard try Self.field(message, "previous", as: Int.self) == revision else { throw Malformed(what: "chain") }
      try fold(rows: Self.field(message, "rows"), sections: Self.field(message, "sections"))
      revision = try Self.field(message, "revision")
    case "progress":
      let revision = try Self.field(message, "revision", as: Int.self)
      guard message["previous"] as? Int ?? revision == self.revision else { throw Malformed(what: "progress") }
      self.revision = revision
    case "run": break
    case "end":
      guard try Self.field(message, "revision", as: Int.self) == revision else { throw Malformed(what: "end") }
    default: throw Malformed(what: "kind")
    }
  }

  private mutating func fold(rows: [String: Any], sections changes: [String: Any]) throws {
    let rowMoves = try Self.field(rows, "moves", as: [[String: [Int]]].self)
    let rowDeletes = try Self.field(rows, "deletes", as: [[Int]].self)
    let rowInserts = try Self.field(rows, "inserts", as: [[String: Any]].self)
    let rowUpdates = try Self.field(rows, "updates", as: [[String: Any]].self)
    let sectionDeletes = try Self.field(changes, "deletes", as: [Int].self)
    let sectionInserts = try Self.field(changes, "inserts", as: [[String: Any]].self)
    let sectionMoves = try Self.field(changes, "moves", as: [[String: Int]].self)
    let sectionUpdates = try Self.field(changes, "updates", as: [[String: Any]].self)
    let all = [rowMoves.count, rowDeletes.count, rowInserts.count, rowUpdates.count, sectionDeletes.count]
    guard (all + [sectionInserts.count, sectionMoves.count, sectionUpdates.count]).contains(where: { $0 > 0 }) else {
      throw Malformed(what: "an empty update")
    }
    var carried: [[Int]: Row] = [:]
    for path in (rowDeletes + rowMoves.compactMap { $0["from"] }).sorted(by: { ($0[0], $0[1]) > ($1[0], $1[1]) }) {
      carried[path] = sections[path[0]].rows.remove(at: path[1])
    }
    var carriedSections: [Int: Section] = [:]
    for index in (sectionDeletes + sectionMoves.compactMap { $0["from"] }).sorted(by: >) {
      carriedSections[index] = sections.remove(at: index)
    }
    var arrivingSections = try sectionInserts.map { insert in
      (try Self.field(insert, "at", as: Int.self), try Self.section(Self.field(insert, "section")))
    }
    for move in sectionMoves {
      guard let from = move["from"], let to = move["to"], let section = carriedSections[from] else {
        throw Malformed(what: "move")
      }
      arrivingSections.append((to, section))
    }
    for (index, section) in arrivingSections.sorted(by: { $0.0 < $1.0 }) { sections.insert(section, at: index) }
    var arriving = try rowInserts.map { insert in
      (try Self.field(insert, "at", as: [Int].self), try Self.row(Self.field(insert, "row")))
    }
    for move in rowMoves {
      guard let from = move["from"], let to = move["to"], let row = carried[from] else { throw Malformed(what: "move") }
      arriving.append((to, row))
    }
    for (path, row) in arriving.sorted(by: { ($0.0[0], $0.0[1]) < ($1.0[0], $1.0[1]) }) {
      sections[path[0]].rows.insert(row, at: path[1])
    }
    for update in sectionUpdates {
      let index = try Self.field(update, "to", as: Int.self)
      (sections[index].title, sections[index].phase) = (try Self.field(update, "title"), Self.phase(update))
    }
    for update in rowUpdates {
      let path = try Self.field(update, "to", as: [Int].self)
      sections[path[0]].rows[path[1]] = try Self.row(Self.field(update, "row"))
    }
  }

  /// The least number of moves of rows, and of sections, on the way to another list.
  func leastMoves(to other: JSONList) -> (rows: Int, sections: Int) { naive.minimalMoves(to: other.naive) }

  private var naive: NaiveList<Section, Row> {
    var list = NaiveList<Section, Row>()
    list.parts = sections.map { .init(section: $0, rows: $0.rows) }
    return list
  }
}

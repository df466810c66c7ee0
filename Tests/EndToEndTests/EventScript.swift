/// Random event lines, good and bad, and what they do to a list by the words of the contract.
struct EventScript {
  private var random: SeededGenerator
  private(set) var model = JSONList()

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// One more line. The model is what the list is after it; whether it changed tells if an update must follow.
  mutating func next() throws -> String {
    if Int.random(in: 0..<25, using: &random) == 0 { return "{\"op\":\"upsert\",\"id\":" }
    let event = Int.random(in: 0..<12, using: &random) == 0 ? batch() : single()
    var after = model
    if Self.apply(event, to: &after) { model = after }
    return try Self.line(event)
  }

  static func line(_ event: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: event, options: [.sortedKeys]), as: UTF8.self)
  }

  private mutating func batch() -> [String: Any] {
    ["op": "batch", "events": (0..<Int.random(in: 0...4, using: &random)).map { _ in single() }]
  }

  private mutating func single() -> [String: Any] {
    func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    func chance(_ one: Int) -> Bool { int(0..<one) == 0 }
    let id: Any = chance(3) ? int(0..<20) : "\(int(0..<20))"
    let section = "s\(int(0..<5))"
    let title = ["one", "two ✓", "", "três\u{7}", "𝄞 \"quoted\" \\"][int(0..<5)]
    var event: [String: Any] = [:]
    switch int(0..<12) {
    case 0...5:
      event = ["op": "upsert", "id": id]
      if !chance(3) { event["section"] = section }
      if !chance(3) { event["title"] = title }
      if chance(3) { event["subtitle"] = chance(3) ? NSNull() : title as Any }
      if chance(4) { event["kind"] = ["text", "image"][int(0..<2)] }
      if chance(3) { event["index"] = int(-1..<6) }
    case 6: event = ["op": "delete", "id": id]
    case 7...8:
      event = ["op": "move", "id": id]
      if chance(2) { event["section"] = section }
      if chance(2) { event["index"] = int(-1..<6) }
    case 9:
      event = ["op": "upsertSection", "id": section]
      if chance(2) { event["title"] = title }
      if chance(2) { event["index"] = int(-1..<6) }
    case 10:
      event =
        chance(2)
        ? ["op": "deleteSection", "id": section] : ["op": "moveSection", "id": section, "index": int(-1..<6)]
    default:
      if !chance(3) { return ["op": ["upsrt", "paint"][int(0..<2)], "id": id] }
      var ids = (0..<20).shuffled(using: &random)[...]
      if chance(4) { ids += ids.prefix(1) }
      event = [
        "op": "replace",
        "sections": (0..<int(0..<4)).map { number -> [String: Any] in
          let rows = ids.prefix(4)
          ids = ids.dropFirst(4)
          return ["id": "s\(number)", "title": title, "rows": rows.map { ["id": "\($0)", "title": title] }]
        },
      ]
    }
    return event
  }

  /// Does what an event says; false, with the list in any state, if the event is bad.
  private static func apply(_ event: [String: Any], to list: inout JSONList) -> Bool {
    func text(_ key: String) -> String? { event[key].flatMap { $0 as? String ?? ($0 as? Int).map(String.init) } }
    func place(_ id: String) -> (section: Int, row: Int)? {
      for (section, content) in list.sections.enumerated() {
        if let row = content.rows.firstIndex(where: { $0.id == id }) { return (section, row) }
      }
      return nil
    }
    func section(_ id: String?) -> Int? { list.sections.firstIndex { $0.id == id } }
    func put(_ row: JSONList.Row, into section: Int) -> Bool {
      let index = event["index"] as? Int ?? list.sections[section].rows.count
      guard (0...list.sections[section].rows.count).contains(index) else { return false }
      list.sections[section].rows.insert(row, at: index)
      return true
    }
    switch event["op"] as? String {
    case "upsert":
      guard let id = text("id") else { return false }
      if let name = text("section"), section(name) == nil {
        list.sections.append(.init(id: name, title: name, rows: []))
      }
      var row =
        place(id).map { list.sections[$0.section].rows[$0.row] }
        ?? JSONList.Row(id: id, title: id, subtitle: nil, kind: "text")
      if let title = text("title") { row.title = title }
      if event["subtitle"] != nil { row.subtitle = text("subtitle") }
      if let kind = text("kind") { row.kind = kind }
      guard let known = place(id) else {
        guard let target = section(text("section")) else { return false }
        return put(row, into: target)
      }
      let target = text("section").flatMap(section) ?? known.section
      if target == known.section && event["index"] == nil {
        list.sections[known.section].rows[known.row] = row
        return true
      }
      list.sections[known.section].rows.remove(at: known.row)
      return put(row, into: target)
    case "delete":
      guard let known = text("id").flatMap(place) else { return false }
      list.sections[known.section].rows.remove(at: known.row)
    case "move":
      guard let known = text("id").flatMap(place) else { return false }
      guard let target = event["section"] == nil ? known.section : section(text("section")) else { return false }
      return put(list.sections[known.section].rows.remove(at: known.row), into: target)
    case "upsertSection", "moveSection":
      guard let id = text("id") else { return false }
      guard let known = section(id) else {
        if event["op"] as? String == "moveSection" { return false }
        let index = event["index"] as? Int ?? list.sections.count
        guard (0...list.sections.count).contains(index) else { return false }
        list.sections.insert(.init(id: id, title: text("title") ?? id, rows: []), at: index)
        return true
      }
      if let title = text("title") { list.sections[known].title = title }
      guard let index = event["index"] as? Int else { return event["op"] as? String == "upsertSection" }
      let moved = list.sections.remove(at: known)
      guard (0...list.sections.count).contains(index) else { return false }
      list.sections.insert(moved, at: index)
    case "deleteSection":
      guard let known = section(text("id")) else { return false }
      list.sections.remove(at: known)
    case "replace":
      let sections = event["sections"] as? [[String: Any]] ?? []
      let ids = sections.flatMap { ($0["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String } }
      guard Set(ids).count == ids.count else { return false }
      list.sections = sections.map { section in
        JSONList.Section(
          id: section["id"] as? String ?? "", title: section["title"] as? String ?? "",
          rows: (section["rows"] as? [[String: Any]] ?? []).map { row in
            JSONList.Row(
              id: row["id"] as? String ?? "", title: row["title"] as? String ?? "", subtitle: nil, kind: "text")
          })
      }
    case "batch":
      return (event["events"] as? [[String: Any]] ?? []).allSatisfy { apply($0, to: &list) }
    default: return false
    }
    return true
  }
}

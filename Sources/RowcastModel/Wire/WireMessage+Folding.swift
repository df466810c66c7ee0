import RowcastDiff

/// Why a message cannot be folded onto a list. The list is as it was.
public enum WireError: Error, Hashable {
  /// The stream does not start with the whole list.
  case missingInitial
  /// The message starts from another revision than the list has.
  case wrongRevision(list: Int, messageStartsAt: Int)
  /// An operation names a row or a section outside the list.
  case outOfRange(operation: String, position: String)
  /// An operation takes out one row or section twice, or an update changes an id.
  case contradiction(String)
}

extension WireError: CustomStringConvertible {
  /// What is wrong, with the values.
  public var description: String {
    switch self {
    case .missingInitial:
      "the stream does not start with an \"initial\" message; record it from its beginning"
    case .wrongRevision(let list, let start):
      "the message starts at revision \(start), but the list is at revision \(list): messages are missing or reordered"
    case .outOfRange(let operation, let position):
      "\(operation) \(position) is out of range"
    case .contradiction(let text):
      text
    }
  }
}

extension WireMessage {
  /// The list after this message.
  ///
  /// - Parameters:
  ///   - list: The list before it.
  ///   - revision: The revision of that list; `nil` if there was no message yet.
  /// - Returns: The list at the message's ``revision``.
  /// - Throws: ``WireError`` or ``ListError`` for a message that does not fit the list.
  /// - Complexity: O(n) for the n rows of both lists.
  public func folded(
    onto list: ListSnapshot<Section, Row>, revision: Int?
  ) throws -> ListSnapshot<Section, Row> {
    switch self {
    case .initial(_, let snapshot):
      return snapshot
    case .end(let end, _):
      guard let revision else { throw WireError.missingInitial }
      guard end == revision else { throw WireError.wrongRevision(list: revision, messageStartsAt: end) }
      return list
    case .changes(let changes):
      guard let revision else { throw WireError.missingInitial }
      guard changes.previous == revision else {
        throw WireError.wrongRevision(list: revision, messageStartsAt: changes.previous)
      }
      return try ListSnapshot(changes.folded(onto: list.material))
    }
  }
}

extension WireChanges {
  /// Takes out rows, then sections, by positions before; puts in sections, then rows, by positions after, ascending;
  /// sets updated content.
  fileprivate func folded(onto before: [ListSection<Section, Row>]) throws -> [ListSection<Section, Row>] {
    var list = before
    var travellers: [RowPath: Row] = [:]
    for path in try descending(changes.rows.deletes + changes.rows.moves.map(\.from), "row") {
      guard list.contains(path) else { throw WireError.outOfRange(operation: "taking out row", position: "\(path)") }
      travellers[path] = list[path.section].rows.remove(at: path.row)
    }
    var movingSections: [Int: ListSection<Section, Row>] = [:]
    for index in try descending(changes.sections.deletes + changes.sections.moves.map(\.from), "section") {
      guard list.indices.contains(index) else {
        throw WireError.outOfRange(operation: "taking out section", position: "\(index)")
      }
      movingSections[index] = list.remove(at: index)
    }
    let sections =
      Array(zip(changes.sections.inserts, insertedSections))
      + changes.sections.moves.compactMap { move in movingSections[move.from].map { (move.to, $0) } }
    for (index, section) in sections.sorted(by: { $0.0 < $1.0 }) {
      guard (0...list.count).contains(index) else {
        throw WireError.outOfRange(operation: "putting in section", position: "\(index)")
      }
      list.insert(section, at: index)
    }
    let rows =
      Array(zip(changes.rows.inserts, insertedRows))
      + changes.rows.moves.compactMap { move in travellers[move.from].map { (move.to, $0) } }
    for (path, row) in rows.sorted(by: { $0.0 < $1.0 }) {
      guard list.indices.contains(path.section), (0...list[path.section].rows.count).contains(path.row) else {
        throw WireError.outOfRange(operation: "putting in row", position: "\(path)")
      }
      list[path.section].rows.insert(row, at: path.row)
    }
    try setContent(in: &list)
    return list
  }

  private func setContent(in list: inout [ListSection<Section, Row>]) throws {
    for (update, content) in zip(changes.sections.updates, updatedSections) {
      guard list.indices.contains(update.to) else {
        throw WireError.outOfRange(operation: "updating section", position: "\(update.to)")
      }
      list[update.to].model = Section(id: list[update.to].model.id, content: content)
    }
    for (update, row) in zip(changes.rows.updates, updatedRows) {
      guard list.contains(update.to) else {
        throw WireError.outOfRange(operation: "updating row", position: "\(update.to)")
      }
      let known = list[update.to.section].rows[update.to.row].id
      guard known == row.id else {
        throw WireError.contradiction("the update of row \(update.to) has the id \(row.id), but that row is \(known)")
      }
      list[update.to.section].rows[update.to.row] = row
    }
  }

  private func descending<Position: Comparable>(_ positions: [Position], _ name: String) throws -> [Position] {
    let sorted = positions.sorted(by: >)
    if let twice = zip(sorted, sorted.dropFirst()).first(where: { $0 == $1 }) {
      throw WireError.contradiction("\(name) \(twice.0) is taken out twice")
    }
    return sorted
  }
}

extension Array {
  /// Whether the sections have a row at a path.
  fileprivate func contains<Section, Row>(_ path: RowPath) -> Bool where Element == ListSection<Section, Row> {
    indices.contains(path.section) && self[path.section].rows.indices.contains(path.row)
  }
}

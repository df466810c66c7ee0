import RowcastDiff
import RowcastModel
import RowcastStore

/// Makes the lines of an archive, and finds what cannot be encoded.
struct ArchiveEncoder<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  typealias Message = WireMessage<Section, Row>
  typealias Snapshot = ListSnapshot<Section, Row>

  let encode: @Sendable (Message) throws -> [UInt8]

  /// Makes a line of a message, with the position of an origin.
  func line(
    of message: Message, _ kind: ArchiveLine.Kind, origin: ListState<Section, Row>? = nil
  ) throws(ArchiveError) -> [UInt8] {
    do {
      var position = origin
      position?.snapshot = Snapshot()
      return try ArchiveLine.line(of: encode(message), kind, origin: position.map { try encode(Message($0)) })
    } catch {
      throw error as? ArchiveError ?? .unencodable(reason: Self.reason(of: error))
    }
  }

  /// Throws for a list that has something new that cannot be encoded.
  func validate(_ list: Snapshot, since former: Snapshot) throws(ArchiveError) {
    if let problem = encodable(list, since: former) { throw .unencodable(reason: problem.reason) }
  }

  /// Looks for rows and sections that cannot be encoded, among those that a list has and a former one has not.
  ///
  /// - Returns: The list without them: they are as they are in the former list, or absent; and why the first cannot be encoded.
  ///   `nil` if there are none.
  func encodable(_ list: Snapshot, since former: Snapshot) -> (list: Snapshot, reason: String)? {
    let patch = ListPatch(former.changes(to: list), to: list)
    var (rows, sections) = (patch.insertedRows + patch.updatedRows, patch.updatedSections)
    for section in patch.insertedSections {
      rows += section.rows
      sections.append(section.model)
    }
    var reason: String?
    func isRefused(_ id: some Any, _ name: String, _ changes: WireChanges<Section, Row>) -> Bool {
      do {
        _ = try encode(.changes(changes))
        return false
      } catch {
        reason = reason ?? "\(name) \(id): \(Self.reason(of: error))"
        return true
      }
    }
    let refusedRows = rows.filter {
      let changes = ListChanges(rows: Changeset(inserts: [RowPath(section: 0, row: 0)]))
      return isRefused($0.id, "row", WireChanges(previous: 0, revision: 0, changes: changes, insertedRows: [$0]))
    }
    let refusedSections = sections.filter {
      let section = ListSection<Section, Row>($0, rows: [])
      let changes = ListChanges(sections: Changeset(inserts: [0]))
      return isRefused(
        $0.id, "section", WireChanges(previous: 0, revision: 0, changes: changes, insertedSections: [section]))
    }
    guard let reason else { return nil }
    // Made only for a problem, as it takes O(n).
    let before = ListDraft(former)
    var draft = ListDraft(list)
    for row in refusedRows {
      guard let path = draft.path(ofRow: row.id) else { continue }
      if let row = before.find(row.id)?.row {
        draft.replaceRow(at: path, with: row)
      } else {
        draft.removeRow(at: path)
      }
    }
    for section in refusedSections {
      guard let index = draft.index(ofSection: section.id) else { continue }
      if let place = before.index(ofSection: section.id) {
        draft.replaceSection(at: index, with: former.section(at: place))
      } else {
        draft.removeSection(at: index)
      }
    }
    return (draft.snapshot, reason)
  }

  /// The reason in words, after the path of the field in its row or section.
  private static func reason(of error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
    let path = context.codingPath.map(\.stringValue)
    let start = path.firstIndex { $0 == "row" || $0 == "section" }.map { $0 + 1 } ?? 0
    return "\(path[start...].joined(separator: ".")): \(context.debugDescription)"
  }
}

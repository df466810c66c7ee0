import RowcastDiff
import RowcastModel

/// Makes the lines of an archive, and finds what cannot be encoded.
struct ArchiveEncoder<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  typealias Message = WireMessage<Section, Row>
  typealias Snapshot = ListSnapshot<Section, Row>

  let encode: @Sendable (Message) throws -> [UInt8]

  /// Makes a line of a message.
  func line(of message: Message, _ kind: ArchiveLine.Kind) throws(ArchiveError) -> [UInt8] {
    do { return try ArchiveLine.line(of: encode(message), kind) } catch {
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
    // Made only for a problem, as it takes O(n).
    var drafts: [ListDraft<Section, Row>] = []
    func isRefused(_ id: some Any, _ name: String, _ changes: WireChanges<Section, Row>) -> Bool {
      do {
        _ = try encode(.changes(changes))
        return false
      } catch {
        reason = reason ?? "\(name) \(id): \(Self.reason(of: error))"
        if drafts.isEmpty { drafts = [ListDraft(former), ListDraft(list)] }
        return true
      }
    }
    for row in rows {
      let changes = WireChanges<Section, Row>(
        previous: 0, revision: 0, changes: ListChanges(rows: Changeset(inserts: [RowPath(section: 0, row: 0)])),
        insertedRows: [row])
      guard isRefused(row.id, "row", changes), let path = drafts[1].path(ofRow: row.id) else { continue }
      if let row = drafts[0].find(row.id)?.row {
        drafts[1].replaceRow(at: path, with: row)
      } else {
        drafts[1].removeRow(at: path)
      }
    }
    for section in sections {
      let changes = WireChanges<Section, Row>(
        previous: 0, revision: 0, changes: ListChanges(sections: Changeset(inserts: [0])),
        insertedSections: [ListSection(section, rows: [])])
      guard isRefused(section.id, "section", changes), let index = drafts[1].index(ofSection: section.id) else {
        continue
      }
      if let place = drafts[0].index(ofSection: section.id) {
        drafts[1].replaceSection(at: index, with: former.section(at: place))
      } else {
        drafts[1].removeSection(at: index)
      }
    }
    return reason.map { (drafts[1].snapshot, $0) }
  }

  /// The reason in words, after the path of the field in its row or section.
  private static func reason(of error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
    let path = context.codingPath.map(\.stringValue)
    let start = path.firstIndex { $0 == "row" || $0 == "section" }.map { $0 + 1 } ?? 0
    return "\(path[start...].joined(separator: ".")): \(context.debugDescription)"
  }
}

import Foundation

typealias Message = WireMessage<TestSection, TestRow>
typealias Mirror = WireReader<TestSection, TestRow>
typealias Draft = ListDraft<TestSection, TestRow>

func at(_ epoch: String, _ revision: Int) -> ListPosition { ListPosition(epoch: epoch, revision: revision) }

/// An update of a list at revision 3.
func update(from before: TestSnapshot, to after: TestSnapshot) -> TestUpdate {
  .next(after, after: before, at: at("", 3), step: 2)
}

/// A value as JSON, whose fields are in order.
func json(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// The message that JSON says.
func read(_ text: String) throws -> Message { try JSONDecoder().decode(Message.self, from: Data(text.utf8)) }

/// The kinds of events. A move is two edits of the tree.
enum Event: CaseIterable {
  case update, insert, remove, move

  /// Changes, puts in, takes out or moves a row of the first section.
  func apply<Row: RowViewModel>(
    to draft: inout ListDraft<TestSection, Row>, inserting new: Row, _ random: inout SeededGenerator,
    _ change: (inout Row) -> Void
  ) {
    let path = RowPath(section: 0, row: Int.random(in: 0..<draft.snapshot.rowCount, using: &random))
    switch self {
    case .update:
      var row = draft.snapshot.row(at: path)
      change(&row)
      draft.replaceRow(at: path, with: row)
    case .insert: draft.insertRow(new, at: path)
    case .remove: draft.removeRow(at: path)
    case .move:
      let to = RowPath(section: 0, row: Int.random(in: 0..<draft.snapshot.rowCount, using: &random))
      draft.moveRow(from: path, to: to)
    }
  }

  /// How many paths from the root to a leaf it changes.
  var paths: Int { self == .move ? 2 : 1 }
}

/// A row or section for tests: an id, and content that may change.
struct Item: Identifiable, Hashable {
  var id: Int
  var content = 0
}

extension ListChanges {
  init(of old: [Shelf], _ new: [Shelf]) {
    self.init(from: old.map(\.model), rows: old.map(\.rows), to: new.map(\.model), rows: new.map(\.rows))
  }

  /// Flat changes, as changes of the rows of a single section.
  init(ofRows changes: Changeset<Int>) {
    func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }
    self.init(
      rows: Changeset(
        deletes: changes.deletes.map(path), inserts: changes.inserts.map(path),
        moves: changes.moves.map { .init(from: path($0.from), to: path($0.to)) },
        updates: changes.updates.map { .init(from: path($0.from), to: path($0.to)) }))
  }
}

/// A section with its rows, as the tests keep them.
struct Shelf: Hashable {
  var model: Item
  var rows: [Item]

  init(_ id: Int, _ rows: [Item] = []) {
    model = Item(id: id)
    self.rows = rows
  }
}

/// Counts what is asked of the ids and rows that share it.
final class Tally {
  var idComparisons = 0
  var hashes = 0
  var contentComparisons = 0
}

/// An id that counts each `==` and each hash.
struct CountingID: Hashable {
  var value: Int
  var tally: Tally

  static func == (lhs: CountingID, rhs: CountingID) -> Bool {
    lhs.tally.idComparisons += 1
    return lhs.value == rhs.value
  }

  func hash(into hasher: inout Hasher) {
    tally.hashes += 1
    hasher.combine(value)
  }
}

/// A row with such an id that also counts comparisons of content.
struct CountingRow: Identifiable, Equatable {
  var id: CountingID
  var content = 0

  static func == (lhs: CountingRow, rhs: CountingRow) -> Bool {
    lhs.id.tally.contentComparisons += 1
    return lhs.id.value == rhs.id.value && lhs.content == rhs.content
  }
}

package import RowcastDiff

/// A section or a row of a batch, and the side of the batch on which its indexes count.
package struct BatchPlace: Hashable, Sendable {
  let isAfter: Bool
  let section: Int
  /// The index in the section, or `nil` for the section itself.
  let row: Int?

  /// A section by its index before the batch.
  package static func sectionBefore(_ index: Int) -> BatchPlace { .init(isAfter: false, section: index, row: nil) }

  /// A section by its index after the batch.
  package static func sectionAfter(_ index: Int) -> BatchPlace { .init(isAfter: true, section: index, row: nil) }

  /// A row by its path before the batch.
  package static func rowBefore(_ path: RowPath) -> BatchPlace {
    .init(isAfter: false, section: path.section, row: path.row)
  }

  /// A row by its path after the batch.
  package static func rowAfter(_ path: RowPath) -> BatchPlace {
    .init(isAfter: true, section: path.section, row: path.row)
  }

  /// The section of a row.
  var sectionPlace: BatchPlace { .init(isAfter: isAfter, section: section, row: nil) }

  /// True if this is the former of two sections, or of two rows, on one side.
  func precedes(_ other: BatchPlace) -> Bool {
    section == other.section ? (row ?? 0) < (other.row ?? 0) : section < other.section
  }

  /// The words of UIKit's messages for it.
  var noun: String { row == nil ? "section" : "index path" }
  var position: String {
    guard let row else { return "\(section)" }
    return "{length = 2, path = \(section) - \(row)}"
  }
}

extension BatchPlace: CustomStringConvertible {
  /// The section or row, and the side.
  package var description: String {
    let side = isAfter ? "after" : "before"
    guard let row else { return "section \(section) \(side)" }
    return "row \(RowPath(section: section, row: row)) \(side)"
  }
}

/// The operations of a batch on sections, or those on rows, as places: the rules are the same for both.
struct BatchOperations {
  var deletes: [BatchPlace]
  var inserts: [BatchPlace]
  var reloads: [BatchPlace]
  var moves: [Move]
  var updates: [Move]

  typealias Move = (from: BatchPlace, to: BatchPlace)

  /// Where the moves start, and where they end.
  var sources: [BatchPlace] { moves.map { $0.from } }
  var destinations: [BatchPlace] { moves.map { $0.to } }

  /// The operations that remove an element, in the words of UIKit: deletes and reloads.
  var leaving: [BatchPlace] { reloads.isEmpty ? deletes : deletes + reloads }

  init<Position>(
    _ changes: Changeset<Position>, reloads: [Position], before: (Position) -> BatchPlace,
    after: (Position) -> BatchPlace
  ) {
    deletes = changes.deletes.map(before)
    inserts = changes.inserts.map(after)
    self.reloads = reloads.map(before)
    moves = changes.moves.map { (before($0.from), after($0.to)) }
    updates = changes.updates.map { (before($0.from), after($0.to)) }
  }
}

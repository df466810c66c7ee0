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

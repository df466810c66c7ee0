package import RowcastDiff

/// A recent change of a row or a section, as a sign that can be read without colour.
package enum RowMark: Equatable {
  case inserted, updated, deleted
  /// A row moved from this path before the update; a section has none.
  case moved(from: RowPath?)

  package var sign: Character {
    switch self {
    case .inserted: "+"
    case .updated: "~"
    case .moved: ">"
    case .deleted: "-"
    }
  }

  var style: TextStyle {
    switch self {
    case .inserted: .inserted
    case .updated: .updated
    case .moved: .moved
    case .deleted: .deleted
    }
  }
}

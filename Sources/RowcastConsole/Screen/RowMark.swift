package import RowcastDiff

/// What happened to a row or a section lately, as a sign that is read without colour.
package enum RowMark: Equatable {
  case inserted, updated, deleted
  /// It was moved; for a row, from this path in the list before.
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

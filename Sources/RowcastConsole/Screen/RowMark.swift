public import RowcastDiff

/// What happened to a row or a section lately, as a sign that is read without colour.
public enum RowMark: Equatable, Sendable {
  /// It is new.
  case inserted
  /// Its content changed.
  case updated
  /// It was moved; for a row, from this path in the list before.
  case moved(from: RowPath?)
  /// It is gone.
  case deleted

  /// The sign.
  public var sign: Character {
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

/// A mark, and whether it is about to go.
public struct FadingMark: Equatable, Sendable {
  /// What happened.
  public var mark: RowMark
  /// Whether the better part of its time is over.
  public var isFading: Bool

  var style: TextStyle { isFading ? .faint : mark.style }
}

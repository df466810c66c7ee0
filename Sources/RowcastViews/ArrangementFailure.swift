/// Why a row of an arranged list is left out, or stands where a rule for exceptions puts it.
///
/// Keys are given as text.
public enum ArrangementFailure: Error, Hashable {
  /// A key of the row is not equal to itself, like a number that is not a number. The row stands after all rows
  /// whose keys are; so does its section, if the key divides the rows.
  case unorderedKey(String)
  /// The key gives the same section id as another one. The rows share the section, with place and content of the first key.
  case sharedSection(key: String)
  /// The section of the row's key has an id that is not equal to itself, which nothing could find. The row is left out.
  case unidentifiedSection(key: String)
  /// A function that compares rows puts this one before another that it also puts before this one, directly or by way of
  /// a third row. Rows in such a circle have the order of a sort that chooses its pivots by the hashes of their ids.
  case contradictoryOrder
}

extension ArrangementFailure: CustomStringConvertible {
  /// What is wrong, with the values, and what to do about it.
  public var description: String {
    switch self {
    case .unorderedKey(let key):
      "the key \(key) is not equal to itself and has no place in an order; the row stands after all that have one"
    case .sharedSection(let key):
      "the key \(key) gives the same section id as another key, and shares its section; give each key an id of its own"
    case .unidentifiedSection(let key):
      "the section of the key \(key) has an id that is not equal to itself; the row is left out until it has another key"
    case .contradictoryOrder:
      "the order contradicts itself: two rows stand before each other; compare rows by a strict weak order"
    }
  }
}

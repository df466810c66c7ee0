/// The reason why a row of an arranged list is left out, or is where a rule for exceptions puts it.
///
/// Keys are given as text.
public enum ArrangementFailure: Error, Hashable {
  /// A key of the row is not equal to itself, such as `Double.nan`. The row is after all rows whose keys are; so is its section,
  /// if the key divides the rows.
  case unorderedKey(String)
  /// The key gives the same section id as another one. The rows share the section, with place and content of the first key.
  case sharedSection(key: String)
  /// The section of the row's key has an id that is not equal to itself, so that nothing could find it. The row is left out.
  case unidentifiedSection(key: String)
  /// The list does not have the parent that the row names. The row is at the top of the outline, or hidden, until it is inserted.
  case missingParent(String)
  /// The row is its own ancestor. It is the first row of its cycle in the list, and is at the top of the outline with the others
  /// under it.
  case cyclicParent(String)
  /// Another row gave an element with this id before; the one of this row is left out.
  case repeatedID(row: String)
}

extension ArrangementFailure: CustomStringConvertible {
  /// The problem with its values, and a way to solve it.
  public var description: String {
    switch self {
    case .unorderedKey(let key):
      "the key \(key) is not equal to itself and has no place in an order; the row is after all that have one"
    case .sharedSection(let key):
      "the key \(key) gives the same section id as another key, and shares its section; give each key an id of its own"
    case .unidentifiedSection(let key):
      "the section of the key \(key) has an id that is not equal to itself; the row is left out until it has another key"
    case .missingParent(let parent):
      "the parent \(parent) is missing; until it is inserted, the row is at the top or hidden"
    case .cyclicParent(let parent):
      "the row names \(parent) as its parent, which is a descendant of the row; the row is at the top until one of the two has "
        + "another parent"
    case .repeatedID(let row):
      "an earlier row has an element with the id of that of the row \(row), which is left out; make ids of the row's id and the "
        + "element's"
    }
  }
}

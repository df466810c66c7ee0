/// A part of a list, counted over all sections.
///
/// Any numbers are allowed: positions that the list does not have show nothing, and a negative length counts as 0.
public enum RowWindow<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The rows with these positions, as far as the list has them. The first row has the position 0.
  case rows(Range<Int>)
  /// The last rows of the list, this many.
  case last(Int)
  /// This many rows around the row with an id, which has as many before as behind it; fewer on one side, and more on
  /// the other, at an end of the list. The first rows if no row has the id.
  case around(ID, Int)

  /// The first rows of the list, this many.
  public static func first(_ count: Int) -> RowWindow { .rows(0..<max(0, count)) }

  /// The positions of the rows in a list.
  ///
  /// - Parameters:
  ///   - count: The number of rows of the list.
  ///   - place: The position of the row with an id.
  /// - Returns: Positions that the list has.
  @inlinable
  func positions(count: Int, place: (ID) -> Int?) -> Range<Int> {
    switch self {
    case .rows(let rows): return rows.clamped(to: 0..<count)
    case .last(let length): return count - min(max(0, length), count)..<count
    case .around(let id, let given):
      let length = min(max(0, given), count)
      guard let place = place(id) else { return 0..<length }
      let start = max(0, min(place - length / 2, count - length))
      return start..<start + length
    }
  }

  /// Whether a row's place decides.
  @inlinable var followsRow: Bool { if case .around = self { true } else { false } }
}

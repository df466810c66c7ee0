/// A part of a list, counted over all sections.
///
/// Any numbers are allowed: positions that the list does not have show nothing, and a negative length counts as 0.
public enum RowWindow<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The rows with these positions, as far as the list has them. The first row has the position 0.
  case rows(Range<Int>)
  /// This many rows at the end of the list.
  case last(Int)
  /// This many rows around the row with an id, as many before it as after it. At an end of the list there are fewer on
  /// one side and more on the other. If no row has the id, the first rows.
  case around(ID, count: Int)
  /// This many rows after the row with an id, without that one; all of them without a number. If no row has the id, the first
  /// rows.
  case after(ID, count: Int = .max)
  /// A page of rows; the first has the number 0. A page that the list does not have shows nothing, or is the last one.
  case page(number: Int, size: Int, beyondEnd: PageEndPolicy = .empty)

  /// This many rows at the start of the list.
  public static func first(_ count: Int) -> RowWindow { .rows(0..<max(0, count)) }

  /// The positions of the rows in a list of `count` rows, in which `place` finds the row with an id.
  @_alwaysEmitIntoClient
  func positions(count: Int, place: (ID) -> Int?) -> Range<Int> {
    switch self {
    case .rows(let rows): return rows.clamped(to: 0..<count)
    case .last(let length): return count - min(max(0, length), count)..<count
    case .around(let id, let given):
      let length = min(max(0, given), count)
      guard let place = place(id) else { return 0..<length }
      let start = max(0, min(place - length / 2, count - length))
      return start..<start + length
    case .after(let id, let given):
      let start = place(id).map { $0 + 1 } ?? 0
      return start..<start + min(max(0, given), count - start)
    case .page(let number, let size, let policy):
      guard size > 0, count > 0, number >= 0 else { return 0..<0 }
      let last = (count - 1) / size
      if number > last && policy == .empty { return count..<count }
      let start = min(number, last) * size
      return start..<start + min(size, count - start)
    }
  }

  /// True if the positions follow a row.
  @_alwaysEmitIntoClient var followsRow: Bool {
    switch self {
    case .around, .after: true
    case .rows, .last, .page: false
    }
  }
}

/// A policy for a page whose number is greater than that of the last page.
public enum PageEndPolicy: Hashable, Sendable {
  /// Nothing.
  case empty
  /// The last page, as long as the list has no more.
  case last
}

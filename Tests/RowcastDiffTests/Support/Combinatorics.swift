/// All the small lists there are.
enum Combinatorics {
  /// Every list without duplicates over the ids `0..<count`, the empty one first.
  static func arrangements(of count: Int) -> [[Int]] {
    var result: [[Int]] = [[]]
    var longest: [[Int]] = [[]]
    for _ in 0..<count {
      longest = longest.flatMap { list in (0..<count).filter { !list.contains($0) }.map { list + [$0] } }
      result += longest
    }
    return result
  }

  /// Every list, duplicates included, of at most `length` ids out of `0..<count`.
  static func words(over count: Int, upTo length: Int) -> [[Int]] {
    var result: [[Int]] = [[]]
    var longest: [[Int]] = [[]]
    for _ in 0..<length {
      longest = longest.flatMap { list in (0..<count).map { list + [$0] } }
      result += longest
    }
    return result
  }

  /// Every way to cut a list into `parts` slices, some of which may be empty.
  static func cuts(of list: [Int], into parts: Int) -> [[[Int]]] {
    if parts == 0 { return list.isEmpty ? [[]] : [] }
    if parts == 1 { return [[list]] }
    return (0...list.count).flatMap { head in
      cuts(of: Array(list[head...]), into: parts - 1).map { [Array(list[..<head])] + $0 }
    }
  }

  /// Every sectioned list over the given numbers of section and row ids.
  static func shelves(sections: Int, rows: Int) -> [[Shelf]] {
    arrangements(of: sections).flatMap { order in
      arrangements(of: rows).flatMap { list in
        cuts(of: list, into: order.count).map { slices in
          zip(order, slices).map { Shelf($0, $1.map { Item(id: $0) }) }
        }
      }
    }
  }
}

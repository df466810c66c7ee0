/// The indexes of elements in order; equal elements keep their order.
///
/// All modules sort with this, apart from rows by keys that an app chose: `sort` is compiled again for each closure and type of
/// element, to 3 KB in every program, and 30 copies were a thirtieth of a small one.
///
/// - Parameters:
///   - count: The number of elements.
///   - precedes: Returns `true` if the element at the first index is before the one at the second.
/// - Returns: Indexes from 0, each once.
/// - Complexity: O(n log n) calls for n elements, O(n) if they are in order.
@inline(never) @usableFromInline
package func indexesInOrder(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  (0..<count).sorted(by: precedes)
}

extension Array {
  /// The elements in order; equal ones keep their order.
  @inlinable
  package func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
    indexesInOrder(count) { precedes(self[$0], self[$1]) }.map { self[$0] }
  }
}

extension Array where Element: Comparable {
  /// The elements in order: the array itself if it is in order already.
  @inlinable package var ascending: [Element] {
    indices.dropFirst().allSatisfy { self[$0 - 1] <= self[$0] } ? self : inOrder(<)
  }
}

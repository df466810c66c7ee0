/// One segment of a list as the differ reads it: elements that lie side by side in memory.
///
/// A flat list is one buffer that is borrowed for the length of the difference; a sectioned list is an array of
/// arrays, each borrowed only while it is read.
@usableFromInline
protocol ContiguousRows<Element>: RandomAccessCollection where Index == Int {
  func withElements<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result
}

extension Array: ContiguousRows {
  @inlinable
  @inline(__always)
  func withElements<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
    withUnsafeBufferPointer(body)
  }
}

extension UnsafeBufferPointer: ContiguousRows {
  @inlinable
  @inline(__always)
  func withElements<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result { body(self) }
}

/// Lends the elements of any collection side by side in memory; copies them first if they are not.
@inlinable
func withContiguousElements<Elements: Collection>(
  of elements: Elements, _ body: (UnsafeBufferPointer<Elements.Element>) -> Matching
) -> Matching {
  if let result = elements.withContiguousStorageIfAvailable(body) { return result }
  return ContiguousArray(elements).withUnsafeBufferPointer(body)
}

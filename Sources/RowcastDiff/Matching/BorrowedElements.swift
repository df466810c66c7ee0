/// Elements side by side in memory, borrowed for the duration of a closure.
///
/// Every index that the differ reads is below `count`, since walks get their ends before they begin. Debug builds check
/// each index, as the standard library's buffers do; a check in release builds costs a walk a tenth of its time.
@usableFromInline
@safe
package struct BorrowedElements<Element>: BitwiseCopyable {
  @usableFromInline let buffer: UnsafeBufferPointer<Element>

  @inlinable
  package init(_ buffer: UnsafeBufferPointer<Element>) { unsafe self.buffer = buffer }

  /// The elements of an array that is kept alive, and not changed, while they are read.
  @inlinable
  package init(_ array: ContiguousArray<Element>) { unsafe buffer = array.withUnsafeBufferPointer { unsafe $0 } }

  @inlinable
  package var count: Int { unsafe buffer.count }

  @inlinable
  package subscript(index: Int) -> Element { unsafe buffer[index] }

  /// The elements from an index on, as many as `count` says.
  @inlinable
  package func part(_ start: Int, _ count: Int) -> BorrowedElements {
    assert(start >= 0 && count >= 0 && start + count <= self.count, "\(count) from \(start) are not in \(self.count)")
    return unsafe BorrowedElements(
      UnsafeBufferPointer(start: buffer.baseAddress.map { unsafe $0 + start }, count: count))
  }
}

/// Calls the body with the elements of a collection, copied first if they are not side by side in memory.
@inlinable
func withElements<Elements: Collection, Result>(
  of elements: Elements, _ body: (BorrowedElements<Elements.Element>) -> Result
) -> Result {
  if let result = elements.withContiguousStorageIfAvailable({ unsafe body(BorrowedElements($0)) }) { return result }
  return unsafe ContiguousArray(elements).withUnsafeBufferPointer { unsafe body(BorrowedElements($0)) }
}

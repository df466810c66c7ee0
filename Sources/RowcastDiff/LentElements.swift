/// The elements of one stretch of a list, side by side in memory that is lent for the length of a closure.
///
/// The differ reads each element by an index below `count`: walks are given their ends before they begin. Debug builds
/// check every index, as the standard library's buffers do; a check in release builds costs a walk a tenth of its time.
@usableFromInline
@safe
package struct LentElements<Element> {
  @usableFromInline let buffer: UnsafeBufferPointer<Element>

  @inlinable
  @inline(__always)
  package init(_ buffer: UnsafeBufferPointer<Element>) { unsafe self.buffer = buffer }

  @inlinable
  @inline(__always)
  package var count: Int { unsafe buffer.count }

  @inlinable
  @inline(__always)
  package subscript(index: Int) -> Element { unsafe buffer[index] }
}

/// Lends the elements of any collection side by side in memory; copies them first if they are not.
@inlinable
@inline(__always)
func withLentElements<Elements: Collection, Result>(
  of elements: Elements, _ body: (LentElements<Elements.Element>) -> Result
) -> Result {
  if let result = elements.withContiguousStorageIfAvailable({ unsafe body(LentElements($0)) }) { return result }
  return unsafe ContiguousArray(elements).withUnsafeBufferPointer { unsafe body(LentElements($0)) }
}

/// Two flat lists, lent for the whole of the difference.
@usableFromInline
struct FlatLists<Element>: StretchList {
  @usableFromInline let old: LentElements<Element>
  @usableFromInline let new: LentElements<Element>

  @inlinable
  @inline(__always)
  init(_ old: LentElements<Element>, _ new: LentElements<Element>) { (self.old, self.new) = (old, new) }

  @inlinable static var isFlat: Bool { true }

  @inlinable var stretchCount: Int { 1 }

  @inlinable
  @inline(__always)
  func extent(of stretch: Int) -> StretchExtent { StretchExtent(count: IndexPair(old: old.count, new: new.count)) }

  @inlinable
  @inline(__always)
  func withOld<Result>(_ stretch: Int, _ body: (LentElements<Element>) -> Result) -> Result { body(old) }

  @inlinable
  @inline(__always)
  func withNew<Result>(_ stretch: Int, _ body: (LentElements<Element>) -> Result) -> Result { body(new) }
}

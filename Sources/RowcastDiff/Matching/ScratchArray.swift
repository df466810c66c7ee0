/// A growing array of plain values. It begins in borrowed memory, and moves to allocated memory once that is full.
///
/// The differ works on these, so that the difference of two small lists allocates nothing but its result. Every access
/// is checked. The borrowed memory is on the stack of ``withScratch(_:)``, and the array cannot outlive it: the result of that
/// function's closure must be copyable, and the array is not.
///
/// Setting an element changes the memory and not the array, so that a borrowed array stays in registers.
@usableFromInline
@safe
package struct ScratchArray<Element: BitwiseCopyable>: ~Copyable {
  /// The elements: the first `count` are initialised.
  @usableFromInline private(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline private(set) var capacity: Int
  @usableFromInline package var count = 0
  /// True if the memory is the array's own, to be deallocated.
  @usableFromInline private(set) var isOwned = false

  /// An empty array in borrowed memory, which must outlive the array.
  @inlinable
  init(in memory: UnsafeMutableBufferPointer<Element>) {
    // A temporary allocation that is not empty has an address.
    unsafe base = memory.baseAddress.unsafelyUnwrapped
    capacity = memory.count
  }

  @inlinable
  deinit { if isOwned { unsafe base.deallocate() } }

  @inlinable package var isEmpty: Bool { count == 0 }

  /// The elements in memory, for as long as the array is neither changed nor destroyed.
  @inlinable
  @unsafe
  var elements: BorrowedElements<Element> { unsafe BorrowedElements(UnsafeBufferPointer(start: base, count: count)) }

  @inlinable
  package subscript(index: Int) -> Element {
    get {
      if UInt(bitPattern: index) >= UInt(bitPattern: count) { Self.fail(index, count) }
      return unsafe base[index]
    }
    nonmutating set {
      if UInt(bitPattern: index) >= UInt(bitPattern: count) { Self.fail(index, count) }
      unsafe base[index] = newValue
    }
  }

  /// The element at an index that is known to be below `count`.
  @inlinable
  @unsafe
  subscript(unchecked index: Int) -> Element {
    get { unsafe base[index] }
    nonmutating set { unsafe base[index] = newValue }
  }

  @usableFromInline
  @inline(never)
  static func fail(_ index: Int, _ count: Int) -> Never {
    preconditionFailure("Index \(index) is out of range 0..<\(count) of \(Element.self)")
  }

  @inlinable
  package mutating func append(_ element: Element) {
    if count == capacity { grow(to: capacity &* 2) }
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }

  /// Appends an element if a condition is true, without a branch: for conditions that are hard to predict.
  @inlinable
  mutating func append(_ element: Element, if condition: Bool) {
    if count == capacity { grow(to: capacity &* 2) }
    unsafe (base + count).initialize(to: element)
    count &+= condition ? 1 : 0
  }

  @inlinable
  mutating func removeLast() {
    precondition(count > 0, "There is no element to remove")
    count &-= 1
  }

  /// Drops all elements but the first `newCount`.
  @inlinable
  mutating func truncate(to newCount: Int) {
    precondition(
      newCount >= 0 && newCount <= count, "\(newCount) of \(count) elements cannot be left")
    count = newCount
  }

  /// Replaces the elements with `count` copies of one.
  @inlinable
  mutating func fill(_ count: Int, with element: Element) {
    self.count = 0
    if count > capacity { grow(to: count) }
    unsafe base.initialize(repeating: element, count: count)
    self.count = count
  }

  /// Makes room for `count` elements in all.
  @inlinable
  mutating func reserve(_ count: Int) { if count > capacity { grow(to: count) } }

  @usableFromInline
  @inline(never)
  mutating func grow(to newCapacity: Int) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    unsafe memory.update(from: base, count: count)
    if isOwned { unsafe base.deallocate() }
    unsafe base = memory
    capacity = newCapacity
    isOwned = true
  }
}

/// Memory on the stack for arrays to begin in: 1,024 bytes for each of the first six.
@usableFromInline
@safe
package struct Scratch: ~Copyable {
  @usableFromInline typealias Block = UnsafeMutableRawBufferPointer

  @usableFromInline let blocks: (Block, Block, Block, Block, Block, Block)
  @usableFromInline var usedCount = 0

  @inlinable
  init(_ blocks: (Block, Block, Block, Block, Block, Block)) { unsafe self.blocks = blocks }

  /// An empty array, in memory that no other array has.
  @inlinable
  package mutating func array<Element: BitwiseCopyable>(of type: Element.Type) -> ScratchArray<Element> {
    usedCount &+= 1
    // All blocks are aligned for any plain value.
    return unsafe ScratchArray(in: block(usedCount).bindMemory(to: type))
  }

  @inlinable
  func block(_ number: Int) -> Block {
    switch number {
    case 1: unsafe blocks.0
    case 2: unsafe blocks.1
    case 3: unsafe blocks.2
    case 4: unsafe blocks.3
    case 5: unsafe blocks.4
    case 6: unsafe blocks.5
    default: preconditionFailure("There is memory for six arrays, and not for \(number)")
    }
  }
}

/// Provides scratch memory for the duration of a closure.
///
/// The result of the closure is copyable, and a value that contains an array is not: no array leaves the closure.
@inlinable
@inline(__always)
package func withScratch<Result>(_ body: (inout Scratch) -> Result) -> Result {
  // The compiler puts allocations of a constant size that is this small on the stack.
  unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { first in
    unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { second in
      unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { third in
        unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { fourth in
          unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { fifth in
            unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { sixth in
              var scratch = unsafe Scratch((first, second, third, fourth, fifth, sixth))
              return body(&scratch)
            }
          }
        }
      }
    }
  }
}

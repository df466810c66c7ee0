/// A hash table of indexes with open addressing and linear probing.
///
/// It stores no ids. A slot of 32 bits holds an index and, in the bits that indexes leave free, a part of the id's tag;
/// the caller compares the id at that index. Nothing is ever removed: a used index is marked *spent*, and a probe for its id
/// still stops there.
///
/// Slots are read without a check: their numbers are masked, and there are as many as the mask has room for.
@usableFromInline
struct IndexTable: ~Copyable {
  @usableFromInline let slots: ScratchArray<UInt32>
  /// The number of slots, which is a power of two, less one.
  @usableFromInline let mask: Int
  /// The bits of an index plus 1, so that an empty slot is 0.
  @usableFromInline let indexMask: UInt32
  @usableFromInline let spentBit: UInt32
  @usableFromInline let tagMask: UInt32

  /// An empty table that gets at most half full.
  ///
  /// - Parameters:
  ///   - count: The number of indexes that the table is for.
  ///   - limit: The upper bound of all indexes, below `Int32.max`.
  ///   - memory: Room for the slots.
  @usableFromInline
  init(count: Int, limit: Int, in memory: consuming ScratchArray<UInt32>) {
    var capacity = 16
    // Thin, so that most searches end in their first slot.
    while capacity < count * 4 { capacity *= 2 }
    var memory = memory
    memory.fill(capacity, with: 0)
    slots = memory
    mask = capacity - 1
    let indexBits = Int.bitWidth - limit.leadingZeroBitCount
    indexMask = (1 << UInt32(indexBits)) - 1
    spentBit = indexMask + 1
    tagMask = ~(indexMask | spentBit)
  }

  /// The slot that holds the index which `matches`, or the empty slot where it would be.
  @inlinable
  @inline(__always)
  func slot(tag: UInt32, _ matches: (_ index: Int) -> Bool) -> Int {
    slot(tag: tag, first: content(for: tag), matches)
  }

  /// The content of the slot at which the search for a tag begins.
  ///
  /// Reading it for several tags before the first of them is looked up lets the processor fetch uncached slots all at
  /// once, since no branch depends on them.
  @inlinable
  @inline(__always)
  func content(for tag: UInt32) -> UInt32 {
    unsafe slots[unchecked: Int(truncatingIfNeeded: tag) & mask]
  }

  /// The slot that holds the index which `matches`, or the empty slot where it would be. `content` is the content for the tag.
  @inlinable
  @inline(__always)
  func slot(tag: UInt32, first content: UInt32, _ matches: (_ index: Int) -> Bool) -> Int {
    // Half of the slots are empty, so that the search ends. Slots are chosen by the low bits of a tag and tell tags
    // apart by the high ones.
    var slot = Int(truncatingIfNeeded: tag) & mask
    var content = content
    while content != 0 {
      if (content ^ tag) & tagMask == 0, matches(index(in: content)) { return slot }
      slot = (slot &+ 1) & mask
      content = unsafe slots[unchecked: slot]
    }
    return slot
  }

  /// The index in a slot, marked if it is spent; `nil` for an empty slot.
  @inlinable
  @inline(__always)
  func entry(inSlot slot: Int) -> (index: Int, isSpent: Bool)? {
    let content = unsafe slots[unchecked: slot & mask]
    return content == 0 ? nil : (index(in: content), content & spentBit != 0)
  }

  /// Replaces the index in a slot by one with an equal id.
  @inlinable
  @inline(__always)
  func replace(_ index: Int, inSlot slot: Int) {
    unsafe set(index, tag: slots[unchecked: slot & mask], inSlot: slot)
  }

  /// Stores an index in a slot.
  @inlinable
  @inline(__always)
  func set(_ index: Int, tag: UInt32, inSlot slot: Int) {
    unsafe slots[unchecked: slot & mask] = (tag & tagMask) | UInt32(truncatingIfNeeded: index &+ 1)
    assert(
      entry(inSlot: slot).map { $0.index == index && !$0.isSpent } ?? false, "index \(index) is not in slot \(slot)")
  }

  /// Marks the index in a slot as used up. Its id is still found.
  @inlinable
  @inline(__always)
  func spend(slot: Int) {
    unsafe slots[unchecked: slot & mask] |= spentBit
    assert(entry(inSlot: slot).map { $0.index >= 0 } ?? false, "slot \(slot) is empty, and spent")
  }

  @inlinable
  @inline(__always)
  func index(in content: UInt32) -> Int { Int(truncatingIfNeeded: content & indexMask) &- 1 }
}

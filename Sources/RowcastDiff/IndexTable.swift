/// A hash table of positions with open addressing and linear probing.
///
/// It stores no ids. A slot of 32 bits holds a position and, in the bits that positions leave free, a part of the id's
/// tag; whoever asks compares the id at that position. Nothing is ever removed: a position that is used up is marked
/// *spent*, and still ends the search for its id.
///
/// The slots are memory of its own, and not an array, because the table is filled and read in the inner loops. Every
/// access is masked by the capacity, which is a power of two, so it stays inside; `deinit` gives the memory back.
@usableFromInline
struct IndexTable: ~Copyable {
  @usableFromInline let slots: UnsafeMutablePointer<UInt32>
  @usableFromInline let mask: Int
  /// The bits that hold a position plus 1, so that an empty slot is 0.
  @usableFromInline let positionMask: UInt32
  @usableFromInline let spentBit: UInt32
  @usableFromInline let tagMask: UInt32

  /// Creates a table that gets at most half full.
  ///
  /// - Parameters:
  ///   - count: How many positions the table is for.
  ///   - length: What all positions are below, itself below `Int32.max`.
  @usableFromInline
  init(count: Int, length: Int) {
    var capacity = 16
    while capacity < count * 2 { capacity *= 2 }
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: 0, count: capacity)
    mask = capacity - 1
    let positionBits = Int.bitWidth - length.leadingZeroBitCount
    positionMask = (1 << UInt32(positionBits)) - 1
    spentBit = positionMask + 1
    tagMask = ~(positionMask | spentBit)
  }

  @inlinable
  deinit { slots.deallocate() }

  /// The slot that holds the position which `matches`, or the empty slot where it would be.
  @inlinable
  @inline(__always)
  func slot(tag: UInt32, _ matches: (_ position: Int) -> Bool) -> Int {
    slot(tag: tag, first: content(for: tag), matches)
  }

  /// What is in the slot at which the search for a tag begins.
  ///
  /// To ask this of some tags before the first of them is looked up lets what is not in the cache be fetched all at
  /// once, as there is no branch that depends on it.
  @inlinable
  @inline(__always)
  func content(for tag: UInt32) -> UInt32 { slots[Int(truncatingIfNeeded: tag) & mask] }

  /// The slot that holds the position which `matches`, or the empty slot where it would be.
  ///
  /// - Parameters:
  ///   - tag: The tag.
  ///   - content: The ``content(for:)`` of the tag.
  ///   - matches: Whether an id with a like tag is the one that is looked for.
  /// - Returns: The index of the slot.
  @inlinable
  @inline(__always)
  func slot(tag: UInt32, first content: UInt32, _ matches: (_ position: Int) -> Bool) -> Int {
    // Half of the slots are empty, so that the search ends. Slots are chosen by the low bits of a tag and tell tags
    // apart by the high ones.
    var slot = Int(truncatingIfNeeded: tag) & mask
    var content = content
    while content != 0 {
      if (content ^ tag) & tagMask == 0, matches(position(in: content)) { return slot }
      slot = (slot &+ 1) & mask
      content = slots[slot]
    }
    return slot
  }

  /// The position in a slot and whether it is spent; nothing for an empty slot.
  @inlinable
  @inline(__always)
  func entry(inSlot slot: Int) -> (position: Int, isSpent: Bool)? {
    let content = slots[slot & mask]
    return content == 0 ? nil : (position(in: content), content & spentBit != 0)
  }

  /// Puts a position of an equal id into a slot.
  @inlinable
  @inline(__always)
  func replace(_ position: Int, inSlot slot: Int) { set(position, tag: slots[slot & mask], inSlot: slot) }

  /// Puts a position into a slot, in place of what was there.
  @inlinable
  @inline(__always)
  func set(_ position: Int, tag: UInt32, inSlot slot: Int) {
    slots[slot & mask] = (tag & tagMask) | UInt32(truncatingIfNeeded: position &+ 1)
  }

  /// Marks the position in a slot as used up. Its id is still found.
  @inlinable
  @inline(__always)
  func spend(slot: Int) { slots[slot & mask] |= spentBit }

  @inlinable
  @inline(__always)
  func position(in content: UInt32) -> Int { Int(truncatingIfNeeded: content & positionMask) &- 1 }
}

/// A multiset of pairs of a tag, 32 bits of an id's hash, and the number of a leaf that may hold the id.
///
/// It stores no ids. A search compares the ids in the leaf; two ids with one tag cost a second look. So moving elements
/// from one leaf to another is integer work, and the table costs about 12 bytes an element.
///
/// Extendible hashing (R. Fagin et al., "Extendible hashing: a fast access method for dynamic files", 1979): the high
/// bits of a tag choose a shard, and a shard that is full is split in two. So growing never touches more than one
/// shard's worth of pairs at a time. Inside a shard: open addressing, deletion by shifting back.
@usableFromInline
struct TagTable: Sendable {
  private struct Shard: Sendable {
    /// Pairs, the tag in the high half; 0 is an empty slot. A quarter of them at least is empty.
    var slots: [UInt64]
    var used = 0
    /// The number of high bits of their tags that all pairs have in common.
    var depth: Int

    init(capacity: Int, depth: Int) {
      slots = Array(repeating: 0, count: capacity)
      self.depth = depth
    }

    /// The slot in which the search for a tag begins. The bits that all tags of the shard have in common do not count: the high
    /// bits of a product depend on all others, too (D. Knuth, "The Art of Computer Programming", volume 3, section 6.4).
    func home(of tag: UInt64) -> Int {
      Int(truncatingIfNeeded: ((tag &* 0x9E37_79B9 & 0xFFFF_FFFF) &* UInt64(slots.count)) >> 32)
    }

    /// The number of steps from one slot to another.
    func distance(from start: Int, to end: Int) -> Int { end >= start ? end &- start : end &- start &+ slots.count }

    mutating func place(_ pair: UInt64) {
      var slot = home(of: pair >> 32)
      while slots[slot] != 0 { slot = slot &+ 1 < slots.count ? slot &+ 1 : 0 }
      slots[slot] = pair
      used += 1
    }

    /// The slot of a pair, or the empty slot that ends the search for it.
    func slot(of pair: UInt64) -> Int {
      var slot = home(of: pair >> 32)
      while slots[slot] != pair && slots[slot] != 0 { slot = slot &+ 1 < slots.count ? slot &+ 1 : 0 }
      return slot
    }

    mutating func clear(_ cleared: Int) {
      var gap = cleared
      var slot = gap &+ 1 < slots.count ? gap &+ 1 : 0
      while slots[slot] != 0 {
        // A pair may fill the gap if its home is not between the two.
        if distance(from: home(of: slots[slot] >> 32), to: slot) >= distance(from: gap, to: slot) {
          slots[gap] = slots[slot]
          gap = slot
        }
        slot = slot &+ 1 < slots.count ? slot &+ 1 : 0
      }
      slots[gap] = 0
      used -= 1
    }
  }

  /// A shard with this many slots is split rather than grown.
  private static let shardCapacity = 2_048

  /// The number of slots for pairs, with room for others.
  private static func capacity(for count: Int) -> Int { max(8, count * 3 / 2) }

  /// The index of the shard of all tags that begin with the same ``depth`` bits.
  private var directory = [0]
  private var shards = [Shard(capacity: 8, depth: 0)]
  private var depth = 0

  private(set) var count = 0

  /// The number of pairs that growing has moved from one place to another. For tests.
  private(set) var movedCount = 0

  init(minimumCapacity: Int = 0) {
    while Self.capacity(for: minimumCapacity >> depth) > Self.shardCapacity { depth += 1 }
    let capacity = Self.capacity(for: minimumCapacity >> depth)
    directory = Array(0..<(1 << depth))
    shards = directory.map { _ in Shard(capacity: capacity, depth: depth) }
  }

  private func shard(of tag: UInt32) -> Int { directory[entry(of: UInt64(tag))] }

  /// The index in the directory of a tag: its first ``depth`` bits.
  private func entry(of tag: UInt64) -> Int { Int(truncatingIfNeeded: tag &>> UInt64(32 &- depth)) }

  mutating func insert(_ tag: UInt32, _ number: Int32) {
    var index = shard(of: tag)
    while (shards[index].used + 1) * 4 > shards[index].slots.count * 3 {
      grow(index)
      index = shard(of: tag)
    }
    shards[index].place(Self.pair(tag, number))
    count += 1
    checkShard(index, around: shards[index].slot(of: Self.pair(tag, number)))
  }

  /// Takes out a pair. Returns `false` if the table does not have it.
  mutating func remove(_ tag: UInt32, _ number: Int32) -> Bool {
    let index = shard(of: tag)
    let slot = shards[index].slot(of: Self.pair(tag, number))
    if shards[index].slots[slot] == 0 { return false }
    shards[index].clear(slot)
    count -= 1
    checkShard(index, around: slot, isShifted: true)
    return true
  }

  /// Gives a pair another leaf. Returns `false` if the table does not have it.
  mutating func replace(_ tag: UInt32, _ old: Int32, with new: Int32) -> Bool {
    let index = shard(of: tag)
    let slot = shards[index].slot(of: Self.pair(tag, old))
    if shards[index].slots[slot] == 0 { return false }
    // The pair stays in its chain: the home slot follows from the tag alone.
    shards[index].slots[slot] = Self.pair(tag, new)
    checkShard(index, around: slot)
    return true
  }

  /// The number of the next leaf that an id with this tag may be in, 0 for none. The probe starts at 0 and keeps the progress.
  @usableFromInline
  func candidate(for tag: UInt32, _ probe: inout Int) -> Int32 {
    let index = shard(of: tag)
    let count = shards[index].slots.count
    let home = shards[index].home(of: UInt64(tag))
    while true {
      let slot = home &+ probe
      let pair = shards[index].slots[slot < count ? slot : slot &- count]
      probe &+= 1
      if pair == 0 { return 0 }
      if UInt32(truncatingIfNeeded: pair >> 32) == tag { return Int32(truncatingIfNeeded: pair) }
    }
  }

  private static func pair(_ tag: UInt32, _ number: Int32) -> UInt64 {
    UInt64(tag) << 32 | UInt64(UInt32(bitPattern: number))
  }

  // MARK: - Growing

  private mutating func grow(_ index: Int) {
    let shard = shards[index]
    movedCount += shard.used
    let isSplit = shard.slots.count >= Self.shardCapacity
    // A directory far larger than the shards means ids that share their hash: splitting does not part them.
    if isSplit, shard.depth < depth || directory.count < 8 * shards.count, shard.depth < 24 {
      split(index)
    } else {
      // Twice as many, but a shard that is to be split at last has just as many as that.
      let room = isSplit ? 2 * shard.slots.count : min(2 * shard.slots.count, Self.shardCapacity)
      var grown = Shard(capacity: room, depth: shard.depth)
      for pair in shard.slots where pair != 0 { grown.place(pair) }
      shards[index] = grown
    }
  }

  private mutating func split(_ index: Int) {
    let shard = shards[index]
    if shard.depth == depth {
      directory = directory.flatMap { [$0, $0] }
      depth += 1
    }
    let bit: UInt64 = 1 &<< UInt64(63 - shard.depth)
    let highCount = shard.slots.count { $0 & bit != 0 }
    var low = Shard(capacity: Self.capacity(for: shard.used - highCount), depth: shard.depth + 1)
    var high = Shard(capacity: Self.capacity(for: highCount), depth: shard.depth + 1)
    for pair in shard.slots where pair != 0 {
      if pair & bit == 0 { low.place(pair) } else { high.place(pair) }
    }
    let new = shards.count
    shards[index] = low
    shards.append(high)
    // The directory entries of the shard are neighbours; the upper half of them are the new one's.
    let span = 1 << (depth - shard.depth)
    guard let some = shard.slots.first(where: { $0 != 0 }) else { return }
    let first = entry(of: some >> 32) & ~(span - 1)
    for entry in first + span / 2..<first + span { directory[entry] = new }
    checkDirectory()
  }

  /// Checks, in debug builds, that a shard is not too full, and that the pair in a slot is found; where pairs were shifted, some
  /// of those that follow it, too.
  private func checkShard(_ index: Int, around slot: @autoclosure () -> Int, isShifted: Bool = false) {
    #if DEBUG
      let slot = slot()
      let shard = shards[index]
      precondition(
        shard.used * 4 <= shard.slots.count * 3 && shard.used >= 0 && count >= 0,
        "Shard \(index) has \(shard.used) pairs in \(shard.slots.count) slots, of \(count) in all")
      for offset in 0..<(isShifted ? 4 : 1) {
        let place = (slot + offset) % shard.slots.count
        let pair = shard.slots[place]
        if pair == 0 && offset > 0 { return }
        precondition(
          pair == 0 || shard.slots[shard.slot(of: pair)] == pair,
          "The pair \(pair) in slot \(place) of shard \(index) is not found")
      }
    #endif
  }

  /// Checks, in debug builds, that the directory has each shard where its pairs are looked up, and nowhere else.
  private func checkDirectory() {
    #if DEBUG
      precondition(directory.count == 1 << depth, "The directory has \(directory.count) entries at depth \(depth)")
      var used = 0
      for (index, shard) in shards.enumerated() {
        used += shard.used
        let entries = directory.indices.filter { directory[$0] == index }
        precondition(
          entries.count == 1 << (depth - shard.depth)
            && entries.last.map { $0 - (entries.first ?? 0) + 1 } == entries.count,
          "Shard \(index) of depth \(shard.depth) is in the directory, of depth \(depth), at \(entries)")
      }
      precondition(used >= count, "The shards have \(used) pairs, the table \(count)")
    #endif
  }
}

/// The places in the newest version of a list: the leaf of each id, and the parent of each node.
///
/// Nodes go by numbers, which survive copying. A path from a leaf to the root is a walk through ``parents``; a path back
/// down follows the same numbers. So an element is found from its id in O(log n) whatever the order of the list is,
/// and an edit relabels only the nodes that it touches.
///
/// The node index describes one version only and is changed in place. A journal has the changes of a transaction, to undo them if
/// the transaction fails.
@usableFromInline
package struct NodeIndex: Sendable {
  /// A change, in the journal.
  private enum Entry: Sendable {
    case registered(UInt32, leaf: Int32)
    case unregistered(UInt32, leaf: Int32)
    case moved(UInt32, from: Int32, to: Int32)
    case linked(Int32, formerParent: Int32)
    case made
    case reused(Int32)
    case freed
  }

  @usableFromInline var table: TagTable
  /// By number: the number of the node that the node is in. The root of a section's rows is in the leaf of its section.
  @usableFromInline var parents: [Int32] = [0]
  var freeNumbers: [Int32] = []
  private var journal: [Entry] = []
  /// False if ids are not entered: a list that is not edited needs numbers only.
  @usableFromInline let findsElements: Bool
  private var isJournaling = false

  /// A node index that only gives numbers to nodes.
  @usableFromInline
  package static func numbering() -> NodeIndex { NodeIndex(findsElements: false) }

  /// A node index with room for a number of elements.
  @usableFromInline
  package init(minimumCapacity: Int = 0, findsElements: Bool = true) {
    self.findsElements = findsElements
    table = TagTable(minimumCapacity: minimumCapacity)
  }

  /// The part of an id's hash that the table keeps.
  @inlinable
  static func tag(of id: some Hashable) -> UInt32 { UInt32(truncatingIfNeeded: id.hashValue) }

  // MARK: - Elements

  @usableFromInline
  mutating func register(_ tag: UInt32, leaf: Int32) {
    guard findsElements else { return }
    table.insert(tag, leaf)
    note(.registered(tag, leaf: leaf))
  }

  /// - Returns: `false` if no element with this tag was entered in the leaf.
  @usableFromInline
  mutating func unregister(_ tag: UInt32, leaf: Int32) -> Bool {
    guard findsElements else { return true }
    guard table.remove(tag, leaf) else { return false }
    note(.unregistered(tag, leaf: leaf))
    return true
  }

  /// - Returns: `false` if no element with this tag was entered in the old leaf.
  @usableFromInline
  mutating func move(_ tag: UInt32, from old: Int32, to new: Int32) -> Bool {
    guard findsElements else { return true }
    guard table.replace(tag, old, with: new) else { return false }
    note(.moved(tag, from: old, to: new))
    return true
  }

  // MARK: - Nodes

  @usableFromInline
  mutating func makeNumber() -> Int32 {
    if let number = freeNumbers.popLast() {
      note(.reused(number))
      checkFree(number)
      return number
    }
    parents.append(0)
    let number = Int32(parents.count - 1)
    note(.made)
    return number
  }

  /// Frees the number of a node that no longer exists.
  @usableFromInline
  mutating func free(_ number: Int32) {
    link(number, to: 0)
    checkFree(number)
    freeNumbers.append(number)
    note(.freed)
  }

  /// Sets the parent of a node; 0 for the root of all.
  @usableFromInline
  mutating func link(_ number: Int32, to parent: Int32) {
    // Parents are needed only to find elements, and the nodes may have numbers from another index.
    guard findsElements else { return }
    let old = self.parent(of: number)
    guard old != parent else { return }
    setParent(of: number, to: parent)
    note(.linked(number, formerParent: old))
    checkLink(of: number)
  }

  /// The parent of a node; 0 for the root of all.
  @inlinable
  func parent(of number: Int32) -> Int32 { parents[Int(number)] }

  mutating func setParent(of number: Int32, to parent: Int32) { parents[Int(number)] = parent }

  // MARK: - Transactions

  /// Keeps the changes so far, and begins a new journal.
  @usableFromInline
  package mutating func commit() {
    isJournaling = true
    // Removing a few entries one by one is faster than a new array.
    if journal.count < 1_024 { while journal.popLast() != nil {} } else { journal = [] }
  }

  @usableFromInline
  package mutating func rollBack() {
    for entry in journal.reversed() {
      var isKnown = true
      switch entry {
      case .registered(let tag, let leaf): isKnown = table.remove(tag, leaf)
      case .unregistered(let tag, let leaf): table.insert(tag, leaf)
      case .moved(let tag, let old, let new): isKnown = table.replace(tag, new, with: old)
      case .linked(let number, let formerParent): setParent(of: number, to: formerParent)
      case .made: parents.removeLast()
      case .reused(let number): freeNumbers.append(number)
      case .freed: freeNumbers.removeLast()
      }
      precondition(isKnown, "The table does not have the element of \(entry)")
    }
    commit()
  }

  private mutating func note(_ entry: Entry) {
    if isJournaling { journal.append(entry) }
  }

  // MARK: - Invariants

  /// Checks, in debug builds, that a node is in another one that exists.
  func checkLink(of number: Int32) {
    assert(
      number > 0 && parents.indices.contains(Int(parent(of: number))) && parent(of: number) != number,
      "Node \(number) is in \(parent(of: number)) of \(parents.count)")
  }

  /// Checks, in debug builds, that a number may be given to a node: it is in no node, and was not the last to be freed.
  private func checkFree(_ number: Int32) {
    assert(
      number > 0 && Int(number) < parents.count && parent(of: number) == 0 && freeNumbers.last != number,
      "Node \(number), in \(parent(of: number)), is not free; the last that is: \(freeNumbers.last ?? 0)")
  }

  /// The number of elements that are entered. For tests.
  package var elementCount: Int { table.count }
  /// The number of numbers in use. For tests.
  package var nodeCount: Int { parents.count - 1 - freeNumbers.count }
}

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

  /// Removes a pair. Returns `false` if the table does not have it.
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
      // Twice as many slots. A shard that will be split later gets at most as many as it has then.
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

  /// Checks, in debug builds, that a shard is not too full, and that the pair in a slot is found; if pairs were shifted, some of
  /// the following pairs, too.
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

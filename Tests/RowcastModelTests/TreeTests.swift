import Testing

@testable import RowcastModel

/// The tree on its own, against an array that is edited the plain way.
@Suite(.watched) struct TreeTests {
  struct Leaf: RowViewModel {
    let id: Int
    var value = 0
  }

  typealias Subject = Tree<RowKind<Leaf>>

  /// A tree with its nodeIndex, and the array that it has to equal.
  struct Pair {
    var nodeIndex = NodeIndex()
    var tree: Subject
    var array: [Leaf]
    var nextID: Int

    init(_ count: Int, shape: TreeShape) { self.init((0..<count).map { Leaf(id: $0) }, shape: shape) }

    init(_ leaves: [Leaf], shape: TreeShape) {
      array = leaves
      tree = Subject(array, shape: shape, &nodeIndex)
      nextID = leaves.count
      nodeIndex.commit()
    }

    mutating func insert(at position: Int) {
      let leaf = Leaf(id: nextID)
      nextID += 1
      tree.insert(leaf, at: position, &nodeIndex)
      array.insert(leaf, at: position)
      // Nobody rolls back here, so the journal need not grow.
      nodeIndex.commit()
    }

    mutating func remove(at position: Int) {
      #expect(tree.remove(at: position, &nodeIndex) == array.remove(at: position))
      nodeIndex.commit()
    }

    mutating func splice(_ range: Range<Int>, _ count: Int) {
      let leaves = (nextID..<nextID + count).map { Leaf(id: $0) }
      nextID += count
      tree.replaceSubrange(range, with: leaves, &nodeIndex)
      array.replaceSubrange(range, with: leaves)
      nodeIndex.commit()
    }

    mutating func replace(at position: Int, value: Int) {
      array[position].value = value
      var replacements = 0
      tree.modify(at: position, &replacements) { [array] leaf, replacements in
        leaf = array[position]
        replacements += 1
      }
    }

    /// Cuts the tree in two and puts it together the other way round.
    mutating func rotate(at position: Int) {
      var (head, tail) = tree.split(at: position, &nodeIndex)
      head.checkInvariants(nodeIndex)
      tail.checkInvariants(nodeIndex)
      tail.append(head, &nodeIndex)
      tree = tail
      head = tail
      array = Array(array[position...] + array[..<position])
      nodeIndex.commit()
    }

    func check(_ note: String) {
      tree.checkInvariants(nodeIndex)
      #expect(tree.count == array.count, "\(note)")
      #expect(tree.elementsEqual(array), "\(note)")
      #expect(nodeIndex.elementCount == array.count, "\(note)")
      var addresses: Set<Int> = []
      tree.collectAddresses(&addresses)
      #expect(nodeIndex.nodeCount == max(1, addresses.count), "\(note)")
    }
  }

  static let shapes = [
    TreeShape(leaf: 3, fanOut: 4), TreeShape(leaf: 4, fanOut: 5), TreeShape(leaf: 8, fanOut: 4), TreeShape.rows,
  ]

  @Test(arguments: shapes) func `random operations do to the tree what they do to an array`(_ shape: TreeShape) {
    var random = SeededGenerator.forFuzzing("tree \(shape.leaf)×\(shape.fanOut)")
    var pair = Pair(Int.random(in: 0...200, using: &random), shape: shape)
    var held: [(tree: Subject, array: [Leaf])] = []
    var target = 100
    for step in 0..<SeededGenerator.rounds(4_000, long: 400_000) {
      let note = "seed \(random.seed) step \(step)"
      // The size wanders, so that the tree grows and shrinks by whole levels.
      if step % 500 == 0 { target = [0, 3, 40, 200, 700].randomElement(using: &random) ?? 0 }
      let count = pair.array.count
      switch Int.random(in: 0..<100, using: &random) {
      case 0:
        let start = Int.random(in: 0...count, using: &random)
        let end = Int.random(in: start...min(count, start + 60), using: &random)
        pair.splice(start..<end, Int.random(in: 0...60, using: &random))
      case 1: pair.rotate(at: Int.random(in: 0...count, using: &random))
      case 2..<20 where count > 0:
        pair.replace(at: Int.random(in: 0..<count, using: &random), value: step)
      case 20..<40 where count > 0:
        let position = Int.random(in: 0..<count, using: &random)
        #expect(pair.tree.element(at: position) == pair.array[position], "\(note)")
        #expect(pair.tree.position(of: pair.array[position].id, pair.nodeIndex) == position, "\(note)")
        #expect(pair.tree.position(of: -1, pair.nodeIndex) == nil, "\(note)")
      default:
        if count > 0, count > target || (count == target && Bool.random(using: &random)) {
          pair.remove(at: Int.random(in: 0..<count, using: &random))
        } else {
          pair.insert(at: Int.random(in: 0...count, using: &random))
        }
      }
      if step % 400 == 0 {
        pair.check(note)
        if held.count < 40 { held.append((pair.tree, pair.array)) }
      }
    }
    pair.check("seed \(random.seed) at the end")
    for (tree, array) in held {
      tree.checkInvariants()
      #expect(tree.elementsEqual(array), "a held snapshot changed, seed \(random.seed)")
    }
  }

  @Test(arguments: shapes) func `two trees are read side by side, but not what they share`(_ shape: TreeShape) {
    var random = SeededGenerator.forFuzzing("side by side \(shape.leaf)×\(shape.fanOut)")
    for round in 0..<SeededGenerator.rounds(80, long: 8_000) {
      let note = "seed \(random.seed) round \(round)"
      var pair = Pair(Int.random(in: 1...300, using: &random), shape: shape)
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        pair.insert(at: Int.random(in: 0...pair.array.count, using: &random))
      }
      let before = pair
      let (replaced, exchanged) = (Int.random(in: 0...3, using: &random), Int.random(in: 0...1, using: &random))
      for value in 0..<replaced {
        pair.replace(at: pair.array.indices.randomElement(using: &random) ?? 0, value: value)
      }
      for _ in 0..<exchanged {
        pair.remove(at: pair.array.indices.randomElement(using: &random) ?? 0)
        pair.insert(at: Int.random(in: 0...pair.array.count, using: &random))
      }
      // The tree edited from the first one, the same tree rebuilt, or a tree with a single leaf.
      let kind = Int.random(in: 0..<4, using: &random)
      if kind == 0 { pair = Pair(pair.array, shape: Self.shapes.randomElement(using: &random) ?? shape) }
      if kind == 1 { pair.tree = Subject(flat: pair.array, shape: shape) }
      var read: [Int] = []
      let isThrough = before.tree.forEachPair(with: pair.tree) { position, old, new in
        read.append(position)
        return old == before.array[position] && new == pair.array[position]
      }
      #expect(isThrough && read == Set(read).sorted(), "\(note)")
      let different = pair.array.indices.filter { pair.array[$0] != before.array[$0] }
      #expect(Set(different).isSubset(of: read), "\(note)")
      if kind > 1, exchanged == 0 { #expect(read.count <= replaced * shape.leaf, "\(note): \(read.count)") }
      #expect(before.tree.isSame(as: pair.tree, ==) == different.isEmpty, "\(note)")
      let first = read.randomElement(using: &random) ?? 0
      var last: Int?
      let isOver = !before.tree.forEachPair(with: pair.tree) { position, _, _ in
        last = position
        return position < first
      }
      #expect(isOver == !read.isEmpty && last ?? 0 == first, "\(note)")
    }
  }

  enum Pattern: String, CaseIterable {
    case sameSpot, prepend, append, sawtooth, drainAndRefill
  }

  @Test(arguments: Pattern.allCases, shapes)
  func `the worst patterns leave a sound tree that is filled well`(_ pattern: Pattern, _ shape: TreeShape) {
    var pair = Pair(40, shape: shape)
    for step in 0..<1_500 {
      switch pattern {
      case .sameSpot: pair.insert(at: 20)
      case .prepend: pair.insert(at: 0)
      case .append: pair.insert(at: pair.array.count)
      case .sawtooth:
        // Up and down at the border of a leaf: it must not split and merge each time.
        if step / 2 % 2 == 0 { pair.insert(at: 16) } else { pair.remove(at: 16) }
      case .drainAndRefill:
        if step / 250 % 2 == 1, !pair.array.isEmpty { pair.remove(at: 0) } else { pair.insert(at: pair.array.count) }
      }
      if step % 100 == 0 { pair.check("\(pattern) step \(step)") }
    }
    pair.check("\(pattern)")
    var addresses: Set<Int> = []
    pair.tree.collectAddresses(&addresses)
    let full = Double(pair.array.count) / Double(shape.leaf) + 1
    #expect(Double(addresses.count) < 4.5 * full + 4, "\(pattern): \(addresses.count) nodes")
  }

  enum Spot: CaseIterable {
    case start, middle, end

    func position(in count: Int) -> Int {
      switch self {
      case .start: 0
      case .middle: count / 2
      case .end: count
      }
    }
  }

  /// How often the number of nodes changes while an element at one place is removed and inserted a hundred times.
  private func nodeCountChanges(togglingAt spot: Spot, removingFirst: Bool, in pair: Pair) -> Int {
    var pair = pair
    let position = min(spot.position(in: pair.tree.count), pair.tree.count - (removingFirst ? 1 : 0))
    var nodes = pair.nodeIndex.nodeCount
    var changes = 0
    for step in 0..<200 {
      if (step % 2 == 0) == removingFirst { pair.remove(at: position) } else { pair.insert(at: position) }
      if pair.nodeIndex.nodeCount != nodes { changes += 1 }
      nodes = pair.nodeIndex.nodeCount
    }
    return changes
  }

  @Test(arguments: Spot.allCases, shapes)
  func `an element that comes and goes where a node was just split or merged does not split and merge it each time`(
    _ spot: Spot, _ shape: TreeShape
  ) {
    var pair = Pair(24 * 12, shape: shape)
    for round in 0..<6 {
      let isSplit = round % 2 == 0
      let nodes = pair.nodeIndex.nodeCount
      while isSplit ? pair.nodeIndex.nodeCount <= nodes : pair.nodeIndex.nodeCount >= nodes {
        let position = spot.position(in: pair.tree.count)
        if isSplit { pair.insert(at: position) } else { pair.remove(at: min(position, pair.tree.count - 1)) }
      }
      for removingFirst in [true, false] {
        let changes = nodeCountChanges(togglingAt: spot, removingFirst: removingFirst, in: pair)
        #expect(changes <= 1, "\(isSplit ? "split" : "merged"), removing first: \(removingFirst)")
      }
    }
  }

  @Test func `what nobody else holds is changed in place`() {
    var pair = Pair(5_000, shape: .rows)
    pair.insert(at: 2_000)
    var before: Set<Int> = []
    pair.tree.collectAddresses(&before)
    pair.replace(at: 2_001, value: 7)
    pair.insert(at: 2_002)
    var after: Set<Int> = []
    pair.tree.collectAddresses(&after)
    #expect(before == after)
  }

  @Test func `ids whose hashes are all the same are found`() {
    struct Dull: Hashable, Sendable {
      let value: Int
      func hash(into hasher: inout Hasher) {}
    }
    struct Row: RowViewModel { let id: Dull }
    var nodeIndex = NodeIndex()
    var tree = Tree<RowKind<Row>>(shape: .rows, &nodeIndex)
    for value in 0..<600 { tree.insert(Row(id: Dull(value: value)), at: value / 2, &nodeIndex) }
    tree.checkInvariants()
    for position in stride(from: 0, to: 600, by: 37) {
      #expect(tree.position(of: tree.element(at: position).id, nodeIndex) == position)
    }
    #expect(tree.position(of: Dull(value: 600), nodeIndex) == nil)
  }
}

/// The table of tags on its own.
@Suite(.watched) struct TagTableTests {
  /// A table, and the pairs that it has to have.
  private struct Pair {
    var table = TagTable()
    var model: [UInt32: [Int32]] = [:]
    var next: Int32 = 1

    mutating func insert(_ tag: UInt32) {
      table.insert(tag, next)
      model[tag, default: []].append(next)
      next += 1
    }

    mutating func removeOne(of tag: UInt32) {
      guard let number = model[tag]?.popLast() else { return }
      let isKnown = table.remove(tag, number)
      #expect(isKnown, "\(tag) is not known in \(number)")
    }

    func check(_ note: String) {
      #expect(table.count == model.values.reduce(0) { $0 + $1.count }, "\(note)")
      var lost: [UInt32] = []
      for (tag, numbers) in model {
        var probe = 0
        var found: [Int32] = []
        while case let number = table.candidate(for: tag, &probe), number != 0 { found.append(number) }
        if found.sorted() != numbers.sorted() { lost.append(tag) }
      }
      #expect(lost.isEmpty, "\(note): \(lost.count) of \(model.count) tags are not found, like \(lost.prefix(3))")
    }
  }

  @Test(arguments: [1, 2, 3, 6])
  func `a shard to which several entries of the directory point is split, and everything is found`(bits: Int) {
    var random = SeededGenerator.forFuzzing("shards that split late")
    var pair = Pair()
    let last = UInt32.max << UInt32(32 - bits)
    // The directory doubles several times for all other tags, while the tags of the last shard share it.
    for _ in 0..<30_000 { pair.insert(UInt32.random(in: 0..<last, using: &random)) }
    pair.check("seed \(random.seed), before")
    for step in 1...12_000 {
      pair.insert(UInt32.random(in: last...UInt32.max, using: &random))
      if step % 1_500 == 0 { pair.check("seed \(random.seed), \(step) tags") }
    }
  }

  @Test func `thousands of ids of one hash, among others, are found and removed`() {
    var random = SeededGenerator.forFuzzing("one hash")
    var pair = Pair()
    let dull: [UInt32] = [0x8000_0000, 0x0000_0001, UInt32.max]
    for step in 0..<24_000 {
      pair.insert(step % 3 == 0 ? dull[step / 3 % 3] : UInt32.random(in: 0...UInt32.max, using: &random))
    }
    pair.check("seed \(random.seed)")
    for tag in Array(pair.model.keys) where tag % 2 == 0 || dull.contains(tag) { pair.removeOne(of: tag) }
    for _ in 0..<500 { pair.removeOne(of: dull[0]) }
    pair.check("seed \(random.seed), after removal")
  }

  @Test func `growing never moves more than one shard's worth of pairs at a time`() {
    var random = SeededGenerator.forFuzzing("tags")
    var table = TagTable()
    var most = 0
    for number in 1...200_000 {
      let moved = table.movedCount
      table.insert(UInt32.random(in: 0...UInt32.max, using: &random), Int32(number))
      most = max(most, table.movedCount - moved)
    }
    #expect(table.count == 200_000 && table.movedCount > 200_000)
    #expect(most > 0 && most <= 2_048, "seed \(random.seed): \(most)")
  }

  @Test func `a table whose ids are exchanged does not grow`() {
    var table = TagTable()
    for number in 1...100 { table.insert(UInt32(number) << 20, Int32(number)) }
    let moved = table.movedCount
    for number in 101...10_000 {
      let isKnown = table.remove(UInt32(number - 100) << 20, Int32(number - 100))
      #expect(isKnown)
      table.insert(UInt32(number) << 20, Int32(number))
    }
    #expect(table.count == 100 && table.movedCount == moved)
  }
}

/// Where everything is in the newest version of a list: which leaf each id is in, and which node each node is in.
///
/// Nodes go by numbers, which survive copying. A path from a leaf to the root is a walk through ``parents``; a path back
/// down follows the same numbers. So an element is found from its id in O(log n) whatever the order of the list is,
/// and nothing that is not touched is ever relabelled.
///
/// The node index stands for one version only and is changed in place. What a transaction did to it stands in a journal,
/// which takes it back if the transaction fails.
@usableFromInline
package struct NodeIndex: Sendable {
  private enum Act: Int32 {
    case registered, unregistered, moved, linked, made, reused, freed
  }

  private struct Entry: Sendable {
    var act: Act
    var number: Int32
    var other: Int32 = 0
    var tag: UInt32 = 0
  }

  @usableFromInline var table: TagTable
  /// By number: the number of the node that the node is in. The root of a section's rows is in the leaf of its section.
  @usableFromInline var parents: [Int32] = [0]
  private var freeNumbers: [Int32] = []
  private var journal: [Entry] = []
  /// Whether ids are entered. A list that is not edited needs numbers only.
  @usableFromInline let findsElements: Bool
  private var isJournaling = false

  /// A node index that only gives numbers to nodes.
  @usableFromInline
  package static func numbering() -> NodeIndex { NodeIndex(findsElements: false, minimumCapacity: 0) }

  /// A node index that finds elements by id, with room for a number of them.
  @usableFromInline
  package init(minimumCapacity: Int = 0) { self.init(findsElements: true, minimumCapacity: minimumCapacity) }

  private init(findsElements: Bool, minimumCapacity: Int) {
    self.findsElements = findsElements
    table = TagTable(minimumCapacity: minimumCapacity)
  }

  /// What the table keeps of an id.
  @inlinable
  @inline(__always)
  static func tag(of id: some Hashable) -> UInt32 { UInt32(truncatingIfNeeded: id.hashValue) }

  // MARK: - Elements

  @usableFromInline
  mutating func register(_ tag: UInt32, leaf: Int32) {
    guard findsElements else { return }
    table.insert(tag, leaf)
    note(Entry(act: .registered, number: leaf, tag: tag))
  }

  /// - Returns: Whether an element with this tag was entered in the leaf.
  @usableFromInline
  mutating func unregister(_ tag: UInt32, leaf: Int32) -> Bool {
    guard findsElements else { return true }
    guard table.remove(tag, leaf) else { return false }
    note(Entry(act: .unregistered, number: leaf, tag: tag))
    return true
  }

  /// - Returns: Whether an element with this tag was entered in the old leaf.
  @usableFromInline
  mutating func move(_ tag: UInt32, from old: Int32, to new: Int32) -> Bool {
    guard findsElements else { return true }
    guard table.replace(tag, old, with: new) else { return false }
    note(Entry(act: .moved, number: old, other: new, tag: tag))
    return true
  }

  // MARK: - Nodes

  /// A number for a new node.
  @usableFromInline
  mutating func makeNumber() -> Int32 {
    if let number = freeNumbers.popLast() {
      note(Entry(act: .reused, number: number))
      checkFree(number)
      return number
    }
    parents.append(0)
    let number = Int32(parents.count - 1)
    note(Entry(act: .made, number: number))
    return number
  }

  /// Takes back the number of a node that is no more.
  @usableFromInline
  mutating func free(_ number: Int32) {
    link(number, to: 0)
    checkFree(number)
    freeNumbers.append(number)
    note(Entry(act: .freed, number: number))
  }

  /// Notes which node a node is in; 0 for the root of all.
  @usableFromInline
  mutating func link(_ number: Int32, to parent: Int32) {
    // Only what finds elements needs parents, and the nodes may bring numbers from elsewhere.
    guard findsElements else { return }
    let old = parents[Int(number)]
    guard old != parent else { return }
    parents[Int(number)] = parent
    note(Entry(act: .linked, number: number, other: old))
    checkLink(of: number)
  }

  /// The node that a node is in; 0 for the root of all.
  @inlinable
  func parent(of number: Int32) -> Int32 { parents[Int(number)] }

  // MARK: - Transactions

  /// Keeps what was changed, and writes down what is changed from now on.
  @usableFromInline
  package mutating func commit() {
    isJournaling = true
    // Most transactions note few entries, which are faster taken out one by one.
    if journal.count < 1_024 { while journal.popLast() != nil {} } else { journal = [] }
  }

  /// Takes back what was changed since the last commit.
  @usableFromInline
  package mutating func rollBack() {
    for entry in journal.reversed() {
      var isKnown = true
      switch entry.act {
      case .registered: isKnown = table.remove(entry.tag, entry.number)
      case .unregistered: table.insert(entry.tag, entry.number)
      case .moved: isKnown = table.replace(entry.tag, entry.other, with: entry.number)
      case .linked: parents[Int(entry.number)] = entry.other
      case .made: parents.removeLast()
      case .reused: freeNumbers.append(entry.number)
      case .freed: freeNumbers.removeLast()
      }
      precondition(isKnown, "No element with the tag \(entry.tag) is known in leaf \(entry.number): \(entry.act)")
    }
    commit()
  }

  private mutating func note(_ entry: Entry) {
    if isJournaling { journal.append(entry) }
  }

  // MARK: - Adoption

  /// Takes over the number of a node that was made elsewhere. Returns whether the number was free.
  @usableFromInline
  mutating func adopt(_ number: Int32, in parent: Int32, limit: Int) -> Bool {
    guard number > 0, number <= limit else { return false }
    // A number that is not taken yet is its own parent, which no node can be.
    while parents.count <= Int(number) { parents.append(Int32(parents.count)) }
    guard parents[Int(number)] == number else { return false }
    parents[Int(number)] = parent
    checkLink(of: number)
    return true
  }

  /// Ends adoption: numbers that no node has are free.
  @usableFromInline
  mutating func finishAdoption() {
    for number in parents.indices.dropFirst() where parents[number] == number {
      parents[number] = 0
      freeNumbers.append(Int32(number))
    }
  }

  // MARK: - Invariants

  /// Checks, in debug builds, that a node is in another one that there is.
  private func checkLink(of number: Int32) {
    assert(
      number > 0 && parents.indices.contains(Int(parents[Int(number)])) && parents[Int(number)] != number,
      "Node \(number) is in \(parents[Int(number)]) of \(parents.count)")
  }

  /// Checks, in debug builds, that a number may be given to a node: it is in no node, and not the last that was given back.
  private func checkFree(_ number: Int32) {
    assert(
      number > 0 && Int(number) < parents.count && parents[Int(number)] == 0 && freeNumbers.last != number,
      "Node \(number), in \(parents[Int(number)]), is not free; the last that is: \(freeNumbers.last ?? 0)")
  }

  /// The number of elements that are entered. For tests.
  package var elementCount: Int { table.count }
  /// The number of numbers in use. For tests.
  package var nodeCount: Int { parents.count - 1 - freeNumbers.count }
}

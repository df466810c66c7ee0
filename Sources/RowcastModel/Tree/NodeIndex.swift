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
  private var freeNumbers: [Int32] = []
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

  private mutating func setParent(of number: Int32, to parent: Int32) { parents[Int(number)] = parent }

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

  // MARK: - Adoption

  /// Adopts the number of a node that was made elsewhere. Returns `false` if the number is used already.
  @usableFromInline
  mutating func adopt(_ number: Int32, in parent: Int32, limit: Int) -> Bool {
    guard number > 0, number <= limit else { return false }
    // A number that is not used yet is its own parent, which no node can be.
    while parents.count <= Int(number) { parents.append(Int32(parents.count)) }
    guard self.parent(of: number) == number else { return false }
    setParent(of: number, to: parent)
    checkLink(of: number)
    return true
  }

  /// Ends adoption: unused numbers become free.
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
      number > 0 && parents.indices.contains(Int(parent(of: number))) && parent(of: number) != number,
      "Node \(number) is in \(parent(of: number)) of \(parents.count)")
  }

  /// Checks, in debug builds, that a number may be given to a node: it is in no node, and not the last that was given back.
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

extension Tree {
  /// Makes a tree of a single leaf, which takes over an array as it is.
  ///
  /// Such a leaf may be wider than others: it is for lists that are read and compared. It has the number 0, and is
  /// rebuilt before it is edited.
  @inlinable
  init(flat elements: [Element], shape: TreeShape) {
    // An array that Objective-C has made has its elements elsewhere; any other is taken over without copying.
    self.init(root: Child(leaf: Array(ContiguousArray(elements)), number: 0), height: 0, shape: shape)
  }

  /// Builds a tree in one go.
  ///
  /// Nodes are filled to three quarters, so that the first insertions do not each split one.
  @inlinable
  package init(_ elements: some RandomAccessCollection<Element>, shape: TreeShape, _ nodeIndex: inout NodeIndex) {
    guard !elements.isEmpty else {
      self.init(shape: shape, &nodeIndex)
      return
    }
    var level: [Child] = []
    let parts = Self.parts(of: elements.count, width: shape.comfortable(inLeaf: true))
    level.reserveCapacity(parts)
    var rest = elements[...]
    for part in 0..<parts {
      let end = rest.index(rest.startIndex, offsetBy: Self.width(ofPart: part, of: parts, elements.count))
      let number = nodeIndex.makeNumber()
      let leaf = Array(rest[..<end])
      for element in leaf { Self.register(element, leaf: number, &nodeIndex) }
      level.append(Child(leaf: leaf, number: number))
      rest = rest[end...]
    }
    var height: Int32 = 0
    while level.count > 1 {
      let parts = Self.parts(of: level.count, width: shape.comfortable(inLeaf: false))
      var start = 0
      level = (0..<parts).map { part in
        let end = start + Self.width(ofPart: part, of: parts, level.count)
        defer { start = end }
        return Self.makeInner(Array(level[start..<end]), &nodeIndex)
      }
      height += 1
    }
    self.init(root: level[0], height: height, shape: shape)
    checkAllInvariantsIfSmall()
  }

  @inlinable
  static func parts(of count: Int, width: Int) -> Int { (count + width - 1) / width }

  /// The width of one of several parts that are as equal as possible.
  @inlinable
  static func width(ofPart part: Int, of parts: Int, _ count: Int) -> Int {
    count / parts + (part < count % parts ? 1 : 0)
  }
}

extension Tree {
  /// Enters a tree that was made elsewhere into a node index, which has no other trees.
  ///
  /// - Parameters:
  ///   - nodeIndex: The node index.
  ///   - parent: The parent of the root.
  ///   - limit: The highest number that is worth a place in the index.
  ///   - inside: Enters the tree inside an element of the leaf with a number.
  /// - Returns: `false` if not all numbers could be kept. The node index is then of no use.
  @inlinable
  func adopt(
    into nodeIndex: inout NodeIndex, parent: Int32, limit: Int, inside: (Element, Int32, inout NodeIndex) -> Bool
  ) -> Bool {
    Self.adopt(root, into: &nodeIndex, parent: parent, limit: limit, inside: inside)
  }

  @inlinable
  static func adopt(
    _ child: Child, into nodeIndex: inout NodeIndex, parent: Int32, limit: Int,
    inside: (Element, Int32, inout NodeIndex) -> Bool
  ) -> Bool {
    // Flat trees have no number.
    guard child.number > 0, nodeIndex.adopt(child.number, in: parent, limit: limit) else { return false }
    switch child.node {
    case .leaf(let elements):
      for element in elements {
        nodeIndex.register(tag(of: element), leaf: child.number)
        guard inside(element, child.number, &nodeIndex) else { return false }
      }
    case .inner(let children):
      for grandchild in children {
        guard adopt(grandchild, into: &nodeIndex, parent: child.number, limit: limit, inside: inside) else {
          return false
        }
      }
    }
    return true
  }
}

extension NodeIndex {
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
}

public import RowcastDiff

/// A persistent sequence: an immutable value in every copy, with edits in O(log n) that share the unchanged parts.
///
/// A B+tree ordered by position (R. Bayer and E. McCreight, "Organization and maintenance of large ordered indexes",
/// 1972): all elements are in the leaves, all leaves are equally deep, and a parent knows how many elements are below
/// each child. An edit copies the path from the root to a leaf, or changes it in place if nothing else retains it.
///
/// Every edit records its changes in a ``NodeIndex``, so that elements are found by id. One node index serves the tree of the
/// sections and the trees of their rows. Unless stated otherwise, an edit and a look-up take O(log n).
@usableFromInline
@frozen
package struct Tree<Kind: TreeKind>: Sendable {
  @usableFromInline package typealias Element = Kind.Element
  @usableFromInline package typealias Node = TreeNode<Kind.Element>
  @usableFromInline package typealias Child = TreeChild<Kind.Element>

  @usableFromInline package var root: Child
  /// The number of levels of inner nodes.
  @usableFromInline package var height: Int32
  @usableFromInline package let shape: TreeShape

  @inlinable
  init(root: Child, height: Int32, shape: TreeShape) {
    self.root = root
    self.height = height
    self.shape = shape
  }

  @inlinable
  package init(shape: TreeShape, _ nodeIndex: inout NodeIndex) {
    self.init(root: Child(leaf: [], number: nodeIndex.makeNumber()), height: 0, shape: shape)
  }

  @inlinable package var count: Int { root.count }

  // MARK: - Reading

  @inlinable
  package func element(at position: Int) -> Element { withElement(at: position) { $0 } }

  /// Reads something of the element at a position, without copying the element.
  @inlinable
  @inline(__always)
  func withElement<Result>(at position: Int, _ read: (Element) -> Result) -> Result {
    precondition(position >= 0 && position < count, "Position \(position) is out of range 0..<\(count)")
    var rest = position
    return unsafe withLeaf {
      unsafe Self.child(of: $0, at: &rest)
    } read: {
      unsafe read($0.node.elements[rest])
    }
  }

  /// Goes from the root to a leaf, by the child that `choose` picks. No references are counted: the caller keeps the tree alive.
  @inlinable
  @inline(__always)
  func withLeaf<Result>(
    _ choose: (UnsafeBufferPointer<Child>) throws -> Int, read: (borrowing Child) throws -> Result
  ) rethrows -> Result {
    unsafe try withUnsafePointer(to: root) { root in
      var node = unsafe root
      while let children = unsafe node.pointee.node.children {
        unsafe node = children.baseAddress.unsafelyUnwrapped + (try choose(children))
      }
      return unsafe try read(node.pointee)
    }
  }

  /// The index of the child that an offset falls into; the offset becomes that inside the child.
  ///
  /// An offset at the end of all falls into the last child.
  @inlinable
  static func child<Children: RandomAccessCollection<Child>>(of children: Children, at offset: inout Int) -> Int
  where Children.Index == Int {
    var index = 0
    let last = children.count - 1
    while index < last, offset >= children[index].count {
      offset -= children[index].count
      index += 1
    }
    return index
  }

  // MARK: - Telling the node index

  @inlinable
  static func id(of element: Element) -> Kind.ID { Kind().id(of: element) }

  @inlinable
  static func tag(of element: Element) -> UInt32 { NodeIndex.tag(of: id(of: element)) ^ Kind.salt }

  @inlinable
  static func register(_ element: Element, leaf: Int32, _ nodeIndex: inout NodeIndex) {
    // An index that only gives numbers needs no hash.
    if nodeIndex.findsElements { nodeIndex.register(tag(of: element), leaf: leaf) }
    let subtree = Kind.subtree(of: element)
    if subtree != 0 { nodeIndex.link(subtree, to: leaf) }
  }

  @inlinable
  static func unregister(_ element: Element, leaf: Int32, _ nodeIndex: inout NodeIndex) {
    if !nodeIndex.unregister(tag(of: element), leaf: leaf) { stopAtChangedID(of: element) }
    let subtree = Kind.subtree(of: element)
    if subtree != 0 { nodeIndex.link(subtree, to: 0) }
  }

  @inlinable
  static func transfer(_ elements: ArraySlice<Element>, from old: Int32, to new: Int32, _ nodeIndex: inout NodeIndex) {
    for element in elements {
      if !nodeIndex.move(tag(of: element), from: old, to: new) { stopAtChangedID(of: element) }
      let subtree = Kind.subtree(of: element)
      if subtree != 0 { nodeIndex.link(subtree, to: new) }
    }
  }

  /// Stops the process at an element that was inserted with another id than it has now: usually a computed id.
  @usableFromInline
  static func stopAtChangedID(of element: Element) -> Never {
    stop(
      "the id changed: an element of type \(Kind.Model.self) was put into the list under another id than "
        + "\(id(of: element)), which it has now; an id must stay the same for as long as the list has the element, "
        + "so store it and do not make it anew at each call")
  }

  @inlinable
  static func link(_ children: ArraySlice<Child>, to parent: Int32, _ nodeIndex: inout NodeIndex) {
    for child in children { nodeIndex.link(child.number, to: parent) }
  }

  /// Makes a node the parent of others that are new in it.
  @inlinable
  static func makeInner(_ children: [Child], _ nodeIndex: inout NodeIndex) -> Child {
    let number = nodeIndex.makeNumber()
    link(children[...], to: number, &nodeIndex)
    return Child(inner: children, number: number)
  }

  /// Removes a node and all below it from the node index.
  @inlinable
  static func removeAll(_ child: Child, from nodeIndex: inout NodeIndex) {
    switch child.node {
    case .leaf(let elements): for element in elements { unregister(element, leaf: child.number, &nodeIndex) }
    case .inner(let children): for child in children { removeAll(child, from: &nodeIndex) }
    }
    nodeIndex.free(child.number)
  }

  @inlinable
  package func removeAll(from nodeIndex: inout NodeIndex) { Self.removeAll(root, from: &nodeIndex) }
}

extension Tree {
  /// Changes the element at a position in place, and something else with it. Its id stays.
  @inlinable
  package mutating func modify<Context, Result>(
    at position: Int, _ context: inout Context, _ body: (inout Element, inout Context) -> Result
  ) -> Result {
    precondition(position >= 0 && position < count, "Position \(position) is out of range 0..<\(count)")
    let result = Self.modify(at: position, in: &root, &context, body)
    checkInvariants(around: position)
    return result
  }

  @inlinable
  static func modify<Context, Result>(
    at offset: Int, in child: inout Child, _ context: inout Context, _ body: (inout Element, inout Context) -> Result
  ) -> Result {
    switch child.node {
    case .leaf(var elements):
      child.node = .leaf([])
      let result = body(&elements[offset], &context)
      child.node = .leaf(elements)
      return result
    case .inner(var children):
      child.node = .leaf([])
      var rest = offset
      let index = Self.child(of: children, at: &rest)
      let result = modify(at: rest, in: &children[index], &context, body)
      child.node = .inner(children)
      return result
    }
  }
}

extension Tree {
  @inlinable
  package mutating func insert(_ element: Element, at position: Int, _ nodeIndex: inout NodeIndex) {
    precondition(position >= 0 && position <= count, "Position \(position) is out of range 0...\(count)")
    let parent = nodeIndex.parent(of: root.number)
    if let sibling = Self.insert(element, at: position, in: &root, shape, &nodeIndex) {
      grow(sibling, parent: parent, &nodeIndex)
    }
    checkInvariants(around: position)
  }

  /// Puts a new root above the root and its new sibling.
  @inlinable
  mutating func grow(_ sibling: Child, parent: Int32, _ nodeIndex: inout NodeIndex) {
    root = Self.makeInner([root, sibling], &nodeIndex)
    nodeIndex.link(root.number, to: parent)
    height += 1
  }

  /// - Returns: The node to the right of the child, if the child had to be split.
  @inlinable
  static func insert(
    _ element: Element, at offset: Int, in child: inout Child, _ shape: TreeShape, _ nodeIndex: inout NodeIndex
  ) -> Child? {
    switch child.node {
    case .leaf(var elements):
      child.node = .leaf([])
      return insert(element, at: offset, into: &elements, of: &child, shape, &nodeIndex)
    case .inner(var children):
      child.node = .leaf([])
      child.count &+= 1
      var rest = offset
      let index = Self.child(of: children, at: &rest)
      if let sibling = insert(element, at: rest, in: &children[index], shape, &nodeIndex) {
        children.reserveCapacity(shape.fanOut + 1)
        children.insert(sibling, at: index + 1)
        link(children[index...index + 1], to: child.number, &nodeIndex)
        if children.count > shape.fanOut {
          return splitInner(&children, of: &child, after: index + 1, &nodeIndex)
        }
      }
      child.node = .inner(children)
      return nil
    }
  }

  /// Inserts an element into a leaf whose elements are given.
  @inlinable
  static func insert(
    _ element: Element, at offset: Int, into elements: inout [Element], of child: inout Child, _ shape: TreeShape,
    _ nodeIndex: inout NodeIndex
  ) -> Child? {
    if elements.count < shape.leaf {
      // Without reserved capacity, a leaf with other owners would be copied to twice its size. Room for more than the next few
      // would be a third of the memory of a list.
      elements.reserveCapacity((elements.count + 4) & ~3)
      elements.insert(element, at: offset)
      register(element, leaf: child.number, &nodeIndex)
      child = Child(leaf: elements, number: child.number)
      return nil
    }
    let cut = Self.cut(elements.count, insertedAt: offset)
    let number = nodeIndex.makeNumber()
    var left = Child(leaf: Array(elements[..<cut]), number: child.number)
    var right = Child(leaf: Array(elements[cut...]), number: child.number)
    // The smaller half gets the new number: fewer elements change theirs.
    if cut * 2 < elements.count {
      left.number = number
      transfer(elements[..<cut], from: child.number, to: number, &nodeIndex)
    } else {
      right.number = number
      transfer(elements[cut...], from: child.number, to: number, &nodeIndex)
    }
    elements = []
    child = left
    if offset < cut || (offset == cut && left.count < right.count) {
      _ = insert(element, at: offset, in: &child, shape, &nodeIndex)
    } else {
      _ = insert(element, at: offset - cut, in: &right, shape, &nodeIndex)
    }
    return right
  }

  /// Where to cut a full node. Appending and prepending result in well filled nodes, not half empty ones.
  @inlinable
  static func cut(_ count: Int, insertedAt offset: Int) -> Int {
    offset >= count ? count - Swift.max(1, count / 4) : offset == 0 ? Swift.max(1, count / 4) : count / 2
  }

  /// Splits an inner node that has become too wide.
  @inlinable
  static func splitInner(
    _ children: inout [Child], of child: inout Child, after index: Int, _ nodeIndex: inout NodeIndex
  ) -> Child {
    let count = children.count
    let cut = index >= count - 1 ? count - Swift.max(2, count / 4) : index == 1 ? Swift.max(2, count / 4) : count / 2
    let number = nodeIndex.makeNumber()
    var left = Child(inner: Array(children[..<cut]), number: child.number)
    var right = Child(inner: Array(children[cut...]), number: child.number)
    if cut * 2 < count {
      left.number = number
      link(children[..<cut], to: number, &nodeIndex)
    } else {
      right.number = number
      link(children[cut...], to: number, &nodeIndex)
    }
    children = []
    child = left
    return right
  }
}

/// The numbers of the nodes from a leaf up to the root of all, in borrowed memory.
@usableFromInline typealias TreeChain = Slice<UnsafeMutableBufferPointer<Int32>>

extension NodeIndex {
  /// The greatest number of numbers in a chain: inner nodes have at least two children, and there are fewer than 2³¹ elements, in
  /// sections as in rows.
  @usableFromInline static let longestChain = 72

  /// The chain of a leaf.
  @inlinable
  func chain(from leaf: Int32, in memory: UnsafeMutableBufferPointer<Int32>) -> TreeChain {
    var (number, count) = (leaf, 0)
    while number != 0 {
      unsafe memory[count] = number
      count += 1
      number = parent(of: number)
    }
    return unsafe memory[..<count]
  }
}

extension Tree {
  /// Walks a chain of numbers down to a leaf of this tree, `nil` if it leads elsewhere. The level is the index in the chain,
  /// first of the root; the position becomes the position of the first element of the leaf.
  @inlinable
  func leaf(along chain: TreeChain, _ level: inout Int, _ position: inout Int) -> [Element]? {
    level -= 1
    guard level >= 0, unsafe chain[level] == root.number else { return nil }
    return unsafe withUnsafePointer(to: root) { root in
      var node = unsafe root
      // References are not counted on the way: the caller keeps the tree alive.
      while let children = unsafe node.pointee.node.children {
        level -= 1
        guard level >= 0, let index = unsafe Self.child(of: children, numbered: chain[level], &position) else {
          return nil
        }
        unsafe node = children.baseAddress.unsafelyUnwrapped + index
      }
      guard case .leaf(let elements) = unsafe node.pointee.node else { return nil }
      return elements
    }
  }

  /// The index of the child with a number; the position is advanced by the elements before it.
  @inlinable
  static func child(of children: UnsafeBufferPointer<Child>, numbered number: Int32, _ position: inout Int) -> Int? {
    for index in children.indices {
      if unsafe children[index].number == number { return index }
      unsafe position += children[index].count
    }
    return nil
  }

  /// The position of the element with an id.
  ///
  /// - Complexity: O(log n), with one `==` for each element of a leaf at most.
  @inlinable
  package func position(of id: Kind.ID, _ nodeIndex: borrowing NodeIndex) -> Int? {
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: NodeIndex.longestChain) { memory in
      let tag = NodeIndex.tag(of: id) ^ Kind.salt
      var probe = 0
      while true {
        let number = nodeIndex.table.candidate(for: tag, &probe)
        if number == 0 { return nil }
        let chain = unsafe nodeIndex.chain(from: number, in: memory)
        var level = unsafe chain.count
        var position = 0
        guard let elements = unsafe leaf(along: chain, &level, &position), level == 0 else { continue }
        if let offset = elements.firstIndex(where: { Self.id(of: $0) == id }) { return position + offset }
      }
    }
  }

  /// The number of elements before the first for which a condition is true. It is true for all elements after that one.
  @inlinable
  package func partitioningIndex(where belongsInSecondPartition: (Element) throws -> Bool) rethrows -> Int {
    var start = 0
    return unsafe try withLeaf { children in
      // The last child that begins in the first part contains the border, or ends at it.
      let index = try (1..<children.count).countPrefix { index in
        var node = unsafe children.baseAddress.unsafelyUnwrapped + index
        while let children = unsafe node.pointee.node.children { unsafe node = children.baseAddress.unsafelyUnwrapped }
        return unsafe try !belongsInSecondPartition(node.pointee.node.elements[0])
      }
      start += unsafe children[..<index].reduce(0) { $0 + $1.count }
      return index
    } read: { leaf in
      let elements = unsafe leaf.node.elements
      return start
        + (try (0..<elements.count).countPrefix { unsafe try !belongsInSecondPartition(elements[$0]) })
    }
  }
}

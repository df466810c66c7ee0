/// Values by id, merged by a function in a complete binary tree. The places of values in the tree mean nothing.
@usableFromInline
final class MergeTree<ID: Hashable, Value> {
  @usableFromInline let merge: (Value, Value) -> Value
  /// The ids by the places of their leaves.
  @usableFromInline var ids: [ID] = []
  /// The places of the leaves by their ids; made when they are first needed.
  @usableFromInline var places: [ID: Int]?
  /// The root at 1; the children of a node at twice its index. The leaves are the second half.
  @usableFromInline var nodes: [Value?] = [nil, nil]

  @inlinable
  init(_ merge: @escaping (Value, Value) -> Value) { self.merge = merge }

  /// All values, merged; `nil` if there is none.
  @inlinable var root: Value? { nodes[1] }

  /// Rebuilds the tree from values with unique ids; none of them is `nil`. `merge`, if given, merges neighbours in the given
  /// order. Takes O(n) merges.
  @inlinable
  func rebuild(_ ids: [ID], _ values: [Value?], by merge: ((Value, Value) -> Value)? = nil) {
    var half = 1
    while half < ids.count { half *= 2 }
    (self.ids, places) = (ids, nil)
    // Exclusive access to the object is checked once, not for each value.
    var nodes = Array(repeating: nil, count: half) + values + Array(repeating: nil, count: half - values.count)
    for index in stride(from: half - 1, to: 0, by: -1) { Self.update(index, of: &nodes, merge ?? self.merge) }
    self.nodes = nodes
    checkInvariants()
  }

  /// Finds the places of the leaves. Takes O(n) the first time.
  @inlinable
  func index() {
    if places == nil { places = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices)) }
  }

  /// Adds a value, or gives an id that has one another. Takes O(log n) merges, on average over many.
  @inlinable
  func set(_ value: Value, for id: ID) {
    index()
    if let place = places?[id] { return set(value, at: place) }
    if ids.count == nodes.count / 2 { return rebuild(ids + [id], nodes[ids.count...] + [value]) }
    places?[id] = ids.count
    ids.append(id)
    set(value, at: ids.count - 1)
    checkInvariants()
  }

  /// Removes the value of an id, if there is one. The last leaf takes its place. Takes O(log n) merges.
  @inlinable
  func remove(_ id: ID) {
    index()
    guard let place = places?.removeValue(forKey: id) else { return }
    let last = ids.removeLast()
    if place < ids.count {
      set(nodes[nodes.count / 2 + ids.count], at: place)
      ids[place] = last
      places?[last] = place
    }
    set(nil, at: ids.count)
    checkInvariants()
  }

  @inlinable
  func set(_ value: Value?, at place: Int) {
    var index = nodes.count / 2 + place
    nodes[index] = value
    while index > 1 {
      index /= 2
      Self.update(index, of: &nodes, merge)
    }
  }

  /// Merges the children of a node.
  @inlinable
  static func update(_ index: Int, of nodes: inout [Value?], _ merge: (Value, Value) -> Value) {
    let (left, right) = (nodes[2 * index], nodes[2 * index + 1])
    if let left, let right { nodes[index] = merge(left, right) } else { nodes[index] = left ?? right }
  }

  @inlinable
  func checkInvariants() {
    assert(
      places?.count ?? ids.count == ids.count && ids.count <= nodes.count / 2 && (root == nil) == ids.isEmpty,
      "A tree of merges has \(ids.count) values and \(places?.count ?? 0) places of \(nodes.count / 2)")
  }
}

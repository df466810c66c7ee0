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

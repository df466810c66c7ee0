public import RowcastModel
public import RowcastStore

extension LiveList {
  /// Watches one section: a list that has the section alone, and nothing while there is none with this id.
  ///
  /// Other sections do not concern the subscriber, nor does the place of this one among them.
  ///
  /// - Parameter id: The id of the section.
  /// - Returns: The section first, then what changes of it; see ``ListStore/updates()``.
  /// - Complexity: O(log n) for each changed row of the section, and O(s) for s sections when its index changes or it is missing.
  @inlinable
  public func updates(inSection id: Section.ID) -> AsyncStream<ListUpdate<Section, Row>> {
    let origin = ListOrigin(of: self)
    return Subscription(to: ViewCore(ListOrigin { .section(id, of: origin.makeNode($0)) })).stream
  }

  /// One row, as a value that can be watched; `nil` while the list does not have it.
  ///
  ///     for await message in store.row(id).updates() { detail.show(message) }
  ///
  /// - Parameter id: The id of the row.
  /// - Returns: The row, which changes when its content does, not with its place.
  /// - Complexity: O(n) for n rows at first, O(d log n) for d changed rows later.
  @inlinable
  public func row(_ id: Row.ID) -> ListValue<Row?> {
    let origin = ListOrigin(of: self)
    return ListValue { upstreams in
      var row: Row?
      return .value(
        of: origin.makeNode(upstreams), rebuild: { row = $0[id] },
        take: { before, after in
          let touched = TouchedRows(contentOf: before.changes(to: after), from: before, to: after)
          if touched.leaving.contains(where: { before.row(at: $0).id == id }) { row = nil }
          for path in touched.arriving + touched.staying.map({ $0.path }) {
            let new = after.row(at: path)
            if new.id == id { row = new }
          }
        }, areEqual: ==, value: { row })
    }
  }

  /// The number of rows, as a value that can be watched.
  @inlinable public var rowCount: ListValue<Int> {
    let origin = ListOrigin(of: self)
    return ListValue { upstreams in
      let node = origin.makeNode(upstreams)
      return .value(
        of: node, rebuild: { _ in }, take: { _, _ in }, areEqual: ==, value: { node.snapshot().rowCount })
    }
  }
}

extension ListNode {
  /// The place of one section of a list.
  @inlinable
  static func section(_ id: Section.ID, of upstream: ListNode) -> ListNode {
    var index: Int?
    var output = RelabelledList<Section, Row>()
    func update(from list: Snapshot) {
      let former = index
      if let former, former < list.sectionCount, list.section(at: former).id == id {
        return output.replace(at: 0, with: list.section(at: former), rowsOf: former, in: list)
      }
      index = list.tree.enumerated().first { $0.element.model.id == id }?.offset
      if former != nil { output.remove(at: 0) }
      if let index { output.insert(list.section(at: index), rowsOf: index, in: list, at: 0) }
    }
    return following(
      upstream, rebuild: update,
      step: { _, after in
        let before = output.list
        update(from: after)
        return before == output.list ? nil : ListStep(before: before, after: output.list)
      }, snapshot: { output.list })
  }
}

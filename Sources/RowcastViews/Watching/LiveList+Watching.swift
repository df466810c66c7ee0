public import RowcastModel
public import RowcastStore

/// Watching parts of a list. What is found out about a change serves all; it wakes those alone whose part it concerns.
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
    let list = upstream
    return Subscription(
      to: ViewCore { .section(id, of: .reading($0.state(of: \.sections[id], in: list) { $0 })) }
    ).stream
  }

  /// One row, as a value that can be watched; `nil` while the list does not have it.
  ///
  ///     for await message in store.row(id).updates() { detail.show(message) }
  ///
  /// - Parameter id: The id of the row.
  /// - Returns: The row, which changes when its content does, not with its place.
  /// - Complexity: O(n) for n rows at first. Later O(d log n) for d changed rows, once for all that watch parts of the list.
  @inlinable
  public func row(_ id: Row.ID) -> ListValue<Row?> {
    let list = upstream
    return ListValue {
      .reading($0.state(of: \.rows[id], in: list) { list in list.scanForPath(ofRow: id).map { list.row(at: $0) } })
    }
  }

  /// The number of rows, as a value that can be watched.
  @inlinable public var rowCount: ListValue<Int> {
    let list = upstream
    return ListValue { .reading($0.state(of: \.rowCount, in: list) { $0.rowCount }) }
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
      index = list.scanForIndex(ofSection: id)
      if former != nil { output.remove(at: 0) }
      if let index { output.insert(list.section(at: index), rowsOf: index, in: list, at: 0) }
    }
    return following(
      upstream, rebuild: update,
      step: { _, after in
        let former = output.list
        update(from: after)
        return output.list != former
      }, snapshot: { output.list })
  }
}

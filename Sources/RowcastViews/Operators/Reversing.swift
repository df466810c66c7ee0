public import RowcastDiff
public import RowcastModel

extension ListNode {
  /// The list backwards.
  @inlinable
  static func reversing(_ upstream: ListNode) -> ListNode {
    let output = ListOutput<Section, Row>()
    func rows(_ list: Snapshot, _ section: Int) -> [Row] { list.rows(inSection: section).reversed() }
    return editing(
      upstream, output,
      rebuild: { list in
        output.rebuild(
          from: (0..<list.sectionCount).reversed().map { ListSection(list.section(at: $0), rows: rows(list, $0)) })
      },
      edit: { changes, before, after in
        output.open()
        let (sections, listed) = (changes.sections, changes.rows)
        let reversed = ListChanges(
          sections: sections.mapped {
            before.sectionCount - 1 - $0
          } to: {
            after.sectionCount - 1 - $0
          },
          rows: listed.mapped {
            $0.reversed(in: before)
          } to: {
            $0.reversed(in: after)
          })
        output.draft.edit(
          ListPatch(
            reversed,
            insertedSections: sections.inserts.map { ListSection(after.section(at: $0), rows: rows(after, $0)) },
            updatedSections: sections.updates.map { after.section(at: $0.to) },
            insertedRows: listed.inserts.map { after.row(at: $0) },
            updatedRows: listed.updates.map { after.row(at: $0.to) }))
      }, failures: upstream.failures)
  }
}

extension Changeset {
  /// The same operations at other positions, for edits: they are in no order.
  @inlinable
  func mapped(_ former: (Position) -> Position, to current: (Position) -> Position) -> Changeset {
    Changeset(
      deletes: deletes.map(former), inserts: inserts.map(current),
      moves: moves.map { .init(from: former($0.from), to: current($0.to)) },
      updates: updates.map { .init(from: former($0.from), to: current($0.to)) })
  }
}

extension RowPath {
  /// The path of a row in the list backwards.
  @inlinable
  func reversed<Section, Row>(in list: ListSnapshot<Section, Row>) -> RowPath {
    RowPath(section: list.sectionCount - 1 - section, row: list.rowCount(inSection: section) - 1 - row)
  }
}

extension Arrangement {
  /// The list backwards: the last section first, and in each section the last row first.
  ///
  ///     messages.arranged { $0.reversed().window(.first(50)) }
  ///
  /// It reverses an order that no key describes: the order of the source, and the order of rows with equal keys. For an order by
  /// keys write `.descending(key)` in place of `.ascending(key)`.
  ///
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n.
  @inlinable
  public func reversed() -> Arrangement {
    .init { builder, tail in ListNode.reversing(builder.node(of: self)).ending(with: tail) }
  }
}

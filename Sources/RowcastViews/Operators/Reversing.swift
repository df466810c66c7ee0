public import RowcastDiff
public import RowcastModel

/// A list backwards.
@usableFromInline
struct Reversing<Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, Row>

  @usableFromInline let output = ListOutput<Section, Row>()

  @inlinable
  init() {}

  @inlinable
  func section(_ index: Int, of list: Input) -> ListSection<Section, Row> {
    ListSection(list.section(at: index), rows: list.rows(inSection: index).reversed())
  }

  @inlinable
  func rebuild(from list: Input) {
    output.rebuild(from: (0..<list.sectionCount).reversed().map { section($0, of: list) })
  }

  @inlinable
  func step(_ changes: ListChanges, from before: Input, to after: Input) {
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
        reversed, insertedSections: sections.inserts.map { section($0, of: after) },
        updatedSections: sections.updates.map { after.section(at: $0.to) },
        insertedRows: listed.inserts.map { after.row(at: $0) },
        updatedRows: listed.updates.map { after.row(at: $0.to) }))
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
    .init { builder, tail in
      ListNode(Reversing<Section, Row>(), reading: builder.node(of: self)).ending(with: tail)
    }
  }
}

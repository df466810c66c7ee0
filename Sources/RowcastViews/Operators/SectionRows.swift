public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A row for each section of a list. The rows of the sections are not read.
@usableFromInline
struct SectionRows<InputSection: SectionViewModel, InputRow: RowViewModel, Row: RowViewModel>: ListOperator
where InputSection.ID == Row.ID {
  @usableFromInline typealias Section = SoleSection
  @usableFromInline typealias Input = ListSnapshot<InputSection, InputRow>

  @usableFromInline let make: (InputSection) -> Row
  @usableFromInline let output = ListOutput<SoleSection, Row>()

  @inlinable
  init(_ make: @escaping (InputSection) -> Row) { self.make = make }

  @inlinable
  func row(_ list: Input, _ index: Int) -> Row {
    let section = list.section(at: index)
    let row = make(section)
    require(
      row.id == section.id, "The row of the section \(section.id) has the id \(row.id); give it that of the section")
    return row
  }

  @inlinable
  func rebuild(from list: Input) {
    output.rebuild(from: [ListSection(SoleSection(), rows: (0..<list.sectionCount).map { row(list, $0) })])
  }

  @inlinable
  func step(_ changes: ListChanges, from before: Input, to after: Input) {
    output.open()
    let sections = changes.sections
    if sections.isEmpty { return }
    if sections.hasStructure {
      func path(_ index: Int) -> RowPath { RowPath(section: 0, row: index) }
      let rows = Changeset(
        deletes: sections.deletes.map(path), inserts: sections.inserts.map(path),
        moves: sections.moves.map { .init(from: path($0.from), to: path($0.to)) })
      output.draft.edit(
        ListPatch(
          ListChanges(sections: Changeset(), rows: rows), insertedSections: [],
          insertedRows: sections.inserts.map { row(after, $0) }))
    }
    for update in sections.updates {
      let path = RowPath(section: 0, row: update.to)
      output.draft.replaceRow(output.draft.list.row(at: path), at: path, with: row(after, update.to))
    }
  }
}

extension LiveList {
  /// The sections as rows: the groups of a list, to be sorted by their sums, filtered, and cut to a window.
  ///
  ///     let best = orders.arranged { $0.sectioned(by: \.customerID, summary: .sum(\.amount)) { Turnover(id: $0, sum: $1) } }
  ///       .asRows { TurnoverRow(id: $0.id, sum: $0.sum) }
  ///       .arranged { $0.sorted(by: .descending(\.sum)).window(.first(10)) }
  ///
  /// The rows of the sections are not read: anything that a row shows about them is in the section, as a summary.
  ///
  /// - Parameter row: Makes the row of a section, with its id. It is asked once for each section that was inserted or changed.
  /// - Returns: A list of one section, with the rows in the order of the sections.
  /// - Precondition: The row has the id of the section.
  /// - Complexity: O(log s) for each section of s that is changed, inserted, moved or removed.
  @inlinable
  public func asRows<NewRow: RowViewModel>(
    _ row: @escaping @Sendable (Section) -> NewRow
  ) -> ArrangedList<SoleSection, NewRow> where NewRow.ID == Section.ID {
    let source = ListNode.maker(of: self)
    return ArrangedList(
      core: ViewCore { upstreams in
        let upstream = upstreams.aside(source(upstreams))
        return ListNode(
          SectionRows<Section, Row, NewRow>(row), pull: upstream.pull, input: upstream.snapshot)
      })
  }
}

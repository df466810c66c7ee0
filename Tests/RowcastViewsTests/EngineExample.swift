import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastViews

// A complete operator, with its oracle and its fuzz test, as CONTRIBUTING describes them. The code above the line of dashes would
// be a file in `Sources/RowcastViews/Operators`, with `@inlinable` before each declaration, so that it is specialised for the
// types of its users.

/// A list in which each section is remade from itself and the number of its rows.
struct CountedSections<Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  let make: (Section, Int) -> Section
  let output = ListOutput<Section, Row>()

  func section(_ index: Int, of list: ListSnapshot<Section, Row>) -> Section {
    make(list.section(at: index), list.rowCount(inSection: index))
  }

  func whole(_ index: Int, of list: ListSnapshot<Section, Row>) -> ListSection<Section, Row> {
    ListSection(section(index, of: list), rows: Array(list.rows(inSection: index)))
  }

  func rebuild(from list: ListSnapshot<Section, Row>) {
    output.rebuild(from: (0..<list.sectionCount).map { whole($0, of: list) })
  }

  func step(_ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>) {
    // The output has the changes of its source; only the contents of sections differ.
    let (listed, rows) = (changes.sections, changes.rows)
    output.open()
    output.draft.edit(
      ListPatch(
        changes, insertedSections: listed.inserts.map { whole($0, of: after) },
        updatedSections: listed.updates.map { section($0.to, of: after) },
        insertedRows: rows.inserts.map { after.row(at: $0) }, updatedRows: rows.updates.map { after.row(at: $0.to) }))
    for index in sections(touchedBy: changes, readsRows: true) {
      output.draft.replaceSection(at: index, with: section(index, of: after))
    }
  }
}

extension Arrangement {
  /// Remakes each section from itself and the number of its rows: "Today (3)".
  ///
  /// - Parameter make: Makes a section, with the id that it had.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n.
  func counted(_ make: @escaping @Sendable (Section, Int) -> Section) -> Arrangement {
    .init { builder, tail in ListNode(CountedSections(make: make), reading: builder.node(of: self)).ending(with: tail) }
  }
}

// -------------------------------------------------------------------------------------------------------------------------------------

extension NaiveList where Section == TestSection {
  /// The oracle: the same over arrays, in its plainest form.
  fileprivate func counted() -> NaiveList {
    var list = self
    for index in list.parts.indices {
      list.parts[index].section.content.title += " (\(list.parts[index].rows.count))"
    }
    return list
  }
}

/// Sections with the number of their rows.
@Suite(.watched) struct CountedSectionTests {
  private static func plan(noting calls: CallCount) -> Arrangement<TestSection, Card<Int>, TestSection, Card<Int>> {
    Arrangement().counted { section, count in
      calls.note(())
      return TestSection(section.id, "\(section.content.title) (\(count))")
    }
  }

  @Test func `after each edit the list is the one that is made anew, with filters before and after`() throws {
    var random = SeededGenerator.forFuzzing("counted sections")
    for round in 0..<SeededGenerator.rounds(12, long: 20_000) {
      let rig = ArrangedRig<Int>(SeededGenerator(seed: random.next()), size: round % 8 == 7 ? .large : .small) { $0 }
      let list = rig.source.arranged(by: Self.plan(noting: CallCount()))
      let odd = rig.source.arranged(by: Self.plan(noting: CallCount()).filter { $0.id % 2 == 1 })
      for step in 0..<40 {
        for _ in 0..<step % 3 { rig.edit() }
        _ = list.update()
        let counted = NaiveList(rig.draft.snapshot).counted()
        try #require(NaiveList(list.snapshot) == counted, "round \(round), step \(step)")
        _ = odd.update()
        try #require(NaiveList(odd.snapshot).parts.map(\.section) == counted.parts.map(\.section))
      }
    }
  }

  @Test func `an edit asks about the sections that it concerns`() {
    let rig = ArrangedRig<Int>(SeededGenerator(seed: 1), size: .large) { $0 }
    rig.fill()
    let calls = CallCount()
    let list = rig.source.arranged(by: Self.plan(noting: calls))
    _ = list.update()
    #expect(calls.value == rig.draft.snapshot.sectionCount)
    rig.draft.removeRow(at: RowPath(section: 0, row: 0))
    _ = list.update()
    #expect(calls.value == rig.draft.snapshot.sectionCount + 1)
  }
}

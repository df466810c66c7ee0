import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// The difference of one event, exhausted on small lists.
@Suite(.watched) struct SingleChangeTests {
  private typealias Draft = ListDraft<TestSection, TestRow>

  /// Two sections of nine rows in leaves that are filled to three quarters.
  private static func draft(leaf: Int = 4) -> Draft {
    let shape = TreeShape(leaf: leaf, fanOut: 4)
    let material = (0..<2).map { section in
      ListSection(TestSection("s\(section)"), rows: (0..<9).map { TestRow(section * 9 + $0) })
    }
    return Draft(ListSnapshot(unchecked: material, sectionShape: shape, rowShape: shape))
  }

  private static let paths = (0..<2).flatMap { section in (0..<9).map { RowPath(section: section, row: $0) } }

  /// Checks that changes are what the differ finds.
  private func check(_ before: TestSnapshot, _ after: TestSnapshot, _ note: @autoclosure () -> String) {
    #expect(before.changes(to: after) == TreeDraftTests.plainChanges(before, after), "\(note())")
  }

  @Test func `every way of one row, updated on its way or not, is what the differ finds`() {
    for from in Self.paths {
      for to in Self.paths {
        for isUpdated in [false, true] {
          var draft = Self.draft()
          let before = draft.snapshot
          // Taken out and put in, as the tree does with a move; to its own place too.
          var row = draft.removeRow(at: from)
          if isUpdated { row.text = "updated" }
          let length = draft.snapshot.rows(inSection: to.section).count
          let place = RowPath(section: to.section, row: min(to.row, length))
          draft.insertRow(row, at: place)
          draft.commit()
          check(before, draft.snapshot, "\(from) to \(place), updated: \(isUpdated)")
        }
      }
    }
  }

  @Test func `a row that moved up by one, and the update of a neighbour, are what the differ finds`() {
    for from in 1..<9 {
      for updated in [nil, from, from - 1, 8 - from] {
        var draft = Self.draft()
        let before = draft.snapshot
        draft.moveRow(from: RowPath(section: 1, row: from), to: RowPath(section: 1, row: from - 1))
        if let updated {
          var row = draft.snapshot.row(at: RowPath(section: 1, row: updated))
          row.text = "updated"
          draft.replaceRow(at: RowPath(section: 1, row: updated), with: row)
        }
        draft.commit()
        check(before, draft.snapshot, "\(from) up, \(updated ?? -1) updated")
        // What came before does not speak for what comes after.
        let moved = draft.snapshot
        draft.removeRow(at: RowPath(section: 0, row: 0))
        draft.commit()
        check(moved, draft.snapshot, "a removal after \(from) went up")
        check(draft.snapshot, moved, "a removal undone after \(from) went up")
      }
    }
  }

  @Test func `any two events are what the differ finds`() {
    for first in Self.paths {
      for second in Self.paths {
        for kind in 0..<4 {
          var draft = Self.draft()
          let before = draft.snapshot
          if kind & 1 == 0 { draft.removeRow(at: first) } else { draft.insertRow(TestRow(100), at: first) }
          let row = min(second.row, draft.snapshot.rows(inSection: second.section).count - 1)
          let place = RowPath(section: second.section, row: row)
          if kind & 2 == 0 { draft.removeRow(at: place) } else { draft.insertRow(TestRow(200), at: place) }
          draft.commit()
          check(before, draft.snapshot, "\(kind) at \(first) and \(second)")
        }
      }
    }
  }
}

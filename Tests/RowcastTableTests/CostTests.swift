import RowcastDiff
import RowcastModel
import RowcastTable
import Synchronization
import TestSupport
import Testing

/// What an update costs, by counting how often rows are looked at, cells asked for and configured.
@Suite struct CostTests {
  /// Counts how often rows are asked who they are or whether they are equal.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private final class Meter: Sendable {
    private let looks = Atomic<Int>(0)

    func count() { looks.add(1, ordering: .relaxed) }

    /// The looks that something takes.
    func looks(of body: () throws -> Void) rethrows -> Int {
      let before = looks.load(ordering: .relaxed)
      try body()
      return looks.load(ordering: .relaxed) - before
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct MeteredRow: RowViewModel {
    let number: Int
    var text = ""
    let meter: Meter

    var id: Int {
      meter.count()
      return number
    }

    static func == (lhs: MeteredRow, rhs: MeteredRow) -> Bool {
      lhs.meter.count()
      return lhs.number == rhs.number && lhs.text == rhs.text
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private final class MeteredCell: Cell, RowCell {
    func configure(with row: MeteredRow) {}
  }

  /// A provider that counts what it is asked.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct MeteredCells: CellProvider {
    let meter: Meter

    func request(for row: MeteredRow) throws(TableError) -> CellRequest {
      meter.count()
      return CellRequest(MeteredCell.self, showing: row)
    }
  }

  /// The looks of one update of a list of some rows, and the cells that it configured.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func looks(
    rows count: Int, edit: (inout ListDraft<TestSection, MeteredRow>, Meter) -> Void
  ) throws -> (looks: Int, configured: Int) {
    let meter = Meter()
    let table = RetainedTable<TestSection, MeteredRow>(cells: MeteredCells(meter: meter), height: 20)
    table.selectionMode = .multiple
    let list = try ListSnapshot([
      ListSection(TestSection("a"), rows: (0..<count).map { MeteredRow(number: $0, meter: meter) })
    ])
    try table.apply(ListUpdate(initial: list, revision: 0))
    try table.scroll(toLine: count / 2)
    for visible in table.visibleRows { table.select(visible.row.id) }
    var draft = ListDraft(table.snapshot)
    let before = draft.snapshot
    edit(&draft, meter)
    draft.commit()
    let after = draft.snapshot
    let changes = before.changes(to: after)
    try table.apply(ListUpdate(revision: 1, previous: 0, changes: ListChanges(), snapshot: before))
    let configured = table.configurationCount
    let looks = try meter.looks {
      try table.apply(ListUpdate(revision: 2, previous: 1, changes: changes, snapshot: after))
    }
    return (looks, table.configurationCount - configured)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `W1 an update costs what is visible and what changed, whatever the list's length`() throws {
    func edit(_ draft: inout ListDraft<TestSection, MeteredRow>, _ meter: Meter) {
      for step in 0..<10 {
        _ = draft.removeRow(at: RowPath(section: 0, row: 7 * step))
        draft.insertRow(MeteredRow(number: -1 - step, meter: meter), at: RowPath(section: 0, row: 90 + step))
      }
    }
    let few = try looks(rows: 1_000, edit: edit)
    let many = try looks(rows: 100_000, edit: edit)
    #expect(few.looks == many.looks)
    #expect(many.looks < 10 * (20 + 20), "\(many.looks)")
    #expect(few.configured == 0 && many.configured == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `W1 a thousand changes off the screen look at no more rows than those, and configure nothing`() throws {
    let thousand = try looks(rows: 100_000) { draft, meter in
      for step in 0..<1_000 {
        let path = RowPath(section: 0, row: 37 * step)
        draft.replaceRow(at: path, with: MeteredRow(number: 37 * step, text: "new", meter: meter))
      }
    }
    #expect(thousand.configured == 0)
    #expect(thousand.looks < 10 * (1_000 + 20), "\(thousand.looks)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `W1 a list that is replaced with its section costs its rows once, however many were visible`() throws {
    let replaced = try looks(rows: 10_000) { draft, meter in
      _ = draft.removeSection(at: 0)
      let rows = (20_000..<30_000).map { MeteredRow(number: $0, meter: meter) }
      draft.insertSection(TestSection("b"), rows: rows, at: 0)
    }
    #expect(replaced.configured == 20)
    #expect(replaced.looks < 3 * 20_000, "\(replaced.looks)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `W1 scrolling looks at the rows on the screen only`() throws {
    let meter = Meter()
    let table = RetainedTable<TestSection, MeteredRow>(cells: MeteredCells(meter: meter), height: 20)
    let list = try ListSnapshot([
      ListSection(TestSection("a"), rows: (0..<100_000).map { MeteredRow(number: $0, meter: meter) })
    ])
    try table.apply(ListUpdate(initial: list, revision: 0))
    let step = try meter.looks { try table.scroll(byLines: 1) }
    let jump = try meter.looks { try table.scroll(toLine: 70_000) }
    #expect(step < 10 * 21 && jump < 10 * 40, "\(step) \(jump)")
    #expect(table.configurationCount == 41 && table.totals.created == 20)
  }
}

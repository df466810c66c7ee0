import RowcastDiff
import RowcastModel
import RowcastTable
import Synchronization
import TestSupport
import Testing

/// W1: what an update and a line of scrolling look at, in counts, on a small screen and on a large one.
@Suite struct WorkTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private final class Meter: Sendable {
    let hashes = Atomic<Int>(0)
    let comparisons = Atomic<Int>(0)
    let requests = Atomic<Int>(0)
  }

  /// The work of one step.
  struct Work: Equatable {
    /// Ids that were hashed.
    var hashes = 0
    /// Rows whose contents were compared.
    var comparisons = 0
    /// Rows for which the provider was asked for a cell.
    var requests = 0
    /// Cells that were configured.
    var configured = 0
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct MeteredID: Hashable, Sendable {
    let number: Int
    let meter: Meter

    static func == (lhs: MeteredID, rhs: MeteredID) -> Bool { lhs.number == rhs.number }

    func hash(into hasher: inout Hasher) {
      meter.hashes.add(1, ordering: .relaxed)
      hasher.combine(number)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct MeteredRow: RowViewModel {
    let id: MeteredID
    var text = ""

    static func == (lhs: MeteredRow, rhs: MeteredRow) -> Bool {
      lhs.id.meter.comparisons.add(1, ordering: .relaxed)
      return lhs.id == rhs.id && lhs.text == rhs.text
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private final class MeteredCell: Cell, RowCell {
    func configure(with row: MeteredRow) {}
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct MeteredCells: CellProvider {
    let meter: Meter

    func request(for row: MeteredRow) throws(TableError) -> CellRequest {
      meter.requests.add(1, ordering: .relaxed)
      return CellRequest(MeteredCell.self, showing: row)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private typealias Table = RetainedTable<TestSection, MeteredRow>
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private typealias Draft = ListDraft<TestSection, MeteredRow>

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  /// A table in the middle of 10,000 rows, and what counts its work.
  private struct Subject {
    let meter = Meter()
    let table: Table
    /// The first row on the screen.
    let top = 5_000

    init(height: Int) throws {
      table = Table(cells: MeteredCells(meter: meter), height: height)
      let rows = (0..<10_000).map { [meter] in MeteredRow(id: MeteredID(number: $0, meter: meter)) }
      let list = try ListSnapshot([ListSection(TestSection("a"), rows: rows)])
      try table.apply(ListUpdate(initial: list, revision: 0))
      try table.scroll(toLine: top)
    }

    func row(_ number: Int) -> MeteredRow {
      MeteredRow(id: MeteredID(number: number, meter: meter))
    }

    /// The work of an update; its difference is made before.
    func update(_ edit: (inout Draft) -> Void) throws -> Work {
      var draft = Draft(table.snapshot)
      let before = draft.snapshot
      // A draft has a list of its own: the table is brought onto it.
      try table.apply(
        ListUpdate(
          revision: 1, previous: 0, changes: table.snapshot.changes(to: before), snapshot: before))
      edit(&draft)
      draft.commit()
      let after = draft.snapshot
      let update = ListUpdate(
        revision: 2, previous: 1, changes: before.changes(to: after), snapshot: after)
      return try measured { try table.apply(update) }
    }

    func measured(_ body: () throws -> Void) rethrows -> Work {
      let before = counts
      try body()
      let after = counts
      return Work(
        hashes: after.hashes - before.hashes, comparisons: after.comparisons - before.comparisons,
        requests: after.requests - before.requests, configured: after.configured - before.configured
      )
    }

    private var counts: Work {
      Work(
        hashes: meter.hashes.load(ordering: .relaxed),
        comparisons: meter.comparisons.load(ordering: .relaxed),
        requests: meter.requests.load(ordering: .relaxed), configured: table.configurationCount)
    }
  }

  private func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [40, 200])
  func `W1 a change off the screen looks at no row, no id and no cell`(height: Int) throws {
    let subject = try Subject(height: height)
    let below = try subject.update { draft in
      _ = draft.removeRow(at: path(9_000))
      draft.insertRow(subject.row(-1), at: path(8_000))
      var row = draft.snapshot.row(at: path(7_000))
      row.text = "new"
      draft.replaceRow(at: path(7_000), with: row)
    }
    #expect(below == Work())
    let top = subject.table.topLine
    let above = try Subject(height: height).update { draft in
      _ = draft.removeRow(at: path(900))
      draft.insertRow(subject.row(-1), at: path(800))
      draft.insertRow(subject.row(-2), at: path(10))
    }
    #expect(above == Work() && top == subject.top)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [40, 200])
  func `W1 a change on the screen looks at the row that it changes, and at what comes into view`(
    height: Int
  ) throws {
    let middle = try Subject(height: height).top + height / 2
    let update = try Subject(height: height).update { draft in
      var row = draft.snapshot.row(at: path(middle))
      row.text = "new"
      draft.replaceRow(at: path(middle), with: row)
    }
    #expect(update == Work(comparisons: 1, requests: 1, configured: 1))
    let subject = try Subject(height: height)
    let insertion = try subject.update { $0.insertRow(subject.row(-1), at: path(middle)) }
    #expect(insertion == Work(requests: 1, configured: 1))
    let deletion = try Subject(height: height).update { _ = $0.removeRow(at: path(middle)) }
    #expect(deletion == Work(requests: 1, configured: 1))
    let move = try Subject(height: height).update {
      $0.moveRow(from: path(middle), to: path(middle + 3))
    }
    #expect(move == Work())
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [40, 200])
  func `W1 scrolling asks for what comes into view, and for nothing that stays`(height: Int) throws {
    let subject = try Subject(height: height)
    #expect(
      try subject.measured { try subject.table.scroll(byLines: 1) }
        == Work(requests: 1, configured: 1))
    #expect(
      try subject.measured { try subject.table.scroll(byLines: -1) }
        == Work(requests: 1, configured: 1))
    #expect(try subject.measured { try subject.table.scroll(byLines: 0) } == Work())
    let page = try subject.measured { try subject.table.scroll(byPages: 1) }
    #expect(page == Work(requests: height - 1, configured: height - 1))
  }
}

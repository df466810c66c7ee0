import RowcastDemoBench
import Rowcast

/// A table in the middle of a long list, and the list that it shows.
struct TableWorkload {
  typealias Table = RetainedTable<StoreSection, StoreRow>
  typealias Draft = ListDraft<StoreSection, StoreRow>

  /// What the table looks like.
  struct Shape {
    /// The lines of the screen.
    var height = 40
    /// Whether there are a thousand sections, each with a header and a footer, and not one without.
    var hasHeaders = false
    /// Whether rows have one, two or three lines, and not one.
    var hasHeights = false
    /// Whether no change is near the screen, and not half of them.
    var isOffScreen = false
  }

  private let shape: Shape
  private let table: Table
  private var draft: Draft
  private var nextID: Int
  private var random = SplitMix64(seed: 7)

  /// The cells of the bench: they keep what they are given.
  private final class StoreCell: Cell, RowCell {
    private var row: StoreRow?
    func configure(with row: StoreRow) { self.row = row }
  }

  private final class TallCell: Cell, RowCell {
    private var row: StoreRow?
    static func height(of row: StoreRow) -> Int { 1 + row.id % 3 }
    func configure(with row: StoreRow) { self.row = row }
  }

  private final class HeaderCell: Cell, RowCell {
    private var section: StoreSection?
    func configure(with row: StoreSection) { section = row }
  }

  init(_ shape: Shape) {
    let rows = 1_000_000
    self.shape = shape
    var registry = CellRegistry<StoreRow>()
    if shape.hasHeights { registry.register(TallCell.self) } else { registry.register(StoreCell.self) }
    if shape.hasHeaders {
      var headers = CellRegistry<StoreSection>()
      headers.register(HeaderCell.self)
      table = Table(cells: registry, headers: headers, footers: headers, height: shape.height)
    } else {
      table = Table(cells: registry, height: shape.height)
    }
    draft = Draft(StoreWorkload.snapshot(of: Array(0..<rows), sections: shape.hasHeaders ? 1_000 : 1))
    nextID = rows
    let middle = RowPath(section: shape.hasHeaders ? 500 : 0, row: shape.hasHeaders ? 0 : rows / 2)
    mustSucceed { try table.apply(ListUpdate(initial: draft.snapshot, revision: 0)) }
    mustSucceed { try table.scroll(to: middle, at: .middle) }
  }

  /// Updates of some rows each: a third changed, a third deleted, a third inserted, half of them on the screen.
  consuming func reportOnUpdates(of count: Int, runs: Int) -> EventReport {
    var samples: [Double] = []
    var differences: [Double] = []
    var releases: [Double] = []
    let before = counters
    for run in 1...runs {
      for step in 0..<count { edit(step + run) }
      draft.commit()
      let after = draft.snapshot
      var changes = ListChanges()
      differences.append(Stopwatch.nanoseconds { changes = table.snapshot.changes(to: after) })
      let update = ListUpdate(revision: run, previous: run - 1, changes: changes, snapshot: after)
      var former: Optional = table.snapshot
      samples.append(Stopwatch.nanoseconds { mustSucceed { try table.apply(update) } })
      releases.append(Stopwatch.nanoseconds { former = nil })
      keepAlive(former)
    }
    return report(
      samples, runs: runs, since: before,
      [
        ("diff_ns", .nanoseconds(Samples(differences).median)),
        ("release_ns", .nanoseconds(Samples(releases).median)),
      ])
  }

  /// A line after the other, and a page now and then.
  consuming func reportOnScrolling(runs: Int) -> EventReport {
    var pages: [Double] = []
    var samples: [Double] = []
    let before = counters
    for run in 1...runs {
      samples.append(Stopwatch.nanoseconds { mustSucceed { try table.scroll(byLines: 1) } })
      if run % 20 == 0 {
        pages.append(Stopwatch.nanoseconds { mustSucceed { try table.scroll(byPages: run % 40 == 0 ? 1 : -1) } })
      }
    }
    return report(samples, runs: runs, since: before, [("page_ns", .nanoseconds(Samples(pages).median))])
  }

  // MARK: - Edits and counters

  private mutating func edit(_ step: Int) {
    // The rows on the screen follow each other from the first on, but where a section ends between them.
    let first = table.visibleElements.lazy.compactMap(\.element.rowPath).first ?? RowPath(section: 0, row: 0)
    let count = draft.snapshot.rowCount(inSection: first.section)
    var path = first
    if !shape.isOffScreen, step % 2 == 0 {
      path.row = min(first.row + Int(random.next() % UInt64(shape.height)), count - 1)
    } else {
      path.row = Int(random.next() % UInt64(count))
      if shape.isOffScreen, abs(path.row - first.row) < 2 * shape.height { path.row = count - 1 }
    }
    switch step % 3 {
    case 0:
      var row = draft.snapshot.row(at: path)
      row.number += 1
      draft.replaceRow(at: path, with: row)
    case 1: _ = draft.removeRow(at: path)
    default:
      nextID += 1
      draft.insertRow(StoreRow(nextID), at: path)
    }
  }

  private var counters: (configured: Int, pool: PoolStatistics) { (table.configurationCount, table.totals) }

  private func report(
    _ samples: [Double], runs: Int, since before: (configured: Int, pool: PoolStatistics),
    _ more: [(name: String, figure: EventReport.Figure)]
  ) -> EventReport {
    let (configured, pool) = counters
    return EventReport(
      [
        ("rows", .count(table.snapshot.rowCount)), ("lines", .count(shape.height)), ("runs", .count(runs)),
        ("per_event_ns", .nanoseconds(Samples(samples).median)),
        ("p99_ns", .nanoseconds(Samples(samples).percentile(0.99))),
      ] + more + [
        ("cells_created", .count(pool.created - before.pool.created)),
        ("cells_reused", .count(pool.hits - before.pool.hits)),
        ("cells_configured", .count(configured - before.configured)),
      ])
  }

  /// A table that refuses what it is given would be measured as a fast one.
  private func mustSucceed(_ body: () throws -> ApplyReport) {
    do { keepAlive(try body()) } catch { preconditionFailure("The bench's table refused: \(error)") }
  }
}

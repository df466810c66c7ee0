import Rowcast
import RowcastConsole

/// What a table of a million rows takes for an update and for a line of scrolling.
enum TableBenchmarks {
  static let all: [EventBenchmark] = [
    EventBenchmark(name: "table/apply-1-1m") { TableWorkload(rows: 1_000_000).reportOnUpdates(of: 1, runs: 400) },
    EventBenchmark(name: "table/apply-1000-1m") { TableWorkload(rows: 1_000_000).reportOnUpdates(of: 1_000, runs: 40) },
    EventBenchmark(name: "table/scroll-1m") { TableWorkload(rows: 1_000_000).reportOnScrolling(runs: 20_000) },
  ]
}

/// A table in the middle of a long list, and the list that it shows.
struct TableWorkload {
  typealias Table = RetainedTable<StoreSection, StoreRow>
  typealias Draft = ListDraft<StoreSection, StoreRow>

  private let table: Table
  private var draft: Draft
  private var nextID: Int
  private var random = BenchRandom(seed: 7)
  private let height = 40

  /// The cells of the bench: they keep what they are given.
  private final class StoreCell: Cell, RowCell {
    private var row: StoreRow?
    func configure(with row: StoreRow) { self.row = row }
  }

  init(rows: Int) {
    var registry = CellRegistry<StoreRow>()
    registry.register(StoreCell.self)
    table = Table(cells: registry, height: height)
    draft = Draft(StoreWorkload.snapshot(of: Array(0..<rows), sections: 1))
    nextID = rows
    mustSucceed { try table.apply(ListUpdate(initial: draft.snapshot, revision: 0)) }
    mustSucceed { try table.scroll(toLine: rows / 2) }
  }

  /// Updates of some rows each: a third changed, a third deleted, a third inserted, half of them near the screen.
  ///
  /// The difference is made before the time is taken: the table is given updates as a stream gives them.
  consuming func reportOnUpdates(of count: Int, runs: Int) -> EventReport {
    var samples: [Double] = []
    var differences: [Double] = []
    let before = counters
    for run in 1...runs {
      for step in 0..<count { edit(step + run) }
      draft.commit()
      let after = draft.snapshot
      var changes = ListChanges()
      differences.append(StoreWorkload.nanoseconds { changes = table.snapshot.changes(to: after) })
      let update = ListUpdate(revision: run, previous: run - 1, changes: changes, snapshot: after)
      samples.append(StoreWorkload.nanoseconds { mustSucceed { try table.apply(update) } })
    }
    return report(samples, runs: runs, since: before, [("diff_ns", .nanoseconds(Samples(differences).median))])
  }

  /// A line after the other, and a page now and then.
  consuming func reportOnScrolling(runs: Int) -> EventReport {
    var pages: [Double] = []
    var samples: [Double] = []
    let before = counters
    for run in 1...runs {
      samples.append(StoreWorkload.nanoseconds { mustSucceed { try table.scroll(byLines: 1) } })
      if run % 20 == 0 {
        pages.append(StoreWorkload.nanoseconds { mustSucceed { try table.scroll(byPages: run % 40 == 0 ? 1 : -1) } })
      }
    }
    return report(samples, runs: runs, since: before, [("page_ns", .nanoseconds(Samples(pages).median))])
  }

  // MARK: - Edits and counters

  private mutating func edit(_ step: Int) {
    let count = draft.snapshot.rowCount
    let isNear = step % 2 == 0
    let row = isNear ? count / 2 + Int(random.next() % 40) : Int(random.next() % UInt64(count))
    let path = RowPath(section: 0, row: row)
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
        ("rows", .count(table.snapshot.rowCount)), ("runs", .count(runs)),
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

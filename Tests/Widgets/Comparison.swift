import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import RowcastUI

/// A header of a retained table.
final class Header: Cell, RowCell {
  func configure(with row: TestSection) {}
}

/// A retained table, and the number of its cells that went to the pool.
@MainActor
final class CountedTable {
  private let recorder = TableRecorder<TestRow>()
  private let table: RetainedTable<TestSection, TestRow>
  private var recycled = 0

  init(height: Int, poolCap: Int) {
    var headers = CellRegistry<TestSection>()
    headers.register(Header.self)
    table = RetainedTable(cells: recorder, headers: headers, height: height, poolCap: poolCap)
  }

  func apply(_ update: ListUpdate<TestSection, TestRow>) throws { count(try table.apply(update)) }

  func scroll(toLine line: Int) throws { count(try table.scroll(toLine: line)) }

  private func count(_ report: ApplyReport) {
    recycled += report.cells.count { $0.event == .recycled }
    _ = recorder.take()
  }

  /// The cells created, discarded, pooled and reused, and the configurations.
  var figures: [Int] {
    let pools = Array(table.statistics.values) + table.sectionStatistics.values
    func sum(_ figure: KeyPath<PoolStatistics, Int>) -> Int { pools.reduce(0) { $0 + $1[keyPath: figure] } }
    return [sum(\.created), sum(\.discarded), recycled, sum(\.hits), table.configurationCount]
  }
}

/// Shows one run of updates and scrolls in a list of Qt Quick and in retained tables, all of twelve rows. Every other step is an
/// update; then all are brought to the same first row.
@MainActor
func compare(rounds: Int, seed: UInt64, rows: Int) throws {
  let host = QtHost()
  let view = FlatQtView(host, fault: nil)
  let driver = BatchDriver<TestSection, TestRow>(flat: view, hasHeaders: true)
  view.data = { driver.snapshot }
  let tables = [5, 12].map { CountedTable(height: 12, poolCap: $0) }
  var list = RandomList(sections: 7, rows: rows, seed: seed)
  var random = SeededGenerator(seed: seed)
  var last = TestSnapshot()
  var (line, revision) = (0, 0)
  for round in 0..<rounds {
    if round.isMultiple(of: 2) {
      list.edit()
      let next = try list.snapshot()
      driver.apply(next)
      let update = ListUpdate(
        revision: revision + 1, previous: revision > 0 ? revision : nil, changes: last.changes(to: next),
        snapshot: next, epoch: "run")
      for table in tables { try table.apply(update) }
      (last, revision) = (next, revision + 1)
      guard host.call("check", round) else { return }
    } else {
      line += Int.random(in: -6...12, using: &random)
    }
    let count = FlatLayout(last, hasHeaders: true).count
    line = line > count - 12 ? 0 : max(0, line)
    for table in tables { try table.scroll(toLine: line) }
    if count > 0 { host.call("scroll", line) }
  }
  host.done(tables.flatMap(\.figures))
}

import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import RowcastUI

/// A header of a retained table.
final class Header: Cell, RowCell {
  func configure(with row: TestSection) {}
}

/// Shows one run of updates and scrolls in a list of Qt Quick and in a retained table, both twelve rows high. Each step is a
/// scroll, or an update behind which both are brought to the same first row.
@MainActor
func compare(rounds: Int, seed: UInt64, rows: Int) throws {
  let host = QtHost()
  let view = FlatQtView(host, fault: nil)
  let driver = BatchDriver<TestSection, TestRow>(flat: view, hasHeaders: true)
  view.data = { driver.snapshot }
  let recorder = TableRecorder<TestRow>()
  var headers = CellRegistry<TestSection>()
  headers.register(Header.self)
  let table = RetainedTable<TestSection, TestRow>(cells: recorder, headers: headers, height: 12)
  var list = RandomList(sections: 7, rows: rows, seed: seed)
  var random = SeededGenerator(seed: seed)
  var last = TestSnapshot()
  var (line, recycled) = (0, 0)
  for round in 0..<rounds {
    if round % 2 == 0 {
      list.edit()
      let next = try list.snapshot()
      driver.apply(next)
      let report = try table.apply(
        ListUpdate(
          revision: round + 1, previous: round > 0 ? round - 1 : nil, changes: last.changes(to: next), snapshot: next,
          epoch: "run"))
      last = next
      recycled += report.cells.count { $0.event == .recycled }
      guard host.call("check", round) else { return }
    } else {
      line += Int.random(in: -6...12, using: &random)
    }
    let count = FlatLayout(last, hasHeaders: true).count
    if line > count - 12 { line = 0 }
    line = max(0, line)
    recycled += try table.scroll(toLine: line).cells.count { $0.event == .recycled }
    if count > 0 { host.call("scroll", line) }
    _ = recorder.take()
  }
  let all = (Array(table.statistics.values) + table.sectionStatistics.values).reduce(PoolStatistics(), +)
  host.call("done", all.created, all.discarded, recycled, all.hits, table.configurationCount, recorder.violations.count)
}

import Testing

@testable import RowcastConsole

@Suite(.watched) struct OperationLogTests {
  private func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

  @Test func `operations are told in the notation of UIKit, each kind on its line`() {
    var log = OperationLog()
    log.add(
      ListChanges(
        sections: .init(
          deletes: [1], inserts: [0, 2], moves: [.init(from: 3, to: 4)], updates: [.init(from: 5, to: 6)]),
        rows: .init(
          deletes: [path(0, 4)], inserts: [path(1, 0), path(1, 4), path(1, 5), path(1, 6), path(2, 7)],
          moves: [.init(from: path(0, 3), to: path(1, 1))],
          updates: [.init(from: path(0, 2), to: path(0, 0)), .init(from: path(0, 1), to: path(0, 5))])),
      revision: 7)
    #expect(
      log.entries.map { "#\($0.revision) \($0.mark.sign) \($0.text)" } == [
        "#7 - deleteSections 1", "#7 - deleteRows [0, 4]", "#7 + insertSections 0, 2",
        "#7 + insertRows [1, 0] [1, 4...6] [2, 7]", "#7 > moveSection 3 → 4", "#7 > moveRow [0, 3] → [1, 1]",
        "#7 ~ reloadSections 5", "#7 ~ reloadRows [0, 1...2]",
      ])
  }

  @Test func `a large update is cut short and counted, and the log keeps the latest and stays small`() {
    var log = OperationLog(limit: 10)
    log.add(ListChanges(rows: .init(deletes: (0..<50).map { path(0, $0 * 2) })), revision: 1)
    #expect(log.entries.count == 1 && log.entries[0].text.hasSuffix("[0, 20] [0, 22] … 38 more"))
    for revision in 1...1_000 { log.add(ListChanges(rows: .init(deletes: [path(0, 0)])), revision: revision) }
    #expect(log.entries.count <= 10 && log.entries.last?.revision == 1_000)
  }
}

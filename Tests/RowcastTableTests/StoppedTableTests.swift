import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastTable

/// A table that has refused an update says what refused it, until a whole list helps.
@Suite(.watched) struct StoppedTableTests {
  private let unknown = TableError.unregistered(identifier: "other")
  private let video = TestRow(1, "video¿")

  @Test func `each further refusal names the first, and a new stream helps while the bad row is in view`() async throws
  {
    let table = TestTable.make(height: 5)
    let store = TestStore(try .of(("a", [0])), epoch: "e")
    var updates = store.updates().makeAsyncIterator()
    try table.apply(#require(await updates.next()))
    try await store.edit { try $0.append(video, to: "a") }
    let bad = try #require(await updates.next())
    #expect(throws: unknown) { try table.apply(bad) }
    #expect(throws: unknown) { try table.apply(bad) }
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    let stopped = TableError.stopped(at: bad.position, by: unknown)
    for id in 3..<5 {
      let update = try #require(await updates.next())
      #expect(throws: stopped) { try table.apply(update) }
      try await store.edit { try $0.append(TestRow(id), to: "a") }
    }
    #expect("\(stopped)".contains("stopped at revision \(bad.revision) of e, which caused"), "\(stopped)")
    #expect("\(stopped)".contains("\(unknown)") && "\(stopped)".contains("give it a new stream"), "\(stopped)")
    #expect(table.ids == [0])

    var anew = store.updates().makeAsyncIterator()
    let report = try table.apply(#require(await anew.next()))
    #expect(report.diagnostics.map(\.error) == [unknown] && report.diagnostics.map(\.reuseIdentifier) == ["other"])
    #expect("\(report.diagnostics)".contains("\(unknown)"))
    #expect(table.ids == [0, 1, 2, 3, 4] && table.visibleRows[1].cell is EmptyCell)
    // The stream goes on: the row changes, becomes one that can be shown, and is bad again.
    for (text, isEmpty) in [("clip¿", true), ("text", false), ("video¿", true)] {
      try await store.edit { try $0.update(1) { $0.text = text } }
      try table.apply(#require(await anew.next()))
      #expect((table.visibleRows[1].cell is EmptyCell) == isEmpty)
    }
    try table.reloadAll()
    try table.resize(toHeight: 2)
    try table.scroll(toLine: 3)
    try table.scroll(toLine: 0)
    #expect(table.visibleRows[1].cell is EmptyCell)
    // Other providers have cells for all rows, or are refused.
    #expect(throws: TableError.self) { try table.replaceCells(with: CellRegistry<TestRow>()) }
    #expect(table.visibleRows[1].cell is EmptyCell)
  }

  @Test
  func `a table with rows that it cannot show takes what it can, names its first refusal, and is mended by a list`()
    throws
  {
    var random = SeededGenerator.forFuzzing("stopped tables")
    var counts: [String: Int] = [:]
    for round in 0..<SeededGenerator.rounds(150, long: 30_000) {
      var streams = InterleavedStreams(round.isMultiple(of: 2) ? .epochs : .revisions, contents: 3)
      let table = TestTable.make(height: 40)
      var shown: TestUpdate?
      var (refusal, showsAll): ((position: ListPosition, error: TableError)?, Bool) = (nil, false)
      for step in 0..<60 {
        let note = Comment(rawValue: "seed \(random.seed), round \(round), step \(step)")
        let update = try streams.next(using: &random)
        let isWhole = update.previous == nil
        let follows = update.mayFollow(epoch: shown?.epoch, revision: shown?.revision)
        let isBad = update.snapshot.allRows.contains { $0.reuseIdentifier == "other" }
        var expected: TableError?
        if !follows {
          let isOther = shown.map { $0.epoch != update.epoch } ?? false
          expected =
            isOther
            ? .otherEpoch(table: shown?.epoch ?? "", update: update.epoch)
            : .wrongRevision(table: shown?.revision, updateStartsAt: update.previous ?? 0)
        } else if isBad, !showsAll, !isWhole || refusal == nil {
          expected = unknown
        }
        if let error = expected, !isWhole, let refusal, refusal != (update.position, error) {
          expected = .stopped(at: refusal.position, by: refusal.error)
        } else if let error = expected, refusal == nil {
          let isLate = shown.map { $0.epoch != update.epoch || update.previous ?? .max < $0.revision } ?? false
          if isWhole || !isLate { refusal = (update.position, error) }
        }
        var error: TableError?
        do throws(TableError) { try table.apply(update) } catch let refused { error = refused }
        try #require(error == expected, note)
        counts["\(expected ?? .changeInProgress)".prefix(18).description, default: 0] += 1
        guard error == nil else { continue }
        if isWhole, isBad, refusal != nil { showsAll = true }
        if isWhole || refusal?.position.epoch == update.epoch { refusal = nil }
        shown = update
        try #require(table.snapshot == update.snapshot, note)
        for (shown, row) in zip(table.visibleRows, update.snapshot.allRows) {
          let isEmpty = row.reuseIdentifier == "other"
          try #require(isEmpty ? shown.cell is EmptyCell : (shown.cell as? TestCell)?.row == row, note)
        }
      }
    }
    #expect(counts.count == 5, "\(counts)")
  }

  // MARK: - What is known at creation

  enum TwinKind: CellStrategy {
    case first, second

    var drawer: CellDrawer<TestRow> {
      self == .first ? CellDrawer(FirstTwin.self) { $0 } : CellDrawer(SecondTwin.self) { $0 }
    }
  }

  struct TwinFactory: CellFactory {
    var cellTypes: [any RowCell.Type] { [FirstTwin.self, SecondTwin.self] }
    func generateCell(for row: TestRow) -> CellRequest? { CellRequest(FirstTwin.self, showing: row) }
  }

  final class FirstTwin: Cell, RowCell {
    static var reuseIdentifier: String { "twin" }
    func configure(with row: TestRow) {}
  }

  final class SecondTwin: Cell, RowCell {
    static var reuseIdentifier: String { "twin" }
    func configure(with row: TestRow) {}
  }

  @Test func `a strategy whose kinds share a reuse identifier and no class traps when it is made`() async {
    await #expect(processExitsWith: .failure) { _ = StrategyCells<TwinKind> { _ in .first } }
  }

  @Test func `a factory whose cells share a reuse identifier and no class traps when a table takes it`() async {
    await #expect(processExitsWith: .failure) { _ = TestTable(cells: TwinFactory(), height: 0) }
  }

  @Test func `a registry finds two classes with one reuse identifier before a row is shown`() throws {
    var registry = CellRegistry<TestRow>()
    registry.register(FirstTwin.self, forRowsOf: "a")
    registry.register(FirstTwin.self, forRowsOf: "b")
    try registry.check()
    registry.register(SecondTwin.self, forRowsOf: "b")
    let ambiguity = TableError.ambiguousIdentifier(
      "twin", cells: String(reflecting: FirstTwin.self), and: String(reflecting: SecondTwin.self))
    #expect(throws: ambiguity) { try registry.check() }
    // The class that was registered before is of no importance.
    registry.register(SecondTwin.self, forRowsOf: "a")
    try registry.check()
  }
}

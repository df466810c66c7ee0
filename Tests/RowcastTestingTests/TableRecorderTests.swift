import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable
import RowcastTesting
import RowcastTestSupport
import Testing

@Suite(.watched) struct TableRecorderTests {
  typealias Call = TableRecorder<TestRow>.Call

  @Test func `a scroll by one row is told cell by cell`() async throws {
    let store = ListStore(try TestSnapshot.of(("a", Array(0..<10))))
    var updates = store.updates().makeAsyncIterator()
    let recorder = TableRecorder<TestRow>()
    let table = RetainedTable<TestSection, TestRow>(cells: recorder, height: 2)
    try table.apply(try #require(await updates.next()))
    #expect(
      Set(recorder.take()) == [
        .initialize(cell: 0), .configure(cell: 0, row: 0), .willDisplay(cell: 0), .initialize(cell: 1),
        .configure(cell: 1, row: 1), .willDisplay(cell: 1),
      ])
    try table.scroll(toLine: 5)
    let calls = recorder.take()
    for cell in 0..<2 {
      #expect(calls.contains(.didEndDisplaying(cell: cell)))
    }
    #expect(Set(calls.compactMap { if case .configure(_, let row) = $0 { row } else { nil } }) == [5, 6])
    #expect(recorder.violations.isEmpty)
  }

  @Test func `a recorder that takes the place of another one gets its cells`() throws {
    let (former, recorder) = (TableRecorder<TestRow>(), TableRecorder<TestRow>())
    let table = RetainedTable<TestSection, TestRow>(cells: former, height: 2)
    try table.apply(TestUpdate(initial: .of(("a", Array(0..<10))), revision: 0))
    _ = former.take()
    try table.replaceCells(with: recorder)
    let shown = (0..<2).flatMap { [Call.configure(cell: $0, row: $0), .willDisplay(cell: $0)] }
    #expect(Set(recorder.take()) == Set(shown))
    let gone = (0..<2).flatMap { [Call.didEndDisplaying(cell: $0), .prepareForReuse(cell: $0)] }
    #expect(Set(former.take()) == Set(gone))
    try table.scroll(byLines: 1)
    #expect(recorder.take().contains(.configure(cell: 0, row: 2)))
    #expect(former.take().isEmpty && (former.violations + recorder.violations).isEmpty)
  }

  @Test func `calls that no table may make are noted`() throws {
    let recorder = TableRecorder<TestRow>()
    let cell = TableRecorder<TestRow>.RecordedCell(reuseIdentifier: "a")
    recorder.adopt(cell)
    cell.willDisplay()
    cell.willDisplay()
    cell.prepareForReuse()
    cell.didEndDisplaying()
    cell.didEndDisplaying()
    // Twice not configured, shown twice, reused on the screen, hidden twice.
    #expect(recorder.violations.count == 5)
    let used = TableRecorder<TestRow>()
    used.adopt(cell)
    cell.configure(with: TestRow(1))
    cell.willDisplay()
    cell.didEndDisplaying()
    cell.prepareForReuse()
    cell.willDisplay()
    #expect(used.violations == ["willDisplay before configure for cell 0"])
  }
}

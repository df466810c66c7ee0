import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// What an event costs a window, counted.
@Suite(.watched) struct WindowWorkTests {
  @Test func `a window in the midst of many sections counts no others`() {
    var random = SeededGenerator.forFuzzing("windows")
    let rows = (0..<30_000).map { TestRow($0) }
    var draft = ListDraft(
      TestSnapshot(
        unchecked: (0..<1_000).map { ListSection(TestSection("s\($0)"), rows: Array(rows[$0 * 30..<($0 + 1) * 30])) }))
    let window = WindowProbe(.rows(15_000..<15_050), of: draft.snapshot)
    for event in 0..<100 {
      let before = draft.snapshot
      let section = Int.random(in: 0..<1_000, using: &random)
      if event % 2 == 0 {
        draft.insertRow(TestRow(30_000 + event), at: RowPath(section: section, row: 0))
      } else {
        draft.removeRow(at: RowPath(section: section, row: 0))
      }
      // The cursor goes from one section to the next; the sections that it passes are those that it counts.
      let (former, changes) = (window.firstSection, before.changes(to: draft.snapshot))
      #expect(window.firstSection(after: changes) == former)
      window.step(changes, to: draft.snapshot)
      #expect(abs(window.firstSection - former) <= 1)
    }
    #expect(window.snapshot.rowCount == 50)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a change behind a window compares no rows of it, and any other is shown`() {
    var random = SeededGenerator.forFuzzing("changes around windows")
    let comparisons = CallCount()
    func rows(_ ids: Range<Int>) -> [CountedRow] { ids.map { CountedRow(id: $0, key: 0, comparisons: comparisons) } }
    var draft = ListDraft(
      ListSnapshot(
        unchecked: (0..<4).map { ListSection(TestSection("s\($0)"), rows: rows($0 * 20..<($0 + 1) * 20)) }))
    let windows: [RowWindow<Int>] = [.rows(15..<35), .first(20), .last(50), .around(25, count: 10), .rows(100..<110)]
    let probes = windows.map { WindowProbe($0, of: draft.snapshot) }
    var skipped = 0
    for event in 0..<SeededGenerator.rounds(400, long: 2_000) {
      let before = draft.snapshot
      let section = Int.random(in: 0..<4, using: &random)
      let path = RowPath(section: section, row: Int.random(in: 0...before.rowCount(inSection: section), using: &random))
      if path.row == before.rowCount(inSection: section) || event % 3 == 0 {
        draft.insertRow(rows(100 + event..<101 + event)[0], at: path)
      } else if event % 3 == 1 {
        draft.removeRow(at: path)
      } else {
        draft.replaceRow(
          at: path, with: CountedRow(id: before.row(at: path).id, key: event, comparisons: comparisons))
      }
      let changes = before.changes(to: draft.snapshot)
      for index in probes.indices {
        let compared = comparisons.value
        probes[index].step(changes, to: draft.snapshot)
        let isBehind = probes[index].positions.upperBound <= position(of: path, in: before) && index < 2
        if isBehind { skipped += 1 }
        #expect(!isBehind || comparisons.value == compared, "seed \(random.seed), event \(event): \(windows[index])")
        let all = draft.snapshot.allRows.map(\.id)
        let positions = windows[index].positions(count: all.count) { all.firstIndex(of: $0) }
        let output = probes[index].snapshot
        #expect(
          output.allRows.map(\.id) == Array(all[positions])
            && output.allRows.map(\.key) == draft.snapshot.allRows.map(\.key)[positions].map { $0 },
          "seed \(random.seed), event \(event): \(windows[index])")
      }
    }
    #expect(skipped > 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an event costs the window of its section, and nothing behind that`() async throws {
    let comparisons = CallCount()
    func rows(_ ids: Range<Int>) -> [CountedRow] { ids.map { CountedRow(id: $0, key: 0, comparisons: comparisons) } }
    let store = ListStore(
      ListSnapshot(
        unchecked: (0..<100).map {
          ListSection(TestSection("s\($0)"), rows: rows($0 * 1_000..<($0 + 1) * 1_000))
        }))
    let list = store.arranged { $0.window(inEachSection: .first(3)) }
    _ = await list.snapshot
    func work(_ path: RowPath, _ key: Int) async throws -> Int {
      let row = CountedRow(id: path.section * 1_000 + path.row, key: key, comparisons: comparisons)
      try await store.edit { try $0.upsert(row) }
      let before = comparisons.value
      #expect(await list.snapshot.rowCount == 300)
      return comparisons.value - before
    }
    // The index of the rows that are shown is made at the first event.
    _ = try await work(RowPath(section: 7, row: 0), 1)
    // A leaf of the source on both sides of the change.
    let behind = try await work(RowPath(section: 50, row: 500), 2)
    let inside = try await work(RowPath(section: 50, row: 1), 3)
    #expect(behind <= 2 * 32 && inside <= 2 * 32 + 3 * 3, "\(behind), \(inside)")
  }

  /// The position of a path, counted over all sections.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func position(of path: RowPath, in list: ListSnapshot<TestSection, CountedRow>) -> Int {
    (0..<path.section).reduce(path.row) { $0 + list.rowCount(inSection: $1) }
  }
}

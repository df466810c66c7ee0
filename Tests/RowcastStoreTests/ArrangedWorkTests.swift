import RowcastDiff
import RowcastModel
import TestSupport
import Testing

@testable import RowcastStore

/// What an event costs an arranged list, counted.
@Suite struct ArrangedWorkTests {
  /// A row that counts how often it is compared.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Row: RowViewModel {
    let id: Int
    var key: Int
    let comparisons: CallCount

    static func == (lhs: Row, rhs: Row) -> Bool {
      lhs.comparisons.note(lhs.id == rhs.id && lhs.key == rhs.key)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  typealias Plan = Arrangement<TestSection, Row, TestSection, Row>

  /// The greatest number of calls, of any of some counts, that one of many random events takes.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func most(
    of count: Int, sections: Int = 1, _ declare: (Plan) -> Plan, calls: CallCount, comparisons: CallCount = CallCount()
  ) async throws -> Int {
    var random = SeededGenerator.forFuzzing("work of arranged lists")
    let size = count / sections
    let store = ListStore(
      ListSnapshot(
        unchecked: (0..<sections).map { section in
          ListSection(
            TestSection("s\(section)"),
            rows: (section * size..<(section + 1) * size).map {
              Row(id: $0, key: Int.random(in: 0..<count, using: &random), comparisons: comparisons)
            })
        }))
    let view = store.arranged(by: declare(Plan()))
    _ = await view.snapshot
    var most = 0
    for event in 0..<30 {
      let id = Int.random(in: 0..<count, using: &random)
      let key = Int.random(in: 0..<count, using: &random)
      let path = RowPath(section: 0, row: Int.random(in: 0..<size - 30, using: &random))
      try await store.edit { list in
        switch event % 3 {
        case 0: try list.update(id) { $0.key = key }
        case 1: try list.move(id, to: path)
        default: try list.insert(Row(id: count + event, key: key, comparisons: comparisons), at: path)
        }
      }
      let before = calls.value
      _ = await view.snapshot
      most = max(most, calls.value - before)
    }
    return most
  }

  static let sizes = [1_000, 8_000, 32_000]

  static func logarithm(_ count: Int) -> Int { Int.bitWidth - count.leadingZeroBitCount }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `a filter looks once at a row that changed`(_ count: Int) async throws {
    let calls = CallCount()
    let most = try await Self.most(of: count, { $0.filter { calls.note($0.key % 3 > 0) } }, calls: calls)
    #expect(most == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `sorting computes keys for one descent of the tree`(_ count: Int) async throws {
    let calls = CallCount()
    let most = try await Self.most(of: count, { $0.sorted(by: .ascending { calls.note($0.key) }) }, calls: calls)
    // Two keys for each comparison; one with the old version of the row, one with the last row.
    #expect(most > Self.logarithm(count) && most <= 2 * (2 * Self.logarithm(count) + 2), "\(most)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `sections are found in one descent, too`(_ count: Int) async throws {
    let calls = CallCount()
    let most = try await Self.most(
      of: count, { $0.sectioned(by: { calls.note($0.key % 500) }, section: { TestSection("\($0)") }) }, calls: calls)
    #expect(most <= 2 * (2 * Self.logarithm(500) + 2), "\(most)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `distinct asks for the key of a row that changed, and of no other`(_ count: Int) async throws {
    let calls = CallCount()
    let most = try await Self.most(of: count, { $0.distinct { calls.note($0.key % 500) } }, calls: calls)
    #expect(most <= 2, "\(most)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: sizes)
  func `a window compares the rows in it, however many there are`(_ count: Int) async throws {
    let comparisons = CallCount()
    let most = try await Self.most(
      of: count, { $0.window(.rows(count / 2..<count / 2 + 20)) }, calls: comparisons, comparisons: comparisons)
    // A leaf of the source on both sides of the change, and the window.
    #expect(most > 0 && most <= 3 * 32 + 3 * 20, "\(most)")
  }

  @Test func `a window in the midst of many sections counts no others`() {
    var random = SeededGenerator.forFuzzing("windows")
    let rows = (0..<30_000).map { TestRow($0) }
    var draft = ListDraft(
      TestSnapshot(
        unchecked: (0..<1_000).map { ListSection(TestSection("s\($0)"), rows: Array(rows[$0 * 30..<($0 + 1) * 30])) }))
    var window = WindowOperator<TestSection, TestRow>(.rows(15_000..<15_050), index: SourceIndex(shared: nil))
    window.rebuild(from: draft.snapshot)
    let counted = window.counter.counted
    for event in 0..<100 {
      let before = draft.snapshot
      let section = Int.random(in: 0..<1_000, using: &random)
      if event % 2 == 0 {
        draft.insertRow(TestRow(30_000 + event), at: RowPath(section: section, row: 0))
      } else {
        draft.removeRow(at: RowPath(section: section, row: 0))
      }
      window.take(before.changes(to: draft.snapshot), from: before, to: draft.snapshot)
    }
    #expect(window.output.snapshot.rowCount == 50)
    #expect(window.counter.counted - counted <= 100, "\(window.counter.counted - counted)")
  }
}

import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// How often a difference, and `==` of lists, ask rows for `==`.
@Suite(.watched) struct ComparisonCountTests {
  /// A row that counts how often it is compared.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Row: RowViewModel {
    let id: Int
    var text = ""
    let comparisons: CallCount

    static func == (lhs: Row, rhs: Row) -> Bool {
      lhs.comparisons.note(lhs.id == rhs.id && lhs.text == rhs.text)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  typealias Snapshot = ListSnapshot<TestSection, Row>

  /// A draft whose rows share a count.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Subject {
    let comparisons = CallCount()
    var draft: ListDraft<TestSection, Row>
    var nextID: Int

    init(rows: Int) {
      let rows = (0..<rows).map { [comparisons] in Row(id: $0, comparisons: comparisons) }
      draft = ListDraft(ListSnapshot(unchecked: [ListSection(TestSection("a"), rows: rows)]))
      nextID = rows.count
    }

    mutating func apply(_ event: Event, _ random: inout SeededGenerator) {
      let path = RowPath(section: 0, row: Int.random(in: 0..<draft.snapshot.rowCount, using: &random))
      switch event {
      case .update:
        var row = draft.snapshot.row(at: path)
        row.text += "x"
        draft.replaceRow(at: path, with: row)
      case .insert:
        draft.insertRow(Row(id: nextID, comparisons: comparisons), at: path)
        nextID += 1
      case .remove: draft.removeRow(at: path)
      case .move:
        let to = RowPath(section: 0, row: Int.random(in: 0..<draft.snapshot.rowCount, using: &random))
        draft.moveRow(from: path, to: to)
      }
      draft.commit()
    }

    /// The difference between two lists, and how often rows were asked for `==`.
    func difference(_ before: Snapshot, _ after: Snapshot) -> (changes: ListChanges, comparisons: Int) {
      let calls = comparisons.value
      let changes = before.changes(to: after)
      return (changes, comparisons.value - calls)
    }

    /// Whether two lists are equal, and how often rows were asked for `==`.
    func equality(_ lhs: Snapshot, _ rhs: Snapshot) -> (isEqual: Bool, comparisons: Int) {
      let calls = comparisons.value
      let isEqual = lhs == rhs
      return (isEqual, comparisons.value - calls)
    }
  }

  enum Event: CaseIterable {
    case update, insert, remove, move
  }

  /// Two leaves' worth, with a little left over.
  static let fewRows = 70

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: Event.allCases, [1_000, 100_000])
  func `the difference of one event compares few rows, however long the list is`(_ event: Event, _ count: Int) {
    var random = SeededGenerator.forFuzzing("comparisons")
    var subject = Subject(rows: count)
    var (most, mostForEquality) = (0, 0)
    for step in 0..<300 {
      let before = subject.draft.snapshot
      subject.apply(event, &random)
      let after = subject.draft.snapshot
      let (changes, comparisons) = subject.difference(before, after)
      let (isEqual, equalityComparisons) = subject.equality(before, after)
      #expect(changes.count <= 1 && isEqual == changes.isEmpty, "seed \(random.seed) step \(step)")
      most = max(most, comparisons)
      mostForEquality = max(mostForEquality, equalityComparisons)
    }
    #expect(most > 0 && most <= Self.fewRows, "seed \(random.seed): \(most)")
    #expect(mostForEquality <= Self.fewRows, "seed \(random.seed): \(mostForEquality)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1_000, 100_000])
  func `a row toggled a thousand times and back is an empty difference that compares one leaf`(_ count: Int) {
    var subject = Subject(rows: count)
    let before = subject.draft.snapshot
    let path = RowPath(section: 0, row: count / 3)
    for step in 0..<1_000 {
      subject.draft.replaceRow(
        at: path, with: Row(id: count / 3, text: step % 2 == 0 ? "on" : "", comparisons: subject.comparisons))
      subject.draft.commit()
    }
    let (changes, comparisons) = subject.difference(before, subject.draft.snapshot)
    #expect(changes.isEmpty && comparisons > 0 && comparisons <= 32, "\(comparisons)")
    let (isEqual, equalityComparisons) = subject.equality(before, subject.draft.snapshot)
    #expect(isEqual && equalityComparisons > 0 && equalityComparisons <= 32, "\(equalityComparisons)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [(5, 20), (20, 5), (5, 900), (0, 999), (5, 5)])
  func `a row taken out and put in elsewhere is seen as a change without comparing rows`(_ from: Int, _ to: Int) {
    var subject = Subject(rows: 1_000)
    let before = subject.draft.snapshot
    #expect(!subject.draft.hasChanged(from: before))
    for _ in 0..<3 {
      let row = subject.draft.removeRow(at: RowPath(section: 0, row: from))
      subject.draft.insertRow(row, at: RowPath(section: 0, row: to))
      let hasChanged = subject.draft.hasChanged(from: before)
      #expect(hasChanged == (from != to) && (from == to || subject.comparisons.value == 0))
      subject.draft.rollBack(to: before)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the difference of versions that share nothing any more compares each row once, and itself`() {
    var random = SeededGenerator.forFuzzing("comparisons")
    var subject = Subject(rows: 1_000)
    let before = subject.draft.snapshot
    for row in 0..<1_000 {
      subject.draft.replaceRow(
        at: RowPath(section: 0, row: row), with: Row(id: row, text: "new", comparisons: subject.comparisons))
    }
    for _ in 0..<50 { subject.apply(.move, &random) }
    let (changes, comparisons) = subject.difference(before, subject.draft.snapshot)
    #expect(changes.rows.updates.count == 1_000 && comparisons == 2_000, "seed \(random.seed): \(comparisons)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [0, 7, 500, 999]) func `unrelated lists are compared up to their first difference`(_ different: Int)
  {
    let subject = Subject(rows: 1_000)
    var other = Subject(rows: 1_000).draft.snapshot.material
    #expect(subject.equality(subject.draft.snapshot, Snapshot(unchecked: other)) == (true, 1_000))
    for index in different..<1_000 {
      other[0].rows[index] = Row(id: index, text: "new", comparisons: subject.comparisons)
    }
    for changed in [Snapshot(unchecked: other), Snapshot(numbered: other)] {
      let (isEqual, comparisons) = subject.equality(subject.draft.snapshot, changed)
      // A row that differs is asked whether it equals itself.
      #expect(!isEqual && comparisons == different + 2, "\(comparisons)")
    }
  }

  /// A list in which each id has a count of its own.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func random(_ counts: [CallCount], using random: inout SeededGenerator) -> Snapshot {
    let isShuffled = Bool.random(using: &random)
    let ids = counts.indices.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
    let ordered = isShuffled ? ids.shuffled(using: &random) : ids
    let names = ["a", "b", "c"].shuffled(using: &random).prefix(isShuffled ? 2 : 3)
    let size = ordered.count / names.count
    return Snapshot(
      unchecked: names.enumerated().map { index, name in
        let end = index == names.count - 1 ? ordered.count : (index + 1) * size
        return ListSection(
          TestSection(name),
          rows: ordered[index * size..<end].map {
            Row(id: $0, text: String(Int.random(in: 0..<2, using: &random)), comparisons: counts[$0])
          })
      })
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [5, 40, 2_000])
  func
    `the difference of unrelated lists asks each survivor once at most, one that differs once more of itself, and no other row`(
      _ count: Int
    )
  {
    var random = SeededGenerator.forFuzzing("comparisons of unrelated lists")
    for round in 0..<(count < 100 ? 400 : 12) {
      let counts = (0..<count).map { _ in CallCount() }
      let before = Self.random(counts, using: &random)
      let after = Self.random(counts, using: &random)
      _ = before.changes(to: after)
      func texts(_ list: Snapshot) -> [Int: String] {
        Dictionary(list.allRows.map { ($0.id, $0.text) }, uniquingKeysWith: { first, _ in first })
      }
      let (old, new) = (texts(before), texts(after))
      let asked = counts.indices.filter { id in
        let isSurvivor = old[id] != nil && new[id] != nil
        return counts[id].value > (isSurvivor ? (old[id] == new[id] ? 1 : 2) : 0)
      }
      #expect(asked.isEmpty, "seed \(random.seed) round \(round)")
    }
  }
}

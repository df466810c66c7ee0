import Testing

/// How often a difference, and `==` of lists, ask rows for `==`.
@Suite(.watched) struct ComparisonCountTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  typealias Snapshot = ListSnapshot<TestSection, CountedRow>

  /// A draft whose rows share a count.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Subject {
    let comparisons = CallCount()
    var draft: ListDraft<TestSection, CountedRow>

    init(rows: Int) {
      let rows = (0..<rows).map { [comparisons] in CountedRow(id: $0, key: 0, comparisons: comparisons) }
      draft = ListDraft(ListSnapshot(unchecked: [ListSection(TestSection("a"), rows: rows)]))
    }

    func row(_ id: Int, _ key: Int = 0) -> CountedRow { CountedRow(id: id, key: key, comparisons: comparisons) }

    /// The result of a call, and the number of its calls of the rows' `==`.
    func counting<Result>(_ call: () -> Result) -> (result: Result, comparisons: Int) {
      let calls = comparisons.value
      return (call(), comparisons.value - calls)
    }
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
      event.apply(to: &subject.draft, inserting: subject.row(count + step), &random) { $0.key += 1 }
      subject.draft.commit()
      let after = subject.draft.snapshot
      let (changes, comparisons) = subject.counting { before.changes(to: after) }
      let (isEqual, equalityComparisons) = subject.counting { before == after }
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
      subject.draft.replaceRow(at: path, with: subject.row(count / 3, (step + 1) % 2))
      subject.draft.commit()
    }
    let after = subject.draft.snapshot
    let (changes, comparisons) = subject.counting { before.changes(to: after) }
    #expect(changes.isEmpty && comparisons > 0 && comparisons <= 32, "\(comparisons)")
    let (isEqual, equalityComparisons) = subject.counting { before == after }
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
      subject.draft.replaceRow(at: RowPath(section: 0, row: row), with: subject.row(row, 1))
    }
    let unused = subject.row(1_000)
    for _ in 0..<50 { Event.move.apply(to: &subject.draft, inserting: unused, &random) { _ in } }
    let after = subject.draft.snapshot
    let (changes, comparisons) = subject.counting { before.changes(to: after) }
    #expect(changes.rows.updates.count == 1_000 && comparisons == 2_000, "seed \(random.seed): \(comparisons)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [0, 7, 500, 999])
  func `unrelated lists are compared up to their first difference`(_ different: Int) {
    let subject = Subject(rows: 1_000)
    var other = Subject(rows: 1_000).draft.snapshot.material
    let list = subject.draft.snapshot
    #expect(subject.counting { list == Snapshot(unchecked: other) } == (true, 1_000))
    for index in different..<1_000 { other[0].rows[index] = subject.row(index, 1) }
    for changed in [Snapshot(unchecked: other), Snapshot(numbered: other)] {
      let (isEqual, comparisons) = subject.counting { list == changed }
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
            CountedRow(id: $0, key: Int.random(in: 0..<2, using: &random), comparisons: counts[$0])
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
      func keys(_ list: Snapshot) -> [Int: Int] {
        Dictionary(list.allRows.map { ($0.id, $0.key) }, uniquingKeysWith: { first, _ in first })
      }
      let (old, new) = (keys(before), keys(after))
      let asked = counts.indices.filter { id in
        let isSurvivor = old[id] != nil && new[id] != nil
        return counts[id].value > (isSurvivor ? (old[id] == new[id] ? 1 : 2) : 0)
      }
      #expect(asked.isEmpty, "seed \(random.seed) round \(round)")
    }
  }
}

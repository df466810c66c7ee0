import Testing

/// The work of comparing rows and sections, and rows and sections that are not equal to themselves.
@Suite struct NaNComparisonTests {
  /// A value that counts how often it is compared.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Name: Equatable, Sendable {
    let text: String
    let count: CallCount
    static func == (lhs: Name, rhs: Name) -> Bool { lhs.count.note(lhs.text) == rhs.text }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Reading: RowViewModel {
    let id: Int
    var name: Name
    var load = Double.nan
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func list(_ count: CallCount, load: Double) throws -> ListSnapshot<TestSection, Reading> {
    try ListSnapshot([
      ListSection(
        TestSection("s"), rows: (0..<100).map { Reading(id: $0, name: Name(text: "a", count: count), load: load) })
    ])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a row is compared as a whole, then with itself, and then part by part, each once`() throws {
    let count = CallCount()
    let (before, after) = (try list(count, load: .nan), try list(count, load: .nan))
    #expect(before.changes(to: after).isEmpty)
    #expect(count.value <= 3 * 100, "\(count.value) comparisons of the parts of 100 rows")
    let (first, second) = (try list(count, load: 1), try list(count, load: 1))
    let start = count.value
    #expect(first.changes(to: second).isEmpty)
    #expect(count.value - start == 100, "rows that are equal are looked at once")
  }

  /// Nothing but its bytes, and not equal to itself.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Sample: RowViewModel {
    let id: Int
    var (x, y) = (1.0, Double.nan)
    var reuseIdentifier: String { "" }
    static func == (lhs: Sample, rhs: Sample) -> Bool { lhs.id == rhs.id && lhs.x == rhs.x && lhs.y == rhs.y }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `rows of numbers are the same if they have the same numbers, or others that are none`() throws {
    func list(_ y: Double) throws -> ListSnapshot<TestSection, Sample> {
      try ListSnapshot([ListSection(TestSection("s"), rows: [Sample(id: 1, x: 2, y: y)])])
    }
    let (none, other, one) = (try list(.nan), try list(-.nan), try list(1))
    #expect(none == (try list(.nan)))
    #expect(none == other)
    #expect(none != one)
    #expect(one != none)
  }

  /// A section with a number, which may be none.
  struct Station: SectionViewModel {
    let id: Int
    var load = Double.nan
  }

  @Test func `sections of numbers that are none change if their content does, at their places and elsewhere`() throws {
    func list(_ stations: [Station]) throws -> ListSnapshot<Station, TestRow> {
      try ListSnapshot(stations.map { ListSection($0, rows: [TestRow($0.id)]) })
    }
    let before = try list([Station(id: 1), Station(id: 2), Station(id: 3, load: 1)])
    #expect(before.changes(to: try list([Station(id: 1), Station(id: 2), Station(id: 3, load: 1)])).isEmpty)
    let changed = before.changes(to: try list([Station(id: 1), Station(id: 2, load: 2), Station(id: 3)]))
    #expect(changed.sections == Changeset(updates: [.init(from: 1, to: 1), .init(from: 2, to: 2)]))
    #expect(changed.rows.isEmpty)
    let moved = before.changes(to: try list([Station(id: 2), Station(id: 1), Station(id: 3, load: 1)]))
    #expect(moved.sections.moves.count == 1 && moved.sections.updates.isEmpty)
    let inserted = before.changes(to: try list([Station(id: 4), Station(id: 1), Station(id: 2), Station(id: 3)]))
    #expect(inserted.sections == Changeset(inserts: [0], updates: [.init(from: 2, to: 3)]))
  }

  /// A section whose name counts how often it is compared.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Shelf: SectionViewModel {
    let id: Int
    let name: Name
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `each section is compared once, at its place and elsewhere`() throws {
    let count = CallCount()
    func list(_ ids: some Sequence<Int>) throws -> ListSnapshot<Shelf, TestRow> {
      try ListSnapshot(ids.map { ListSection(Shelf(id: $0, name: Name(text: "\($0)", count: count))) })
    }
    func comparisons(from before: some Sequence<Int>, to after: some Sequence<Int>) throws -> Int {
      let (before, after) = (try list(before), try list(after))
      let start = count.value
      _ = before.changes(to: after)
      return count.value - start
    }
    #expect(try comparisons(from: 0..<100, to: 0..<100) == 100)
    #expect(try comparisons(from: 0..<100, to: [200] + Array(0..<100)) == 100)
    #expect(try comparisons(from: 0..<100, to: (0..<100).reversed()) == 100)
  }
}

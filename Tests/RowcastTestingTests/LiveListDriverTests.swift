import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

/// All lists beside their definitions over arrays, while their sources are edited in every way, and read at any pace.
@Suite(.watched) struct LiveListDriverTests {
  @Test(arguments: LiveListPromiseTests.makers)
  func `whatever becomes of its sources, a list equals its definition, and each reader gets the way there`(
    _ maker: LiveListPromiseTests.Maker
  ) async throws {
    var random = SeededGenerator.forFuzzing(maker.testDescription)
    var (reads, resumptions) = (0, 0)
    for _ in 0..<SeededGenerator.rounds(4, long: 4_000) {
      let seed = random.next()
      let driver = Driver(try await maker.make(), maker.definition, SeededGenerator(seed: seed))
      do {
        try await driver.run(events: 60)
      } catch {
        Issue.record("seed \(random.seed), script \(seed), event \(driver.event): \(error)")
        return
      }
      reads += driver.reads
      resumptions += driver.resumptions
    }
    print("fuzz: \(maker.testDescription): \(reads) updates, \(resumptions) resumptions")
  }

  /// Edits of one row of five thousand, in an outline of one without others below it.
  static let edits: [@Sendable (inout TestEditor) throws -> Void] = [
    { try $0.update(1_001) { $0.text = "1" } }, { try $0.update(2_001) { $0.text = "2" } },
    { try $0.update(3_001) { $0.text = "3" } }, { try $0.update(4_001) { $0.text = "4" } },
    { try $0.remove(4_003) }, { try $0.move(4_005, to: 7, in: "a") }, { try $0.append(TestRow(4_003), to: "a") },
    { try $0.insert(TestRow(9_001), at: 2_500, in: "a") },
  ]

  @Test(arguments: LiveListPromiseTests.makers)
  func `an edit of a row of five thousand costs a path of nodes, some comparisons and a few operations, in every list`(
    _ maker: LiveListPromiseTests.Maker
  ) async throws {
    let comparisons = CallCount()
    try await TestRow.$onComparison.withValue({ comparisons.note(()) }) {
      /// The comparisons of a step.
      func count(_ step: () async throws -> Void) async throws -> Int {
        let before = comparisons.value
        try await step()
        return comparisons.value - before
      }
      let made = try await maker.make()
      for store in [made.store, made.other] { try await store.replace(with: .of(("a", Array(1...5_000)))) }
      try await made.update()
      var updates = made.list.updates().makeAsyncIterator()
      var slow = made.list.updates().makeAsyncIterator()
      let before = try #require(await slow.next()).snapshot
      _ = await updates.next()
      // The first edits make what follows changes.
      for (number, edit) in Self.edits.enumerated() {
        let former = await made.list.snapshot
        // Who edits makes no difference: two rows are compared if one takes the place of the other.
        let edited = try await count { try await made.store.edit(edit) }
        #expect(edited <= 2 || made.hasTask, "edit \(number)")
        let read = try await count {
          try await made.update()
          _ = await made.list.snapshot
        }
        #expect(edited + read <= 12 * 32, "edit \(number)")
        let after = await made.list.snapshot
        #expect(after.nodeCount(besides: former) <= 40, "edit \(number)")
        let changes = former.changes(to: after)
        #expect(changes.count <= 3, "edit \(number)")
        let again = try await count {
          let snapshot = await made.list.snapshot
          #expect(snapshot.nodeCount(besides: after) == 0)
        }
        #expect(again == 0, "edit \(number)")
        if changes.isEmpty { continue }
        let followed = try await count {
          let update = await updates.next()
          #expect(update?.changes == changes, "edit \(number)")
        }
        #expect(followed <= 6 * 32, "edit \(number)")
      }
      // Of all at once.
      let followed = try await count {
        let update = try #require(await slow.next())
        #expect(update.changes == before.changes(to: update.snapshot) && update.changes.count <= 3 * Self.edits.count)
      }
      #expect(followed <= 2 * Self.edits.count * 6 * 32)
      try await made.end()
    }
  }
}

/// A list, its sources, and its readers.
private final class Driver {
  struct Abort: Error {}
  typealias Model = LiveListPromiseTests.Model

  private struct Reader {
    var updates: AsyncStream<TestUpdate>.Iterator
    var follower = Follower()
  }

  private let made: LiveListPromiseTests.Made
  private let definition: @Sendable (Model, Model) -> Model
  private var random: SeededGenerator
  private var readers: [Reader] = []
  /// The list at each position that it was seen at.
  private var seen: [ListPosition: Model] = [:]
  private(set) var (event, reads, resumptions) = (0, 0, 0)

  init(
    _ made: LiveListPromiseTests.Made, _ definition: @escaping @Sendable (Model, Model) -> Model,
    _ random: SeededGenerator
  ) {
    (self.made, self.definition, self.random) = (made, definition, random)
  }

  private func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  func run(events: Int) async throws {
    for number in 0..<events {
      event = number
      try await edit(int(0..<3) == 0 ? made.other : made.store)
      try await made.update()
      let (revision, list) = (await made.list.revision, Model(await made.list.snapshot))
      let expected = definition(Model(await made.store.snapshot), Model(await made.other.snapshot))
      guard list == expected else { throw Mismatch("expected \(expected.firstDifference(from: list))") }
      if readers.count < 4, int(0..<6) == 0 { readers.append(Reader(updates: made.list.updates().makeAsyncIterator())) }
      for index in readers.indices where int(0..<3) == 0 { try await read(index, at: revision, list) }
      if int(0..<30) == 0, !readers.isEmpty { readers.remove(at: int(0..<readers.count)) }
      if int(0..<4) == 0 { try await resume(at: revision, list) }
    }
    try await made.end()
    let last = Model(await made.list.snapshot)
    for index in readers.indices {
      while let update = await readers[index].updates.next() { try readers[index].follower.take(update) }
      guard readers[index].follower.list == last else { throw Mismatch("a reader ended with another list") }
    }
  }

  /// Reads the next update, if there is one.
  private func read(_ index: Int, at revision: Int, _ list: Model) async throws {
    // A list that returns to its former state is not an update.
    if readers[index].follower.updates > 0, readers[index].follower.list == list { return }
    guard let update = await readers[index].updates.next() else { throw Mismatch("a stream ended early") }
    try readers[index].follower.take(update)
    guard update.revision == revision, readers[index].follower.list == list else {
      throw Mismatch("a reader got revision \(update.revision) at revision \(revision): \(update.changes)")
    }
    try note(update)
    reads += 1
  }

  /// Notes which list a position names.
  private func note(_ update: TestUpdate) throws {
    let list = Model(update.snapshot)
    guard update.position.epoch.isEmpty || seen[update.position, default: list] == list else {
      throw Mismatch("\(update.position) names two lists")
    }
    seen[update.position] = list
  }

  /// Comes back with a position that was seen, or with one of another list.
  private func resume(at revision: Int, _ list: Model) async throws {
    guard let resumed = made.resumed else { return }
    let known = seen.keys.sorted { $0.revision < $1.revision }
    let isForeign = known.isEmpty || int(0..<5) == 0
    let position = isForeign ? ListPosition(epoch: "another", revision: int(0..<9)) : known[int(0..<known.count)]
    if !isForeign, seen[position] == list { return }
    var updates = resumed(position).makeAsyncIterator()
    guard let update = await updates.next() else { throw Mismatch("a resumed stream ended") }
    try note(update)
    var model = Model()
    if let previous = update.previous {
      guard !isForeign, previous == position.revision, let former = seen[position] else {
        throw Mismatch("resumed at \(previous) from \(position)")
      }
      model = former
      resumptions += 1
    } else if !isForeign {
      throw Mismatch("the whole list for \(position), which is kept")
    }
    try model.fold(update.changes, after: update.snapshot)
    guard model == list, update.revision == revision else { throw Mismatch("resumed from \(position) to another list") }
  }

  /// One transaction of any kind.
  private func edit(_ store: TestStore) async throws {
    if int(0..<25) == 0 {
      let ids = (1..<12).filter { _ in int(0..<2) == 0 }.shuffled(using: &random)
      let split = int(0..<ids.count + 1)
      return try await store.replace(with: .of(("a", Array(ids[..<split])), ("b", Array(ids[split...]))))
    }
    let (kind, seed) = (int(0..<8), random.next())
    do {
      try await store.edit { list in
        var random = SeededGenerator(seed: seed)
        let former = list.snapshot
        for _ in 0..<(kind == 0 ? 6 : kind == 1 ? 2 : 1) { try Self.change(&list, &random) }
        if kind == 2 { throw Abort() }
        if kind == 3 { list.replace(with: former) }
      }
    } catch is Abort {}
  }

  /// One random change of a list.
  private static func change(_ list: inout TestEditor, _ random: inout SeededGenerator) throws {
    func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    let snapshot = list.snapshot
    let sections = (0..<snapshot.sectionCount).map { snapshot.section(at: $0).id }
    let ids = (0..<sections.count).flatMap { snapshot.rows(inSection: $0).map(\.id) }
    guard let section = sections.randomElement(using: &random) else { return try list.append(TestSection("a")) }
    let text = ["", "x", "y", "z"][int(0..<4)]
    switch int(0..<10) {
    case 0..<3:
      let id = int(1..<12)
      if ids.contains(id) {
        try list.update(id) { $0.text = text }
      } else {
        try list.append(TestRow(id, text), to: section)
      }
    case 3, 4: if let id = ids.randomElement(using: &random) { try list.remove(id) }
    case 5, 6: if let id = ids.randomElement(using: &random) { try list.update(id) { $0.text = text } }
    case 7:
      guard let id = ids.randomElement(using: &random), let index = sections.firstIndex(of: section) else { return }
      let isThere = snapshot.rows(inSection: index).contains { $0.id == id }
      try list.move(
        id, to: RowPath(section: index, row: int(0..<snapshot.rowCount(inSection: index) + (isThere ? 0 : 1))))
    case 8: try list.moveSection(section, to: int(0..<sections.count))
    default:
      let name = ["a", "b", "c"][int(0..<3)]
      if sections.contains(name) {
        if int(0..<3) == 0 { try list.removeSection(name) }
      } else {
        try list.append(TestSection(name), rows: [])
      }
    }
  }
}

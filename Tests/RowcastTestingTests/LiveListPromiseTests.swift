import Dispatch
import Foundation
import RowcastDiff
import RowcastModel
import RowcastSources
import RowcastStore
import RowcastTestSupport
import RowcastTesting
import RowcastViews
import Testing

/// The promises that all live lists share, for each of ours. A new list joins by a line of `makers`.
@Suite(.watched) struct LiveListPromiseTests {
  typealias Subject = LiveListSubject<AnyTestList>
  typealias Model = NaiveList<TestSection, TestRow>

  /// A list by what it is made of.
  struct Maker: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The list that two others make.
    let definition: @Sendable (Model, Model) -> Model
    let make: @Sendable () async throws -> Made
  }

  /// A list, and the stores that it is made of. Each has the row 1.
  struct Made: Sendable {
    let list: AnyTestList
    let store: TestStore
    let other: TestStore
    /// Brings what was edited to the list.
    var update: @Sendable () async throws -> Void = {}
    let end: @Sendable () async throws -> Void
    /// Updates from a position on; `nil` for a list that cannot be resumed.
    var resumed: (@Sendable (ListPosition) -> AsyncStream<TestUpdate>)?
    /// The store in which those wait who read the list: its first one, unless it has another.
    var waitingRoom: TestStore?

    /// The number of tasks that wait for the list.
    @Sendable func waiterCount() async -> Int { await (waitingRoom ?? store).waiterCount }

    var subject: Subject {
      Subject(list) { [store, update] number in
        try await LiveListPromiseTests.edit(store, number)
        try await update()
      } end: { [end] in
        try await end()
      }
    }
  }

  private static let archive = "the list of an archive"
  static let makers = [
    Maker("a store", resumed: { $0.updates(since: $1) }) { (store, _) in store },
    Maker("a store of a space", in: ListSpace(), resumed: { $0.updates(since: $1) }) { (store, _) in store },
    Maker("an arranged list") { store, _ in
      store.arranged { $0.filter { $0.id > 0 }.sorted(by: \.text) }
    } as: { list, _ in
      list.mapped { $0.filter { $0.id > 0 }.sorted { $0.text < $1.text } }
    },
    Maker("an arranged list of an arranged list") { store, _ in
      store.arranged { $0.sectioned(by: \.text) { TestSection($0) } }.arranged { $0.sorted(by: \.id) }
    } as: { list, _ in
      let rows = list.parts.flatMap(\.rows)
      var sections = Model()
      for text in Set(rows.map(\.text)).sorted() {
        let own = rows.filter { $0.text == text }.sorted { $0.id < $1.id }
        sections.parts.append(.init(section: TestSection(text), rows: own))
      }
      return sections
    },
    Maker("an outline") { store, _ in
      store.arranged {
        $0.outlined(parent: { $0.id > 4 ? $0.id / 2 : nil }, expansion: OutlineExpansion()) { row, _ in row }
      }
    } as: { list, _ in
      let ids = Set(list.parts.flatMap { $0.rows.map(\.id) })
      func parent(_ row: TestRow) -> Int? { row.id > 4 && ids.contains(row.id / 2) ? row.id / 2 : nil }
      let all = list.parts.flatMap(\.rows)
      func subtree(_ row: TestRow) -> [TestRow] { [row] + all.filter { parent($0) == row.id }.flatMap(subtree) }
      return list.mapped { $0.filter { parent($0) == nil }.flatMap(subtree) }
    },
    Maker(testDescription: "a searched list", definition: { list, _ in list.mapped { $0.filter { $0.id > 0 } } }) {
      let (store, query) = (try TestStore.with([1]), Parameter(0))
      let list = store.arranged { $0.filter(by: query) { $0.id > $1 } }
      return Made(list: AnyTestList(list), store: store, other: try .with([1])) {
        await store.finish()
        query.finish()
      }
    },
    Maker("a merged list") { store, other in
      MergedList(store, other)
    } as: {
      .merging([$0, $1], prefersLast: false)
    },
    Maker("a joined list") { store, other in
      store.joined(with: other, on: \.id) { row, partner in TestRow(row.id, row.text + partner.text) }
    } as: { list, other in
      let partners = other.parts.flatMap(\.rows)
      return list.mapped { rows in
        rows.compactMap { row in
          partners.first { $0.id == row.id }.map { TestRow(row.id, row.text + $0.text) }
        }
      }
    },
    Maker("a left join") { store, other in
      store.joined(withOptional: other, on: \.id) { row, partner in
        TestRow(row.id, row.text + (partner?.text ?? "-"))
      }
    } as: { list, other in
      let partners = other.parts.flatMap(\.rows)
      return list.mapped { rows in
        rows.map { row in TestRow(row.id, row.text + (partners.first { $0.id == row.id }?.text ?? "-")) }
      }
    },
    Maker("a join with many") { store, other in
      store.joined(withMany: other, on: { $0.id / 2 }, sortedBy: .descending(\.id)) { row, others in
        TestRow(row.id, others.reduce(row.text) { $0 + $1.text })
      }
    } as: { list, other in
      let others = other.parts.flatMap(\.rows).sorted { $0.id > $1.id }
      return list.mapped { rows in
        rows.map { row in TestRow(row.id, others.filter { $0.id / 2 == row.id }.reduce(row.text) { $0 + $1.text }) }
      }
    },
    Maker("a join with summaries") { store, other in
      store.joined(withMany: other, on: { $0.id / 2 }, summary: .count, .max(\.id)) { row, count, last in
        TestRow(row.id, "\(row.text) \(count) \(last ?? 0)")
      }
    } as: { list, other in
      let others = other.parts.flatMap(\.rows)
      return list.mapped { rows in
        rows.map { row in
          let own = others.filter { $0.id / 2 == row.id }.map(\.id)
          return TestRow(row.id, "\(row.text) \(own.count) \(own.max() ?? 0)")
        }
      }
    },
    Maker("parents") { store, other in
      store.intersecting(other, on: { $0.id > 0 ? $0.id : nil })
    } as: { list, other in
      let ids = other.parts.flatMap { $0.rows.map(\.id) }.filter { $0 > 0 }
      return list.mapped { $0.filter { ids.contains($0.id) } }
    },
    Maker("elements of rows") { store, _ in
      store.flatMap { row in (0...row.id % 2).map { TestRow(row.id + 1_000 * $0, row.text) } }
    } as: { list, _ in
      list.mapped { $0.flatMap { row in (0...row.id % 2).map { TestRow(row.id + 1_000 * $0, row.text) } } }
    },
    Maker("groups as rows") { store, _ in
      store.arranged {
        $0.sectioned(by: { $0.id % 3 }, summary: .merging({ [$0.id: $0.text] }, by: { $0.merging($1) { $1 } })) {
          KeyedGroup(id: $0, text: KeyedGroup.text($1 ?? [:]))
        }
      }.asRows { TestRow($0.id, $0.text) }.arranged { $0.sectioned(by: \.text) { TestSection($0) } }
    } as: { list, _ in
      var sections = Model()
      let groups = Dictionary(grouping: list.parts.flatMap(\.rows)) { $0.id % 3 }
        .mapValues { KeyedGroup.text(Dictionary(uniqueKeysWithValues: $0.map { ($0.id, $0.text) })) }
      for text in Set(groups.values).sorted() {
        let own = groups.keys.sorted().filter { groups[$0] == text }
        sections.parts.append(.init(section: TestSection(text), rows: own.map { TestRow($0, text) }))
      }
      return sections
    },
    Maker("an intersection") { store, other in
      store.intersecting(other)
    } as: { list, other in
      let ids = other.parts.flatMap { $0.rows.map(\.id) }
      return list.mapped { $0.filter { ids.contains($0.id) } }
    },
    Maker("a difference") { store, other in
      store.excluding(other.arranged { $0.filter { $0.id % 2 == 0 } })
    } as: { list, other in
      let ids = other.parts.flatMap { $0.rows.map(\.id) }.filter { $0 % 2 == 0 }
      return list.mapped { $0.filter { !ids.contains($0.id) } }
    },
    Maker("an optimistic list") { store, _ in OptimisticList(store) },
    Maker("a list of an app's own") { store, _ in OwnList(store) },
    Maker(testDescription: "a mirror", definition: { list, _ in list }) {
      let (store, mirror) = (try TestStore.with([1]), MirroredList<TestSection, TestRow>())
      @Sendable func send() async throws {
        if let message = await store.message(since: mirror.position) { try await mirror.receive(message) }
      }
      try await send()
      var made = Made(list: AnyTestList(mirror), store: store, other: try .with([1]), update: send) {
        await mirror.store.finish()
      }
      made.waitingRoom = mirror.store
      return made
    },
    Maker(testDescription: archive, definition: { list, _ in list }) {
      let path = NSTemporaryDirectory() + UUID().uuidString
      // What writes the file compares rows at any time: that is no work of an edit or a read.
      let archive = try TestRow.$onComparison.withValue(nil) {
        try ListArchive<TestSection, TestRow>(at: path, startingWith: try .of(("a", [1])), history: .last(1_000)) {
          try JSONEncoder().encode($0)
        } decode: {
          try JSONDecoder().decode(WireMessage.self, from: Data($0))
        }
      }
      let store = try archive.open()
      return Made(list: AnyTestList(archive), store: store, other: try .with([1])) {
        try await archive.flush()
      } end: {
        try await archive.close()
        await store.finish()
        try FileManager.default.removeItem(atPath: path)
      } resumed: {
        store.updates(since: $0)
      }
    },
  ]

  /// Changes the row with the id 1.
  fileprivate static func edit(_ store: TestStore, _ number: Int) async throws {
    try await store.edit { try $0.update(1) { $0.text = "\(number)" } }
  }

  @Test(arguments: makers) func `T3 to T7 hold for all lists`(_ maker: Maker) async throws {
    try await LiveListChecks.run { try await maker.make().subject }
  }

  @Test(arguments: BrokenList.Fault.allCases)
  func `a list that breaks a promise is found`(_ fault: BrokenList.Fault) async throws {
    let (begun, ended) = (CallCount(), CallCount())
    let failure = await #expect(throws: LiveListFailure.self) {
      try await LiveListChecks.run {
        let store = try TestStore.with([1])
        let list = BrokenList(store, fault)
        return LiveListSubject(list) { number in
          begun.note(())
          defer { ended.note(()) }
          try await Self.edit(store, number)
          await list.wasEdited()
        } end: {
          await list.end()
          await store.finish()
        }
      }
    }
    #expect(failure?.promise == fault.promise, "\(String(describing: failure))")
    // Nothing of it goes on in the tests after this one.
    await eventually { begun.value == ended.value }
    #expect(failure?.location == "RowcastTestingTests/LiveListPromiseTests.swift:\(#line - 18)")
  }

  /// Set on the main queue: an assertion of isolation may be left out of optimised code.
  private static let mainQueue = DispatchSpecificKey<Bool>()

  @Test(arguments: makers) @MainActor
  func `T9 holds for all lists: who calls from the main actor is there again afterwards`(_ maker: Maker) async throws {
    DispatchQueue.main.setSpecific(key: Self.mainQueue, value: true)
    func check(_ call: String) {
      #expect(DispatchQueue.getSpecific(key: Self.mainQueue) == true, "not on the main actor after \(call)")
    }
    let subject = try await maker.make().subject
    check("making the list")
    var number = 0
    var updates = subject.list.updates().makeAsyncIterator()
    while number < 3 {
      // The first is there, and the others are waited for: made by an edit before, and by one meanwhile.
      if number == 1 { try await subject.edit(number) }
      if number == 2 { Task.detached { try await subject.edit(2) } }
      check("edit \(number)")
      _ = await updates.next(isolation: #isolation)
      check("update \(number)")
      _ = await subject.list.snapshot
      check("a snapshot")
      _ = await subject.list.revision
      check("a revision")
      number += 1
    }
    try await subject.end?()
    check("the end")
    while await updates.next(isolation: #isolation) != nil {}
    check("the last update")
  }

  @Test(arguments: makers) func `a list whose stream nobody reads any more is freed`(_ maker: Maker) async throws {
    let subject = try await maker.make().subject
    weak let list = subject.list.object
    do {
      let subject = consume subject
      var updates = subject.list.updates().makeAsyncIterator()
      _ = await updates.next()
      try await subject.edit(1)
      _ = await updates.next()
      try await subject.end?()
    }
    await eventually { list == nil }
  }

  @Test(arguments: makers) func `who waits for a list and is cancelled leaves nothing behind in its sources`(
    _ maker: Maker
  ) async throws {
    let made = try await maker.make()
    // They wait for what is in the file, of which the store knows nothing.
    if maker.testDescription == Self.archive { return try await made.end() }
    let readers = (0..<3).map { _ in Task { try await Follower.following(made.list.updates()) } }
    for number in 1...3 {
      await eventually { await made.waiterCount() >= readers.count }
      try await made.subject.edit(number)
    }
    await eventually { await made.waiterCount() >= readers.count }
    for reader in readers { reader.cancel() }
    for reader in readers { #expect(2...4 ~= (try await reader.value.updates)) }
    // A task leaves its place before it ends.
    #expect(await made.waiterCount() == 0)
    try await made.end()
  }

  @Test(arguments: makers) func `two streams of a list have the same updates, whoever reads first`(_ maker: Maker)
    async throws
  {
    let subject = try await maker.make().subject
    var streams = [subject.list.updates().makeAsyncIterator(), subject.list.updates().makeAsyncIterator()]
    for number in 0...6 {
      if number > 0 { try await subject.edit(number) }
      let first = number % 2
      let update = await streams[first].next()
      let other = await streams[1 - first].next()
      #expect(update?.position == other?.position && update?.changes == other?.changes && update != nil)
    }
  }
}

extension LiveListPromiseTests.Maker {
  /// A list that is made of two stores, and equal to the first one unless it is defined in another way.
  init(
    _ name: String, in space: @autoclosure @escaping @Sendable () -> ListSpace = ListSpace(),
    resumed: (@Sendable (TestStore, ListPosition) -> AsyncStream<TestUpdate>)? = nil,
    _ make: @escaping @Sendable (TestStore, TestStore) -> some LiveList<TestSection, TestRow>,
    as definition:
      @escaping @Sendable (LiveListPromiseTests.Model, LiveListPromiseTests.Model) -> LiveListPromiseTests.Model = {
        list, _ in list
      }
  ) {
    self.init(testDescription: name, definition: definition) {
      let space = space()
      let start = try TestSnapshot.of(("a", [1]))
      let (store, other) = (space.store(start, history: .last(1_000)), space.store(start))
      var made = LiveListPromiseTests.Made(list: AnyTestList(make(store, other)), store: store, other: other) {
        await store.finish()
        await other.finish()
      }
      if let resumed { made.resumed = { resumed(store, $0) } }
      return made
    }
  }
}

extension NaiveList<TestSection, TestRow> {
  /// The list with other rows in its sections.
  fileprivate func mapped(_ transform: ([TestRow]) -> [TestRow]) -> NaiveList {
    var list = self
    for index in list.parts.indices { list.parts[index].rows = transform(list.parts[index].rows) }
    return list
  }
}

/// A list of any type.
struct AnyTestList: LiveList {
  private let list: any LiveList<TestSection, TestRow>

  init(_ list: some LiveList<TestSection, TestRow>) { self.list = list }

  var object: AnyObject? { list as AnyObject }
  var snapshot: TestSnapshot { get async { await list.snapshot } }
  var revision: Int { get async { await list.revision } }
  func updates() -> AsyncStream<TestUpdate> { list.updates() }
}

/// Gives on what a store has.
private final class OwnList: LiveList {
  private let store: TestStore

  init(_ store: TestStore) { self.store = store }

  var snapshot: TestSnapshot { get async { await store.snapshot } }
  var revision: Int { get async { await store.revision } }
  func updates() -> AsyncStream<TestUpdate> { store.updates() }
}

/// A list that breaks a promise.
actor BrokenList: LiveList {
  enum Fault: String, CaseIterable {
    case startsWithoutTheList, repeatsTheList, skipsAnUpdate, staysBehind, queues, endsTooEarly, losesTheLastList,
      neverEnds,
      isGoneAfterTheEnd, ignoresCancellation, waitsForFirstReads, delaysEdits

    var promise: String {
      switch self {
      // An edit that waits for a reader hangs in the first check.
      case .startsWithoutTheList, .repeatsTheList, .skipsAnUpdate, .staysBehind, .endsTooEarly, .delaysEdits: "T3"
      case .queues: "T4"
      case .losesTheLastList, .neverEnds, .isGoneAfterTheEnd, .ignoresCancellation: "T5"
      case .waitsForFirstReads: "T7"
      }
    }
  }

  private let store: TestStore
  private let fault: Fault
  /// The number of updates that were asked for.
  private var asked = 0
  /// The number of streams, and of those of them that were read.
  private let streams = CallCount()
  private var readStreams = 0
  private var hasEnded = false

  init(_ store: TestStore, _ fault: Fault) { (self.store, self.fault) = (store, fault) }

  var snapshot: TestSnapshot { get async { await store.snapshot } }
  var revision: Int { get async { fault == .staysBehind ? 0 : await store.revision } }

  /// Waits, if the fault is to delay edits, until some stream was read to the newest update, or each was read once.
  func wasEdited() async {
    let before = asked
    while fault == .delaysEdits && asked == before || fault == .waitsForFirstReads && readStreams < streams.value,
      !Task.isCancelled
    {
      await Task.yield()
    }
  }

  nonisolated func updates() -> AsyncStream<TestUpdate> {
    let (store, fault) = (store, fault)
    if fault == .queues {
      // Each update is kept for who does not read.
      return AsyncStream { stream in
        Task {
          for await update in store.updates() { stream.yield(update) }
          stream.finish()
        }
      }
    }
    streams.note(())
    let (source, count) = (store.updates(), CallCount())
    return AsyncStream { await self.next(source, count.note(count.value + 1)) }
  }

  /// The update with a number of a stream.
  private func next(_ source: AsyncStream<TestUpdate>, _ number: Int) async -> TestUpdate? {
    asked += 1
    if number == 1 {
      readStreams += 1
      if hasEnded, fault == .isGoneAfterTheEnd { return nil }
    }
    // A task of its own is not cancelled with the one that waits for it.
    if fault == .ignoresCancellation { return await Task { await source.first { _ in true } }.value }
    var updates = source.makeAsyncIterator()
    guard let update = await updates.next(isolation: self) else {
      return fault == .neverEnds ? await AsyncStream { _ in }.first { _ in true } : nil
    }
    switch fault {
    case .startsWithoutTheList where number == 1: return await updates.next(isolation: self)
    case .skipsAnUpdate where number == 3: return await updates.next(isolation: self)
    case .repeatsTheList:
      return TestUpdate(
        revision: update.revision, previous: nil, changes: update.changes, snapshot: update.snapshot,
        epoch: update.epoch)
    case .endsTooEarly where number == 4: return nil
    case .losesTheLastList where hasEnded: return nil
    default: return update
    }
  }

  func end() { hasEnded = true }
}

/// A section that shows all of its rows.
private struct KeyedGroup: SectionViewModel {
  let id: Int
  var text: String

  static func text(_ rows: [Int: String]) -> String {
    rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ",")
  }
}

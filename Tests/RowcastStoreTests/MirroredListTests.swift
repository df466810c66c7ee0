@testable import RowcastStore

/// The state of a mirror, watched.
@Suite(.watched) struct MirrorStateTests {

  @Test func `each state is told when it comes, to slow readers the newest, until the mirror ends`() async throws {
    var mirror: TestMirror? = TestMirror()
    var states = try #require(mirror).states.makeAsyncIterator()
    #expect(await states.next() == .waiting(for: .wholeList))
    let (whole, position) = (TestMessage.initial(revision: 3, snapshot: .init(), epoch: "e"), ListPosition.at(3))
    for (messages, state) in [
      ([whole], .following(position)),
      ([.end(revision: 5, updates: 4, epoch: "e")], .waiting(for: .changes(since: position))),
      ((4...9).map { .initial(revision: $0, snapshot: .init(), epoch: "e") }, .following(.at(9))),
      (
        [.initial(revision: 9, snapshot: .init(), epoch: "e"), .end(revision: 9, updates: 9, epoch: "e")],
        .ended(.at(9))
      ),
    ] as [([TestMessage], MirrorState)] {
      for message in messages { try await mirror?.receive(message) }
      #expect(await states.next() == state)
    }
    mirror = nil
    #expect(await states.next() == nil)
  }

  @Test func `a store has no epoch that a message cannot have`() async {
    await #expect(processExitsWith: .failure) { _ = TestStore(epoch: String(repeating: "e", count: 65)) }
  }
}

/// Mirrors that are kept elsewhere, as one value.
@Suite(.watched) struct MirrorCheckpointTests {

  /// A new mirror from what another one was, through a file.
  private static func restored(_ mirror: TestMirror) async throws -> TestMirror {
    let new = TestMirror()
    if let checkpoint = await mirror.checkpoint {
      let data = try JSONEncoder().encode(checkpoint)
      try await new.receive(try JSONDecoder().decode(TestMessage.self, from: data))
    }
    return new
  }

  @Test func `a mirror that is made of a checkpoint resumes, whatever run its list is in`() async throws {
    var random = SeededGenerator.forFuzzing("checkpoints")
    for round in 0..<SeededGenerator.rounds(4, long: 500) {
      let store = TestStore(epoch: "e0", history: .last(100))
      var mirror = TestMirror()
      for _ in 0..<30 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: await store.core.beginRun()
        case 1: if let message = await store.message(since: await mirror.position) { try await mirror.receive(message) }
        case 2:
          let restored = try await Self.restored(mirror)
          #expect(await restored.position == mirror.position, "seed \(random.seed), round \(round)")
          #expect(await restored.snapshot == mirror.snapshot, "seed \(random.seed), round \(round)")
          if let position = await restored.position {
            let message = await store.message(since: position)
            // A difference, unless that is longer than the list.
            if case .initial(_, let list, _, _) = message {
              let changes = await restored.snapshot.changes(to: list)
              let update = TestUpdate(revision: 1, previous: 0, changes: changes, snapshot: list)
              #expect(update.isLongerThanList, "seed \(random.seed), round \(round)")
            }
          }
          mirror = restored
        default: try await store.replace(with: try .random(sections: 3, rows: 12, using: &random))
        }
      }
      let restored = try await Self.restored(mirror)
      if let message = await store.message(since: await restored.position) { try await restored.receive(message) }
      #expect(await restored.snapshot == store.snapshot, "seed \(random.seed), round \(round)")
    }
  }

  @Test func `a checkpoint is of one moment, also while messages arrive`() async throws {
    let (store, mirror) = (TestStore(epoch: "e", history: .last(1_000)), TestMirror())
    let messages = store.updates()
    let following = Task { for await update in messages { try await mirror.receive(TestMessage(update)) } }
    let writing = Task {
      try await store.edit { try $0.append(TestSection("a")) }
      for id in 1...200 {
        try await store.edit { try $0.append(TestRow(id), to: "a") }
        await Task.yield()
      }
      await store.finish()
    }
    var last = 0
    while last < 201 {
      if case .initial(let revision, let list, _, _) = await mirror.checkpoint {
        #expect(list.rowCount == max(0, revision - 1))
        last = revision
      }
      await Task.yield()
    }
    try await writing.value
    try await following.value
  }
}

/// What folding a message costs after many of them.
@Suite(.watched) struct UpdateApplyingWorkTests {
  /// A row that counts how often any is compared or asked for its id.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Row: RowViewModel, Codable {
    static let calls = CallCount()

    private var number: Int
    var text = ""

    init(_ number: Int) { self.number = number }

    var id: Int { Self.calls.note(number) }
    static func == (lhs: Row, rhs: Row) -> Bool { calls.note(lhs.number == rhs.number && lhs.text == rhs.text) }
  }

  /// Makes one change at a random place.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func change(_ draft: inout ListDraft<TestSection, Row>, _ number: Int, _ random: inout SeededGenerator)
  {
    let section = Int.random(in: 0..<draft.snapshot.sectionCount, using: &random)
    let count = draft.snapshot.rowCount(inSection: section)
    let path = RowPath(section: section, row: Int.random(in: 0..<count, using: &random))
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where count > 100: draft.removeRow(at: path)
    case 1: draft.insertRow(Row(number), at: path)
    case 2: draft.moveRow(from: path, to: RowPath(section: section, row: Int.random(in: 0..<count, using: &random)))
    default:
      var row = draft.snapshot.row(at: path)
      row.text = "\(number)"
      draft.replaceRow(at: path, with: row)
    }
    draft.commit()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a message costs a mirror, and a store that it is applied to, the same after many others`() async throws {
    var random = SeededGenerator.forFuzzing("long streams")
    let list = ListSnapshot<TestSection, Row>(
      unchecked: (0..<20).map { section in
        ListSection(TestSection("s\(section)"), rows: (0..<500).map { Row(section * 10_000 + $0) })
      })
    var draft = ListDraft(list)
    var mirror = WireReader<TestSection, Row>(list, at: ListPosition(epoch: "", revision: 0))
    let store = ListStore(list)
    let tenth = SeededGenerator.rounds(200, long: 20_000)
    var costs: [(mirror: Int, store: Int)] = []
    for revision in 1...10 * tenth {
      let before = draft.snapshot
      Self.change(&draft, 200_000 + revision, &random)
      let (after, changes) = (draft.snapshot, before.changes(to: draft.snapshot))
      let update = ListUpdate(revision: revision, previous: revision - 1, changes: changes, snapshot: after)
      let start = Row.calls.value
      let folded = try mirror.fold(WireMessage(update))
      let middle = Row.calls.value
      // A message without changes is not an update.
      if let folded { try await store.edit { try $0.apply(folded) } }
      if revision % tenth == 1 { costs.append((0, 0)) }
      costs[costs.count - 1].mirror += middle - start
      costs[costs.count - 1].store += Row.calls.value - middle
    }
    #expect(mirror.snapshot == draft.snapshot, "seed \(random.seed)")
    #expect(await store.snapshot == draft.snapshot, "seed \(random.seed)")
    for cost in costs {
      #expect(cost.mirror < 200 * tenth && cost.store < 250 * tenth, "seed \(random.seed): \(costs)")
      #expect(
        cost.mirror < costs[0].mirror * 3 / 2 && cost.store < costs[0].store * 3 / 2, "seed \(random.seed): \(costs)")
    }
  }
}

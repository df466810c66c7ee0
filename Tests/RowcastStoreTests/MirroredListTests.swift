import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@Suite(.watched) struct MirroredListTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirrored = MirroredList<TestSection, TestRow>

  @Test func `watchers of a mirror see what the watchers of its writer see`() async throws {
    var random = SeededGenerator.forFuzzing("mirrored lists")
    let store = TestStore(epoch: "e")
    let mirror = Mirrored()
    let watching = Task { try await Follower.following(mirror.updates()) }
    var updates = store.updates().makeAsyncIterator()
    for _ in 0..<SeededGenerator.rounds(60, long: 2_000) {
      if let update = await updates.next() { try await mirror.receive(Message(update, epoch: store.epoch)) }
      let (list, found) = await (store.snapshot, mirror.snapshot)
      #expect(found == list, "seed \(random.seed)")
      #expect(await mirror.position == store.position, "seed \(random.seed): \(list)")
      let next = try TestSnapshot.random(sections: 4, rows: 20, using: &random)
      try await store.replace(with: next)
      if await store.revision == mirror.position?.revision {
        try await store.edit { try $0.append(TestSection("new")) }
      }
    }
    await mirror.store.finish()
    let follower = try await watching.value
    let last = NaiveList(await mirror.snapshot)
    #expect(follower.list == last, "seed \(random.seed)")
  }

  @Test func `a mirror says what it needs, and changes nothing meanwhile`() async throws {
    let mirror = Mirrored()
    #expect(await mirror.state == .waiting(for: .wholeList))
    let one = try TestSnapshot.of(("a", [1]))
    try await mirror.receive(.initial(revision: 4, snapshot: one, epoch: "e"))
    let position = ListPosition(epoch: "e", revision: 4)
    #expect(await mirror.state == .following(position))
    let two = try TestSnapshot.of(("a", [1, 2]))
    let gap = ListUpdate(revision: 7, previous: 6, changes: one.changes(to: two), snapshot: two)
    #expect(try await mirror.receive(Message(gap, epoch: "e")) == .waiting(for: .changes(since: position)))
    #expect(await mirror.snapshot == one)
    #expect(try await mirror.receive(Message(gap, epoch: "f")) == .waiting(for: .wholeList))
    #expect(await mirror.revision == 1)
    try await mirror.receive(.initial(revision: 7, snapshot: two, epoch: "e"))
    #expect(
      try await mirror.receive(.end(revision: 7, updates: 3, epoch: "e")) == .ended(.init(epoch: "e", revision: 7)))
    #expect(await mirror.snapshot == two)
  }

  @Test func `a whole list at the position of the mirror changes nothing`() async throws {
    let one = try TestSnapshot.of(("a", [1]))
    let mirror = Mirrored(one, at: ListPosition(epoch: "e", revision: 4))
    let revision = await mirror.revision
    try await mirror.receive(.initial(revision: 4, snapshot: one, epoch: "e"))
    #expect(await mirror.revision == revision)
    #expect(await mirror.snapshot == one)
  }

  @Test func `a message that no writer sends is an error, and changes nothing`() async throws {
    let one = try TestSnapshot.of(("a", [1]))
    let mirror = Mirrored(one, at: ListPosition(epoch: "e", revision: 4))
    let wrong = ListUpdate(
      revision: 5, previous: 4, changes: ListChanges(rows: Changeset(deletes: [RowPath(section: 0, row: 7)])),
      snapshot: one)
    await #expect(throws: WireError.negativeRevision(-1)) {
      try await mirror.receive(.initial(revision: -1, snapshot: one, epoch: "e"))
    }
    #expect(await mirror.state == .following(ListPosition(epoch: "e", revision: 4)))
    await #expect(throws: WireError.self) { try await mirror.receive(Message(wrong, epoch: "e")) }
    #expect(await mirror.snapshot == one)
    #expect(await mirror.state == .waiting(for: .wholeList))
    #expect(await mirror.revision == 0)
  }

  @Test func `a mirror that changes do not fit asks for the whole list, also by its position, and is mended by it`()
    async throws
  {
    let start = try TestSnapshot.of(("a", Array(0..<50)))
    let store = TestStore(start, epoch: "e", history: .last(9))
    let former = Mirrored(try .of(("a", [1])), at: ListPosition(epoch: "e", revision: 0))
    try await store.edit { try $0.update(7) { $0.text = "new" } }
    let message = try #require(await store.message(since: former.position))
    await #expect(throws: WireError.self) { try await former.receive(message) }
    #expect(await former.state == .waiting(for: .wholeList))
    let next = try #require(await store.message(since: former.position))
    try await former.receive(next)
    let (list, expected) = await (former.snapshot, store.snapshot)
    #expect(list == expected)
    #expect(await former.state == .following(store.position))
  }

  @Test func `a store has no epoch that a message cannot have`() async {
    await #expect(processExitsWith: .failure) { _ = TestStore(epoch: String(repeating: "e", count: 65)) }
  }
}

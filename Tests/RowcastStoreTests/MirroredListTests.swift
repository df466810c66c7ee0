import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// The state of a mirror, watched.
@Suite(.watched) struct MirrorStateTests {
  typealias Mirrored = MirroredList<TestSection, TestRow>

  private static func at(_ revision: Int, _ epoch: String = "e") -> ListPosition {
    ListPosition(epoch: epoch, revision: revision)
  }

  @Test func `each state is told when it comes, and the stream ends with the mirror`() async throws {
    var mirror: Mirrored? = Mirrored()
    var states = try #require(mirror).states.makeAsyncIterator()
    #expect(await states.next() == .waiting(for: .wholeList))
    let list = try TestSnapshot.of(("a", [1]))
    try await mirror?.receive(.initial(revision: 3, snapshot: list, epoch: "e"))
    #expect(await states.next() == .following(Self.at(3)))
    try await mirror?.receive(.end(revision: 5, updates: 4, epoch: "e"))
    #expect(await states.next() == .waiting(for: .changes(since: Self.at(3))))
    try await mirror?.receive(.initial(revision: 5, snapshot: list, epoch: "e"))
    #expect(await states.next() == .following(Self.at(5)))
    try await mirror?.receive(.end(revision: 5, updates: 4, epoch: "e"))
    #expect(await states.next() == .ended(Self.at(5)))
    mirror = nil
    #expect(await states.next() == nil)
  }

  @Test func `a reader of states that is slow gets the newest, and messages that change none tell none`() async throws {
    let mirror = Mirrored()
    var states = mirror.states.makeAsyncIterator()
    _ = await states.next()
    for revision in 1...9 {
      try await mirror.receive(.initial(revision: revision, snapshot: .init(), epoch: "e"))
    }
    #expect(await states.next() == .following(Self.at(9)))
    for _ in 0..<2 { try await mirror.receive(.initial(revision: 9, snapshot: .init(), epoch: "e")) }
    try await mirror.receive(.end(revision: 9, updates: 9, epoch: "e"))
    #expect(await states.next() == .ended(Self.at(9)))
  }

  @Test func `errors of a mirror are typed`() async throws {
    let mirror = Mirrored()
    do {
      try await mirror.receive(.initial(revision: -1, snapshot: .init(), epoch: "e"))
      Issue.record("a negative revision was taken")
    } catch {
      // This compiles only where the error has its type.
      let error: WireError = error
      #expect(error == .negativeRevision(-1))
    }
  }

  @Test func `a store has no epoch that a message cannot have`() async {
    await #expect(processExitsWith: .failure) { _ = TestStore(epoch: String(repeating: "e", count: 65)) }
  }
}

/// Mirrors that are kept elsewhere, as one value.
@Suite(.watched) struct MirrorCheckpointTests {
  private typealias Message = WireMessage<TestSection, TestRow>
  private typealias Mirror = MirroredList<TestSection, TestRow>

  /// A new mirror from what another one was, through a file.
  private static func restored(_ mirror: Mirror) async throws -> Mirror {
    let new = Mirror()
    if let checkpoint = await mirror.checkpoint {
      let data = try JSONEncoder().encode(checkpoint)
      try await new.receive(try JSONDecoder().decode(Message.self, from: data))
    }
    return new
  }

  @Test func `a mirror that is made of a checkpoint resumes, whatever run its list is in`() async throws {
    var random = SeededGenerator.forFuzzing("checkpoints")
    for round in 0..<SeededGenerator.rounds(4, long: 500) {
      let store = TestStore(epoch: "e0", history: .last(100))
      var mirror = Mirror()
      for _ in 0..<30 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: await store.core.beginRun()
        case 1:
          if let message = await store.message(since: await mirror.position) { try await mirror.receive(message) }
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
    let store = TestStore(epoch: "e", history: .last(1_000))
    let mirror = Mirror()
    let messages = store.updates()
    let following = Task { for await update in messages { try await mirror.receive(Message(update)) } }
    let reading = Task {
      var checkpoints: [Message] = []
      while !Task.isCancelled {
        if let checkpoint = await mirror.checkpoint, checkpoint.revision != checkpoints.last?.revision {
          checkpoints.append(checkpoint)
        }
        await Task.yield()
      }
      return checkpoints
    }
    try await store.edit { try $0.append(TestSection("a")) }
    for id in 1...200 {
      try await store.edit { try $0.append(TestRow(id), to: "a") }
      await Task.yield()
    }
    await eventually { await mirror.position?.revision == 201 }
    await store.finish()
    try await following.value
    reading.cancel()
    for case .initial(let revision, let list, _, _) in await reading.value {
      #expect(list.rowCount == max(0, revision - 1))
    }
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

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  typealias Snapshot = ListSnapshot<TestSection, Row>

  /// The origin of the messages: one operation each, with the changes that it makes.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Writer {
    var draft: ListDraft<TestSection, Row>
    var next: Int

    mutating func change(_ random: inout SeededGenerator) -> ListChanges {
      let before = draft.snapshot
      let section = Int.random(in: 0..<before.sectionCount, using: &random)
      let count = before.rowCount(inSection: section)
      let path = RowPath(section: section, row: Int.random(in: 0..<count, using: &random))
      next += 1
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where count > 100: draft.removeRow(at: path)
      case 1: draft.insertRow(Row(next), at: path)
      case 2:
        draft.moveRow(from: path, to: RowPath(section: section, row: Int.random(in: 0..<count, using: &random)))
      default:
        var row = before.row(at: path)
        row.text = "\(next)"
        draft.replaceRow(at: path, with: row)
      }
      draft.commit()
      return before.changes(to: draft.snapshot)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a message costs a mirror, and a store that it is applied to, the same after many others`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("long streams")
    let count = 10_000
    let list = Snapshot(
      unchecked: (0..<20).map { section in
        ListSection(TestSection("s\(section)"), rows: (0..<count / 20).map { Row(section * count + $0) })
      })
    var writer = Writer(draft: ListDraft(list), next: count * 20)
    var mirror = WireReader<TestSection, Row>(list, at: ListPosition(epoch: "", revision: 0))
    let store = ListStore(list)
    var costs: [(mirror: Int, store: Int)] = []
    let messages = SeededGenerator.rounds(2_000, long: 200_000)
    for revision in 1...messages {
      let changes = writer.change(&random)
      let message = WireMessage(
        ListUpdate(revision: revision, previous: revision - 1, changes: changes, snapshot: writer.draft.snapshot))
      let start = Row.calls.value
      let folded = try mirror.fold(message)
      let middle = Row.calls.value
      // A message without changes is no update.
      if let update = folded { try await store.edit { try $0.apply(update) } }
      if revision % (messages / 10) == 1 { costs.append((0, 0)) }
      costs[costs.count - 1].mirror += middle - start
      costs[costs.count - 1].store += Row.calls.value - middle
    }
    #expect(mirror.snapshot == writer.draft.snapshot, "seed \(random.seed)")
    #expect(await store.snapshot == writer.draft.snapshot, "seed \(random.seed)")
    let tenth = messages / 10
    for cost in costs {
      #expect(cost.mirror < 200 * tenth && cost.store < 250 * tenth, "seed \(random.seed): \(costs)")
      #expect(
        cost.mirror < costs[0].mirror * 3 / 2 && cost.store < costs[0].store * 3 / 2, "seed \(random.seed): \(costs)")
    }
  }
}

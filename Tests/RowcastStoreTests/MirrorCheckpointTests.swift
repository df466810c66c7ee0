import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

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

  @Test func `a mirror without a position has no checkpoint`() async throws {
    let mirror = Mirror()
    #expect(await mirror.checkpoint == nil)
    try await mirror.receive(.initial(revision: 3, snapshot: .init(), epoch: "e"))
    #expect(await mirror.checkpoint == .initial(revision: 3, snapshot: .init(), epoch: "e"))
  }

  @Test func `a mirror that is made of a checkpoint resumes, whatever run its list is in`() async throws {
    var random = SeededGenerator.forFuzzing("checkpoints")
    for round in 0..<SeededGenerator.rounds(20, long: 500) {
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

import Foundation
import Testing

@Suite(.watched) struct WireWriterTests {
  typealias Writer = WireWriter<TestSection, TestRow>

  private func update(_ revision: Int) throws -> TestUpdate {
    let list = try TestSnapshot.of(("a", Array(0..<revision)))
    if revision == 0 { return TestUpdate(initial: list, revision: 0) }
    return try .next(list, after: .of(("a", Array(0..<revision - 1))), at: at("", revision - 1))
  }

  /// The revisions at which the whole list is written, the first one included.
  private func wholeLists(_ keyframes: KeyframePolicy, seconds: [Int]) throws -> [Int] {
    var writer = Writer(epoch: "e", keyframes: keyframes)
    var mirror = Mirror()
    var found: [Int] = []
    for (revision, second) in seconds.enumerated() {
      let update = try update(revision)
      for message in writer.messages(for: update, at: .seconds(second)) {
        if case .initial(let revision, _, "e", _) = message { found.append(revision) }
        // A keyframe says nothing new to a mirror in step.
        let folded = try mirror.fold(message)
        #expect(folded == nil || folded?.revision == revision)
      }
      #expect(mirror.snapshot == update.snapshot)
    }
    return found
  }

  @Test(arguments: [
    (KeyframePolicy.never, Array(0..<20), [0]),
    (KeyframePolicy(everyUpdates: 5), Array(0..<17), [0, 5, 10, 15]),
    (KeyframePolicy(every: .seconds(10)), [0, 1, 2, 9, 10, 11, 12, 50, 51, 61], [0, 4, 7, 9]),
    // Of two limits the first that is reached counts.
    (KeyframePolicy(everyUpdates: 3, every: .seconds(10)), [0, 1, 2, 3, 4, 20, 21, 22, 23], [0, 3, 5, 8]),
  ])
  func `keyframes come after every so many updates, and with the first one after some time`(
    keyframes: KeyframePolicy, seconds: [Int], revisions: [Int]
  ) throws {
    #expect(try wholeLists(keyframes, seconds: seconds) == revisions)
  }
}

/// Which message is the shorter one: what changed, or the whole list.
@Suite struct WireSizeTests {
  private func bytes(_ message: Message) throws -> Int { try JSONEncoder().encode(message).count }

  private func isWhole(_ update: TestUpdate) -> Bool {
    guard case .initial(5, update.snapshot, "e", Lineage()) = Message(shortest: update, epoch: "e") else {
      return false
    }
    return true
  }

  @Test func `few changes are sent as such, and those of nearly all rows as the whole list`() throws {
    let all = try TestSnapshot.of(("a", Array(0..<1_000)))
    #expect(!isWhole(update(from: all, to: try .of(("a", Array(1..<1_000))))))
    #expect(!isWhole(update(from: all, to: try .of(("a", Array(0..<500))))))
    #expect(isWhole(update(from: all, to: try .of(("a", Array(0..<50))))))
    #expect(isWhole(update(from: all, to: .init())))
    #expect(isWhole(update(from: .init(), to: all)))
    #expect(isWhole(update(from: all, to: try .of(("a", Array(2_000..<3_000))))))
    #expect(!isWhole(update(from: all, to: try .of(("a", Array(500..<1_000) + Array(0..<500))))))
    #expect(isWhole(TestUpdate(initial: all, revision: 5)))
  }

  @Test func `the message that is sent has at most four times the bytes of the other`() throws {
    var random = SeededGenerator.forFuzzing("shortest messages")
    // Enough that their share is not chance.
    let rounds = 1_000
    var wholes = 0
    for round in 0..<rounds {
      let text = String(repeating: "x", count: [0, 30, 150].randomElement(using: &random) ?? 0)
      let (before, after) = try (Self.list(text, &random), Self.list(text, &random))
      let update = update(from: before, to: after)
      let sent = Message(shortest: update, epoch: "e")
      let whole = Message.initial(revision: 5, snapshot: after, epoch: "e")
      let shorter = try min(bytes(whole), bytes(Message(update, epoch: "e")))
      if sent == whole { wholes += 1 }
      // A row of these has 177 bytes at most, and counts as 48. The fields around the operations count for nothing in lists that
      // are longer than these.
      #expect(try bytes(sent) <= 4 * shorter + 200, "seed \(random.seed), round \(round)")
    }
    #expect(wholes > rounds / 10 && wholes < rounds * 9 / 10, "seed \(random.seed): \(wholes) of \(rounds)")
  }

  /// A list of a few sections; two of them have most rows in common, in the same order.
  private static func list(_ text: String, _ random: inout SeededGenerator) throws -> TestSnapshot {
    let share = Int.random(in: 1...100, using: &random)
    let ids = (0..<200).filter { _ in Int.random(in: 0..<100, using: &random) < share }
    let changed = Int.random(in: 0..<100, using: &random)
    return try TestSnapshot(
      (0..<4).map { section in
        ListSection(
          TestSection("s\(section)"),
          rows: ids.filter { $0 / 50 == section }
            .map { TestRow($0, text + (Int.random(in: 0..<100, using: &random) < changed ? "!" : "")) })
      })
  }
}

import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// Which message is the shorter one: what changed, or the whole list.
@Suite struct WireSizeTests {
  typealias Message = WireMessage<TestSection, TestRow>

  private func bytes(_ message: Message) throws -> Int { try JSONEncoder().encode(message).count }

  private func update(from before: TestSnapshot, to after: TestSnapshot) -> TestUpdate {
    TestUpdate(revision: 5, previous: 3, changes: before.changes(to: after), snapshot: after)
  }

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
    // Enough that their share is no chance.
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

import Rowcast
import RowcastConsole

/// The messages that the person writes: shown at once, and sent to a server that is slow and refuses a third of them.
actor ChatWriter {
  private struct Busy: Error, CustomStringConvertible { let description = "the server is busy" }

  private let shown: OptimisticList<Group, Item>
  private let delay: Duration
  private var random: SplitMix64
  private var count = 0
  /// The messages that were refused, the oldest first.
  private var refused: [String] = []

  init(_ shown: OptimisticList<Group, Item>, delay: Duration, seed: UInt64) {
    (self.shown, self.delay, random) = (shown, delay, SplitMix64(seed: seed))
  }

  nonisolated var commands: [KeyCommand<Item.ID>] {
    [
      KeyCommand("w", label: "write", help: "write a message", sending: "you: ") { await self.send($0) },
      KeyCommand("r", label: "again", help: "send the oldest refused message again") { _ in await self.sendAgain() },
    ]
  }

  private func send(_ text: String) async -> String? {
    count += 1
    let message = Item(id: "you \(count)", title: "you", subtitle: text, kind: "text")
    do {
      try await shown.edit {
        try $0.append(message, to: ChatScript.section)
      } confirming: {
        try await answer()
      }
      return nil
    } catch {
      refused.append(text)
      return "“\(text)” was not sent: \(error); r sends it again"
    }
  }

  private func sendAgain() async -> String? {
    refused.isEmpty ? "every message was sent" : await send(refused.removeFirst())
  }

  /// Waits for the answer of the server.
  private func answer() async throws {
    let isRefused = Int.random(in: 0..<3, using: &random) == 0
    try await Task.sleep(for: delay)
    if isRefused { throw Busy() }
  }
}

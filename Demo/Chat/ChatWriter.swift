import Rowcast
import RowcastConsole

/// The messages that the person writes: shown at once, and sent to a server that is slow and refuses a third of them. They are
/// shown and answered in the order in which they were written.
///
/// Undo takes the person's last message back. What others say is not the person's to take back.
actor ChatWriter: Undoing {
  private struct Busy: Error, CustomStringConvertible { let description = "the server is busy" }

  /// A message that was taken back, and the one that was below it.
  private typealias TakenBack = (message: Item, next: Item.ID?)

  private let store: Store
  private let shown: OptimisticList<Group, Item>
  private let delay: Duration
  private var random: SplitMix64
  private var count = 0
  /// The messages that were refused, the oldest first.
  private var refused: [String] = []
  /// The number of messages that are not answered yet.
  private var unanswered = 0
  /// Two streams that end when the newest message is shown, and when it is answered.
  private var newest: (isShown: AsyncStream<Void>, isAnswered: AsyncStream<Void>)?
  private var turns = Turns()
  /// The messages that were sent, and the messages that were taken back, the newest last.
  private var (sent, takenBack) = ([Item.ID](), [TakenBack]())

  init(_ shown: OptimisticList<Group, Item>, in store: Store, delay: Duration, seed: UInt64) {
    (self.shown, self.store, self.delay, random) = (shown, store, delay, SplitMix64(seed: seed))
  }

  nonisolated var commands: [KeyCommand<Item.ID>] {
    [
      KeyCommand("w", label: "write", help: "write a message", sending: "you: ") { await self.send($0) },
      KeyCommand("r", label: "again", help: "send the oldest refused message again") { _ in await self.sendAgain() },
    ]
  }

  private func send(_ text: String) async -> String? {
    count += 1
    unanswered += 1
    let (isShown, show) = AsyncStream.makeStream(of: Void.self)
    let (isAnswered, end) = AsyncStream.makeStream(of: Void.self)
    let before = newest
    newest = (isShown, isAnswered)
    defer {
      unanswered -= 1
      show.finish()
      end.finish()
    }
    let message = Item(id: "you \(count)", title: "you", subtitle: text, kind: "text")
    if let before { for await _ in before.isShown {} }
    do {
      try await shown.edit {
        try $0.append(message, to: ChatScript.section)
      } confirming: {
        show.finish()
        try await answer(after: before?.isAnswered)
      }
      sent.append(message.id)
      takenBack = []
      return nil
    } catch {
      refused.append(text)
      return "“\(text)” was not sent: \(error); r sends it again"
    }
  }

  private func sendAgain() async -> String? {
    refused.isEmpty ? "every message was sent" : await send(refused.removeFirst())
  }

  func undo() async -> String? { await turns.add { await self.takeBack() }.value }

  func redo() async -> String? { await turns.add { await self.bringBack() }.value }

  private func takeBack() async -> String? {
    guard unanswered == 0 else { return "a message is on its way: u takes it back once it has been sent" }
    guard let id = sent.popLast() else { return "there is no message of yours to take back" }
    do {
      takenBack.append(
        try await store.edit { list throws -> TakenBack in
          let ids = list.snapshot.allRows.map(\.id)
          let next = ids.drop { $0 != id }.dropFirst().first
          return (try list.remove(id), next)
        })
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func bringBack() async -> String? {
    guard let (message, next) = takenBack.popLast() else { return "no message was taken back" }
    do {
      try await store.edit { list in
        // The row below it may have been removed: a typing row disappears with the message.
        guard let next, let path = list.path(ofRow: next) else {
          return try list.append(message, to: ChatScript.section)
        }
        try list.insert(message, at: path)
      }
      sent.append(message.id)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Waits for the answer of the server, which follows that to the message before.
  private func answer(after before: AsyncStream<Void>?) async throws {
    let isRefused = Int.random(in: 0..<3, using: &random) == 0
    try await Task.sleep(for: delay)
    if let before { for await _ in before {} }
    if isRefused { throw Busy() }
  }
}

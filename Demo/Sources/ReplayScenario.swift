import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// Folds a recording and shows each of the lists that it leads to.
  func replay(_ descriptor: Int32) async throws {
    do {
      try await attach(Recording(lines: FileLines(descriptor: descriptor))) { _, _ in
        .stop
      } apply: { list, entry in
        if let update = entry.update { try list.apply(update) }
      }
    } catch let error as FileError {
      throw StartError(description: "cannot read \(options.operand ?? "-"): \(error)", exitCode: 1)
    }
  }
}

/// The messages of a recording, and what they mean.
struct Recording: AsyncSequence, Sendable {
  struct Entry: Sendable {
    var line: TextLine
    var message: Message
    /// What the message means; `nil` for the end.
    var update: Update?
  }

  let lines: FileLines

  struct AsyncIterator: AsyncIteratorProtocol {
    var lines: FileLines.AsyncIterator
    var mirror = ListMirror<Group, Item>()

    mutating func next() async throws -> Entry? {
      while let line = try await lines.next() {
        guard let message = try JSONLines.value(Message.self, on: line)?.get() else { continue }
        do {
          return Entry(line: line, message: message, update: try mirror.fold(message))
        } catch {
          throw BadLine(number: line.number, reason: "\(error)")
        }
      }
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines: lines.makeAsyncIterator()) }
}

import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// Folds a recording and shows each of the lists that it leads to.
  func replay(_ descriptor: Int32) async throws {
    do {
      try await attach(Recording(lines: FileLines(descriptor: descriptor))) { _, _ in
        .stop
      } apply: { list, snapshot in
        list.replace(with: snapshot)
      }
    } catch let error as FileError {
      throw StartError(description: "cannot read \(options.operand ?? "-"): \(error)", exitCode: 1)
    }
  }
}

/// The lists that a recorded stream of updates leads to.
struct Recording: AsyncSequence, Sendable {
  let lines: FileLines

  struct AsyncIterator: AsyncIteratorProtocol {
    var lines: FileLines.AsyncIterator
    var list = Snapshot()
    var revision: Int?

    mutating func next() async throws -> Snapshot? {
      while let line = try await lines.next() {
        guard let message = try JSONLines.value(Message.self, on: line)?.get() else { continue }
        do {
          list = try message.folded(onto: list, revision: revision)
        } catch {
          throw BadLine(number: line.number, reason: "\(error)")
        }
        revision = message.revision
        return list
      }
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines: lines.makeAsyncIterator()) }
}

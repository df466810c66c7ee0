import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// Folds a recording and shows each of the lists that it leads to.
  func replay(_ descriptor: Int32) async throws {
    do {
      try await replay(ReportedLines(descriptor, named: options.inputName, diagnostics))
    } catch {
      throw options.naming(inRecording: error)
    }
  }

  /// The same for the lines of a recording.
  func replay<Lines: AsyncSequence & Sendable & SendableMetatype>(_ lines: Lines) async throws
  where Lines.Element == TextLine, Lines.AsyncIterator: SendableMetatype {
    try await attach(Recording(lines: lines, joins: options.join)) { _, _ in
      .stop
    } apply: { list, entry in
      if let update = entry.update { try list.apply(update) }
    }
  }
}

/// The messages of a recording, and what they mean.
struct Recording<Lines: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Lines.Element == TextLine, Lines.AsyncIterator: SendableMetatype {
  struct Entry: Sendable {
    var line: TextLine
    var message: Message
    /// What the message means; `nil` if it changes nothing, like the end, or a run of an archive.
    var update: Update?
  }

  let lines: Lines
  /// Whether messages may be missing.
  let joins: Bool

  struct AsyncIterator: AsyncIteratorProtocol {
    var lines: Lines.AsyncIterator
    let joins: Bool
    var mirror = WireReader<Group, Item>()

    mutating func next() async throws -> Entry? {
      while let line = try await lines.next() {
        guard let value = JSONLines.value(Message.self, on: line) else { continue }
        // What was cut on its way is missing like what was lost.
        if joins, (try? value.get()) == nil { continue }
        let message = try value.get()
        do {
          return Entry(line: line, message: message, update: try take(message))
        } catch {
          var reason = "\(error)"
          if case .wrongRevision = error {
            reason += "; replay --join continues at the next whole list, and with --json records what it shows"
          }
          throw BadLine(number: line.number, reason: reason)
        }
      }
      if joins, case .waiting(let need) = mirror.state { throw StreamEnded(need: need) }
      return nil
    }

    private mutating func take(_ message: Message) throws(WireError) -> Update? {
      guard joins else { return try mirror.fold(message) }
      return try mirror.receive(message)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines: lines.makeAsyncIterator(), joins: joins) }
}

/// A stream that ended before its mirror had all of it.
struct StreamEnded: Error, CustomStringConvertible {
  let need: MirrorNeed

  var description: String {
    "the stream ended while waiting for \(need); its writer repeats the whole list with --keyframe N"
  }
}

import RowcastConsole

/// One line of a text that arrives in pieces.
struct Line: Equatable, Sendable {
  /// The line's number, from 1.
  var number: Int
  /// The line without its end; `nil` if it was longer than can be taken.
  var bytes: [UInt8]?
}

/// Cuts chunks of bytes into lines. A last line without an end counts; a carriage return before the end does not.
struct LineCutter {
  /// The longest line that is kept, in bytes.
  let limit: Int
  private var partial: [UInt8] = []
  private var isOverlong = false
  private var number = 0

  init(limit: Int = 16 * 1_024 * 1_024) {
    self.limit = limit
  }

  /// The lines that a chunk completes.
  mutating func lines(in chunk: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = chunk[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end])
      lines.append(cut())
      rest = rest[(end + 1)...]
    }
    keep(rest)
    return lines
  }

  /// The line at the end of the input, if it has no end of its own.
  mutating func last() -> Line? { partial.isEmpty && !isOverlong ? nil : cut() }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    if partial.count + bytes.count > limit {
      isOverlong = true
      partial = []
    } else if !isOverlong {
      partial += bytes
    }
  }

  private mutating func cut() -> Line {
    number += 1
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    defer {
      partial = []
      isOverlong = false
    }
    return Line(number: number, bytes: isOverlong ? nil : partial)
  }
}

/// The lines of a file or a pipe, as they arrive.
struct Lines: AsyncSequence, Sendable {
  let input: InputBytes

  init(descriptor: Int32) {
    input = InputBytes(descriptor: descriptor)
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var chunks: InputBytes.AsyncIterator
    var cutter = LineCutter()
    var ready: ArraySlice<Line> = []

    mutating func next() async throws -> Line? {
      while true {
        if let line = ready.popFirst() { return line }
        guard let chunk = try await chunks.next() else { return cutter.last() }
        ready = cutter.lines(in: chunk)[...]
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: input.makeAsyncIterator()) }
}

import RowcastDiff

/// Cuts chunks of bytes into lines. A carriage return before the end of a line is no part of it.
package struct LineCutter: Sendable {
  /// The most bytes that are kept of a line.
  package let limit: Int
  private var partial: [UInt8] = []
  private var isTruncated = false
  private var number = 0

  package init(limit: Int) {
    require(limit > 0, "A line must be limited to at least 1 byte, got \(limit)")
    self.limit = limit
  }

  package mutating func lines(in chunk: [UInt8]) -> [TextLine] { lines(in: chunk[...]) }

  /// The lines that a chunk completes.
  package mutating func lines(in chunk: ArraySlice<UInt8>) -> [TextLine] {
    var lines: [TextLine] = []
    var rest = chunk
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end])
      lines.append(cut())
      rest = rest[(end + 1)...]
    }
    keep(rest)
    return lines
  }

  /// The last line of the input, if no line break ends it.
  package mutating func last() -> TextLine? { partial.isEmpty && !isTruncated ? nil : cut() }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    let room = limit - partial.count
    isTruncated = isTruncated || bytes.count > room
    partial += bytes.prefix(room)
    assert(
      isTruncated ? partial.count == limit : partial.count <= limit,
      "\(partial.count) bytes are kept of a line, not \(limit)")
  }

  private mutating func cut() -> TextLine {
    number += 1
    if !isTruncated, partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    defer {
      partial = []
      isTruncated = false
    }
    return TextLine(number: number, bytes: partial, isTruncated: isTruncated)
  }
}

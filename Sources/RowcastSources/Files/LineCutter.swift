import RowcastDiff

/// Cuts chunks of bytes into lines. A carriage return before the end of a line is no part of it.
package struct LineCutter: Sendable {
  /// The most bytes that are kept of a line.
  package let limit: Int
  private var partial: [UInt8] = []
  private var isCut = false
  private var number = 0

  package init(limit: Int) {
    require(limit > 0, "A line cannot be limited to \(limit) bytes; use 1 or more")
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

  /// The line at the end of the input, if it has no end of its own.
  package mutating func last() -> TextLine? { partial.isEmpty && !isCut ? nil : cut() }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    let room = limit - partial.count
    isCut = isCut || bytes.count > room
    partial += bytes.prefix(room)
    assert(isCut ? partial.count == limit : partial.count <= limit, "A line of \(limit) bytes has \(partial.count)")
  }

  private mutating func cut() -> TextLine {
    number += 1
    if !isCut, partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    defer {
      partial = []
      isCut = false
    }
    return TextLine(number: number, bytes: partial, isCut: isCut)
  }
}

import RowcastDiff

/// Cuts chunks of bytes into lines. A trailing carriage return is dropped, and so is a byte order mark at the beginning of the
/// input.
package struct LineCutter: Sendable {
  /// The greatest number of bytes that are kept of a line.
  package let limit: Int
  /// The bytes that are kept of the line.
  private var partial: [UInt8] = []
  /// The number of all its bytes, and the last one, kept or not.
  private var (size, end) = (0, UInt8(0))
  private var number = 0
  /// True if the line is the first of the input.
  private var isFirst = true

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
  package mutating func last() -> TextLine? { size == 0 || isMark ? nil : cut() }

  /// The line that is not complete, as far as it is known; `nil` if there is none.
  package var incomplete: TextLine? {
    var copy = self
    var line = copy.last()
    line?.isComplete = false
    return line
  }

  /// True if there is a byte order mark, and nothing else yet.
  private var isMark: Bool { isFirst && partial == Self.mark && size == partial.count }
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The number of bytes of the line that is not complete.
  package var incompleteSize: Int { size }

  /// To be called if the input is not read from its beginning.
  package mutating func skipBeginning() { isFirst = false }

  /// To be called at the beginning of another input. An incomplete line is dropped; after a call of ``last()`` that is at most a
  /// byte order mark.
  package mutating func begin() { (partial, size, end, isFirst) = ([], 0, 0, true) }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    // The mark does not count towards the limit.
    partial += bytes.prefix(limit + Self.mark.count - partial.count)
    (size, end) = (size + bytes.count, bytes.last ?? end)
    assert(
      partial.count == min(size, limit + Self.mark.count),
      "\(partial.count) of \(size) bytes are kept of a line, limit \(limit)")
  }

  private mutating func cut() -> TextLine {
    number += 1
    if isFirst, partial.starts(with: Self.mark) {
      partial = Array(partial.dropFirst(Self.mark.count))
      size -= Self.mark.count
    }
    isFirst = false
    if end == UInt8(ascii: "\r") { size -= 1 }
    defer { (partial, size, end) = ([], 0, 0) }
    return TextLine(number: number, bytes: Array(partial.prefix(min(size, limit))), isTruncated: size > limit)
  }
}

/// A line of a text that arrives in pieces.
public struct TextLine: Hashable, Sendable {
  /// The number of the line, from 1, counted from where reading began.
  public var number: Int
  /// The line without its end.
  public var bytes: [UInt8]
  /// True if the line was longer than the limit, and ``bytes`` is its beginning.
  public var isTruncated: Bool
  /// False for the beginning of a line whose end has not been written yet: the line follows, with the same number. Only a
  /// ``FollowedFile`` that is asked for such lines has them.
  public var isComplete: Bool

  /// Creates a line.
  package init(number: Int, bytes: [UInt8], isTruncated: Bool = false, isComplete: Bool = true) {
    self.number = number
    self.bytes = bytes
    self.isTruncated = isTruncated
    self.isComplete = isComplete
  }

  /// The line as text. Bytes that are not UTF-8 are replaced by U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

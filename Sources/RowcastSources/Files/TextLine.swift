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

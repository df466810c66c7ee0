public import RowcastModel

/// What an ``EncodedList`` has sent to its connections, for who operates a server.
public struct LineFigures: Hashable, Sendable {
  /// The connections whose streams are kept.
  public var connections = 0
  /// The oldest position that one of them was sent last. A connection that does not read keeps the list at its position in memory.
  /// `nil` if no connection was sent a line.
  public var oldest: ListPosition?
  /// The newest position that was sent.
  public var newest: ListPosition?
  /// The number of revisions that were sent to at least one connection.
  public var revisions = 0
  /// The number of lines that were sent, heartbeats and ends included.
  public var lines = 0
  /// The number of lines that were encoded.
  public var encodings = 0
  /// The length of the lines that were sent, if they are strings, or collections of bytes like `Data`; 0 if they are not.
  public var bytes = 0

  /// Creates figures of nothing.
  package init() {}

  /// The number of lines that were sent without being encoded for their connection.
  public var sharedLines: Int { max(0, lines - encodings) }
}

extension LineFigures: CustomStringConvertible {
  /// The numbers in words.
  public var description: String {
    let sent = "\(connections) connections, \(lines) lines of \(bytes) bytes, \(encodings) encoded"
    let upTo = newest.map { ", \(revisions) revisions up to \($0)" } ?? ""
    return sent + upTo + (oldest.map { ", the oldest at \($0)" } ?? "")
  }
}

/// A moment in the history of one list, from which a stream of updates can continue.
///
/// One position never names two lists.
public struct ListPosition: Hashable, Sendable, Codable {
  /// The run of the list: a random text that each store draws when it is made, and each file when it is opened.
  public var epoch: String
  /// The revision of the list.
  public var revision: Int

  /// Creates a position from the epoch of a run and one of its revisions.
  public init(epoch: String, revision: Int) {
    self.epoch = epoch
    self.revision = revision
  }

  /// The greatest number of bytes of an epoch in a message.
  package static var longestEpoch: Int { 64 }

  /// The last revision in a message. JSON does not represent all larger integers (RFC 8259, section 6).
  package static var lastRevision: Int { Int(clamping: Int64(1) << 53 - 1) }

  /// The epoch of a new run.
  @usableFromInline
  package static func randomEpoch() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }
}

extension ListPosition: CustomStringConvertible {
  /// The revision, and the epoch that it belongs to.
  public var description: String { epoch.isEmpty ? "revision \(revision)" : "revision \(revision) of \(epoch)" }
}

extension ListPosition {
  /// Reads a position from the text that `String(position)` makes; `nil` for any other text, also for one with an epoch of more
  /// than 64 bytes.
  ///
  /// - Parameter text: The epoch, a slash, and the revision. The epoch may contain slashes.
  public init?(_ text: some StringProtocol) {
    let text = Substring(text)
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let (epoch, digits) = (text[..<slash], text.utf8[text.utf8.index(after: slash)...])
    if digits.isEmpty || epoch.utf8.count > Self.longestEpoch { return nil }
    var revision: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      revision = 10 * revision + Int64(digit - UInt8(ascii: "0"))
      if revision > Int64(Self.lastRevision) { return nil }
    }
    self.init(epoch: String(epoch), revision: Int(revision))
  }
}

extension String {
  /// Creates a text that `ListPosition(text)` reads: the id of an event, a query, a header.
  public init(_ position: ListPosition) { self = "\(position.epoch)/\(position.revision)" }
}

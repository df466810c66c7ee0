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

  /// The most bytes of an epoch in a message.
  package static var longestEpoch: Int { 64 }

  /// The last revision in a message. JSON does not represent all larger integers (RFC 8259, section 6).
  static var lastRevision: Int { Int(clamping: Int64(1) << 53 - 1) }

  /// The epoch of a new run.
  @usableFromInline
  package static func randomEpoch() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }
}

extension ListPosition: CustomStringConvertible {
  /// The revision, and the epoch that it belongs to.
  public var description: String { epoch.isEmpty ? "revision \(revision)" : "revision \(revision) of \(epoch)" }
}

extension ListPosition {
  /// Reads a position from a text that `String(position)` made: the id of an event, a query. The result is `nil` for any other text.
  ///
  /// - Parameter text: An epoch, which may have slashes itself, a slash, and a revision.
  public init?(_ text: String) {
    guard let slash = text.lastIndex(of: "/") else { return nil }
    let number = text[slash...].dropFirst()
    guard let revision = Int(number), String(revision) == number, (0...Self.lastRevision).contains(revision) else {
      return nil
    }
    self.init(epoch: String(text[..<slash]), revision: revision)
  }
}

extension String {
  /// The text of a position, from which it can be read again.
  ///
  /// - Parameter position: The position of a list.
  public init(_ position: ListPosition) { self = "\(position.epoch)/\(position.revision)" }
}

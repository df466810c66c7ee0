import RowcastDiff
public import RowcastModel

/// Copies of lists that change together in another process: each line changes all of them, or none.
///
///     var shop = MirroredSpace<Shop>()
///     let orders = shop.list(\.orders), customers = shop.list(\.customers)
///     for try await line in connection.lines(since: await shop.beginStream()) {
///       try await shop.receive(JSONDecoder().decode(SpaceMessage<Shop>.self, from: line))
///     }
///
/// The mirrors are stores of one ``ListSpace``: a list that merges, joins or arranges several of them shows each transaction of
/// the writer whole, or not at all. They live as long as the app holds them. Copies of this value receive for the same mirrors.
public struct MirroredSpace<Lists: Codable & Sendable>: Sendable {
  private let space = ListSpace()
  private var parts: [MirrorPart<Lists>] = []

  /// Creates a space without mirrors.
  public init() {}

  /// Creates the mirror of one of the lists. All are made before the first line.
  ///
  /// - Parameter field: The field of its messages, which no other mirror in use has.
  /// - Returns: The mirror. It takes its messages from the lines alone: do not call its `receive(_:)`.
  public mutating func list<Section, Row>(
    _ field: any KeyPath<Lists, WireMessage<Section, Row>?> & Sendable
  ) -> MirroredList<Section, Row> {
    require(
      !parts.contains { $0.receiver != nil && $0.field == field },
      "the field \(field) has a mirror already: use that one wherever its list is needed")
    let mirror = MirroredList<Section, Row>(in: space)
    parts.append(MirrorPart(of: mirror.receiver, field))
    return mirror
  }

  /// Prepares for a new connection, whose first line is trusted.
  ///
  /// - Returns: The positions from which it continues. There is none for a mirror that needs the whole list.
  public func beginStream() async -> [ListPosition] { await perform { $0.compactMap { $0.beginStream() } } }

  /// Applies the messages of a line to all lists in one step.
  ///
  /// A line that changes nothing, because all mirrors have its positions or later ones, is ignored; so are names of lists without
  /// a mirror here.
  ///
  /// - Parameter line: Any line.
  /// - Throws: `WireError.refusedLine(list:_:)` if the message of one list contradicts that list, does not start at the position
  ///   of the mirror, or ends at an earlier one while others have news. Then no list has changed. The mirror of a list that was
  ///   contradicted has no position any more.
  /// - Complexity: The sum of the costs of ``MirroredList/receive(_:)``.
  public func receive(_ line: SpaceMessage<Lists>) async throws(WireError) {
    try await perform { parts in Result { () throws(WireError) in try Self.take(line.lists, parts) } }.get()
  }

  private func perform<Result: Sendable>(_ body: @Sendable ([MirrorPart<Lists>]) -> Result) async -> Result {
    await space.sharedStep { [parts] _ in body(parts) }
  }

  /// Applies a line that brings all mirrors to the positions of their lists at one moment.
  private static func take(_ lists: Lists, _ parts: [MirrorPart<Lists>]) throws(WireError) {
    var (isNews, late, failure) = (false, WireError?.none, WireError?.none)
    // Each list notes what it misses.
    for part in parts {
      do throws(WireError) {
        switch try part.fit(lists) {
        case .apply, .applyOther: isNews = true
        case .skip: break
        case .stale(let error): late = late ?? part.refusal(error)
        case .gap(let error): throw error
        }
      } catch {
        failure = failure ?? part.refusal(error)
      }
    }
    if let failure = failure ?? (isNews ? late : nil) { throw failure }
    try apply(lists, parts[...])
  }

  private static func apply(_ lists: Lists, _ parts: ArraySlice<MirrorPart<Lists>>) throws(WireError) {
    guard let part = parts.first else { return }
    do throws(WireError) {
      try part.apply(lists) { () throws(WireError) in try apply(lists, parts.dropFirst()) }
    } catch {
      throw part.refusal(error)
    }
  }
}

/// A mirror of a space, and the field of its messages. All closures run on the executor of the space.
private struct MirrorPart<Lists>: Sendable {
  /// The app owns the mirror: `nil` when the app has released it.
  weak var receiver: (any Actor)?
  let field: any AnyKeyPath & Sendable
  let beginStream: @Sendable () -> ListPosition?
  let fit: @Sendable (Lists) throws(WireError) -> MirrorProgress.Verdict
  /// Applies the message, and what `rest` applies, or nothing.
  let apply: @Sendable (Lists, _ rest: @Sendable () throws(WireError) -> Void) throws(WireError) -> Void

  init<Section: WireSection, Row: RowViewModel & Codable>(
    of receiver: MirrorReceiver<Section, Row>, _ field: any KeyPath<Lists, WireMessage<Section, Row>?> & Sendable
  ) {
    (self.receiver, self.field) = (receiver, field)
    beginStream = { [weak receiver] in receiver?.assumeIsolated { $0.beginStream() } }
    fit = { [weak receiver] (lists) throws(WireError) in
      guard let receiver, let message = lists[keyPath: field] else { return .skip }
      return try receiver.assumeIsolated { receiver in
        Result { () throws(WireError) in try receiver.fit(message) }
      }.get()
    }
    apply = { [weak receiver] (lists, rest) throws(WireError) in
      guard let receiver, let message = lists[keyPath: field] else { return try rest() }
      _ = try receiver.assumeIsolated { receiver in
        Result { () throws(WireError) in try receiver.fold(message, then: rest) }
      }.get()
    }
  }

  /// The error of a line that was refused for this list, unless it was for another one.
  func refusal(_ error: WireError) -> WireError {
    if case .refusedLine = error { error } else { .refusedLine(list: "\(field)", error) }
  }
}

import RowcastDiff

/// One line of several lists that change together: a ``WireMessage`` for each of them, all of one moment.
///
///     struct Shop: Codable {
///       var orders: WireMessage<SoleSection, Order>?
///       var customers: WireMessage<SoleSection, Customer>?
///     }
///
///     {"v":1,"kind":"space","position":[…],"lists":{"orders":{…},"customers":{…}}}
///
/// The app's type has a field for each list; its coding keys are the names on the wire. A list that has not changed has a
/// `progress` message: a reader that missed a line knows it from any later one, whichever lists that changes. Names that the
/// type does not have are ignored, and a field is `nil` if its name is not in the line: either side may have more lists.
public struct SpaceMessage<Lists: Codable & Sendable>: Sendable {
  /// The position of each list after the line, from which a later connection can continue.
  package var position: [ListPosition]
  /// The messages.
  package var lists: Lists

  /// Creates a line.
  package init(position: [ListPosition], lists: Lists) {
    self.position = position
    self.lists = lists
  }
}

extension SpaceMessage: Codable {
  /// Writes the line in the wire form.
  public func encode(to encoder: any Encoder) throws {
    var line = encoder.container(keyedBy: WireField.self)
    try line.encode(1, forKey: .v)
    try line.encode("space", forKey: .kind)
    try line.encode(position, forKey: .position)
    try line.encode(lists, forKey: .lists)
  }

  /// Reads a line in the wire form. Unknown fields and lists are ignored; without a `position` that is empty.
  public init(from decoder: any Decoder) throws {
    let line = try decoder.container(keyedBy: WireField.self)
    try line.checkVersion()
    let kind = try line.decode(String.self, forKey: .kind)
    guard kind == "space" else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: line, debugDescription: "a line of a space has the kind \"space\", not \"\(kind)\"")
    }
    position = try line.decodeIfPresent([ListPosition].self, forKey: .position) ?? []
    lists = try line.decode(Lists.self, forKey: .lists)
  }
}

/// An id of any type, for lists whose rows or sections have ids of several types.
///
/// Two of them are equal if they hold equal ids of the same type: the message 7 is not the advertisement 7 if their ids
/// are of two types. Finding a row costs more than by an id that is not erased; an enum of the types costs less.
public struct AnyID: Hashable, Sendable {
  /// The id itself.
  public let base: any Hashable & Sendable

  /// Erases an id. Erasing an erased id again changes nothing.
  public init(_ id: some Hashable & Sendable) { base = (id as? AnyID)?.base ?? id }

  /// Returns `true` if both hold equal ids of the same type.
  public static func == (lhs: AnyID, rhs: AnyID) -> Bool { lhs.base.isEqual(to: rhs.base) }

  /// Feeds the type of the id and the id into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: base)))
    base.hash(into: &hasher)
  }
}

extension AnyID: CustomStringConvertible {
  /// The text of the id.
  public var description: String { "\(base)" }
}

extension Equatable {
  /// Returns `true` if the other value has the same type and is equal.
  package func isEqual(to other: any Equatable) -> Bool { (other as? Self) == self }
}

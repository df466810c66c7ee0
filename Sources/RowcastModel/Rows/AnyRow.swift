/// A row of any type whose id is an `ID`: the one erasure, for lists of several row types.
///
/// Rows with ids of several types share the id ``AnyID``: `AnyRow(erasingID: row)`.
///
/// Two erased rows are equal if they hold rows of the same type that are equal. The id is kept unerased, so that finding
/// a row by its id does not pay for the erasure.
///
///     var rows: [AnyRow<UUID>] = [AnyRow(TextMessage(…)), AnyRow(ImageMessage(…))]
public struct AnyRow<ID: Hashable & Sendable>: RowViewModel {
  /// The id of the row.
  public let id: ID
  /// The row itself.
  public let base: any RowViewModel

  /// Erases a row. Erasing an erased row again changes nothing.
  public init(_ row: some RowViewModel<ID>) {
    if let erased = row as? AnyRow<ID> {
      self = erased
    } else {
      id = row.id
      base = row
    }
  }

  /// The reuse identifier of the row that was erased.
  public var reuseIdentifier: String { base.reuseIdentifier }

  /// Returns `true` if both hold rows of the same type that are equal.
  public static func == (lhs: AnyRow, rhs: AnyRow) -> Bool {
    lhs.id == rhs.id && lhs.base.isEqual(to: rhs.base)
  }
}

extension AnyRow where ID == AnyID {
  /// Erases a row and the type of its id. Erasing an erased row again changes nothing.
  ///
  ///     let rows: [AnyRow<AnyID>] = [AnyRow(erasingID: message), AnyRow(erasingID: advertisement)]
  public init(erasingID row: some RowViewModel) {
    if let erased = row as? AnyRow<AnyID> {
      self = erased
    } else {
      id = AnyID(row.id)
      base = row
    }
  }
}

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

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

import RowcastModel
public import RowcastStore

/// Why a list shows a row, or does not; see `explain(_:)` of a live list.
public struct RowExplanation: Sendable {
  let id: String
  /// True if the list has the row.
  public let isShown: Bool
  /// What keeps the row out of the list; or, if the list has it, what is wrong with it. `nil` if nothing is.
  public let reason: String?
}

extension RowExplanation: CustomStringConvertible {
  /// The explanation as a sentence.
  public var description: String {
    guard isShown else { return "row \(id) is not in the list: \(reason ?? "no source has it")" }
    return "row \(id) is in the list" + (reason.map { ", but \($0)" } ?? "")
  }
}

extension LiveList {
  /// Tells why the list has a row, or does not: for a person who debugs, and for the messages of tests.
  ///
  ///     print(await board.explain(7))  // row 7 is not in the list: filter 2 of 2 refuses it
  ///
  /// The list is made once more for this, with all that it is made of, down to its stores; so the closures of its operators run.
  /// The lists of a parameter and of an app's own type are looked at as they are. Of a list that is merged, the explanation is that
  /// of the last list that has the row before an operator leaves it out. A row that has another id in the list, by `keyed` or
  /// `flatMap`, is asked for by that one.
  ///
  /// - Parameter id: The id of the row.
  /// - Returns: The operator that leaves the row out, the error of its mapping, or that no source has it.
  /// - Complexity: That of making the list of n rows, and O(n) for each operator.
  public func explain(_ id: Row.ID) async -> RowExplanation {
    await ViewCore(ListNode.maker(of: self), explaining: id).explanation(of: id)
  }
}

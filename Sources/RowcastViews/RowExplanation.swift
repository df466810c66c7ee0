import RowcastModel
public import RowcastStore

/// Why a list shows a row, or does not; see `explain(_:)` of a live list.
public struct RowExplanation: Sendable {
  let id: String
  /// True if the list has the row.
  public let isShown: Bool
  /// Why the row is not in the list; or, if the list has it, what is wrong with it. `nil` if nothing is.
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
  /// The list is read, and built once more, with all its sources, down to its stores; so the closures of its operators run. The
  /// lists of a parameter and of an app's own type are looked at as they are. A row that only this list has, from before its
  /// mapping failed, or with a value that was loaded, is in the list, and has the error of making it now; that is also the reason
  /// if a later operator leaves it out. A row that only the new list has is not in the list. For a merged list, the explanation
  /// is for the last list that has the row before an operator leaves it out. Ask for rows of `keyed` and `flatMap` by their new
  /// ids.
  ///
  /// - Parameter id: The id of the row.
  /// - Returns: The operator that leaves the row out, the error of its mapping, or that no source has it.
  /// - Complexity: The cost of making the list of n rows, and O(n) for each operator.
  public func explain(_ id: Row.ID) async -> RowExplanation {
    await ViewCore(ListNode.maker(of: self), explaining: id).explanation(of: id, in: self)
  }
}

/// Records, for each operator of a list, whether its output has one row.
///
/// It makes nodes that record their lists. The records are in the order in which lists are brought up to date: a list after its
/// sources.
@usableFromInline
final class RowTrace {
  /// Whether the output of an operator has the row, and the reason if it does not though its input does.
  typealias Step = (hasRow: Bool, refusal: String, failure: (any Error)?)

  let id: AnyHashable
  private var looks: [() -> Step?] = []
  /// Above zero while a list is brought up to date whose rows are others.
  private var asides = 0

  init(_ id: AnyHashable) { self.id = id }

  /// Starts over, as all lists are brought up to date.
  func begin() { looks = [] }

  /// A pull after which a list is recorded, by what `look` finds in it at the end. The row is not in a list with other ids.
  func noting(_ pull: @escaping () -> Bool, _ look: @escaping () -> Step?) -> () -> Bool {
    {
      defer { if self.asides == 0 { self.looks.append(look) } }
      return pull()
    }
  }

  /// A pull that records nothing. `other`, if given, is pulled first, and is recorded instead.
  func aside(_ pull: @escaping () -> Bool, after other: (() -> Bool)? = nil) -> () -> Bool {
    {
      _ = other?()
      self.asides += 1
      defer { self.asides -= 1 }
      return pull()
    }
  }

  static func refusal(_ index: Int, of count: Int) -> String {
    count == 1 ? "a filter refuses it" : "filter \(index + 1) of \(count) refuses it"
  }

  /// The reason why a list does not have the row, or the error of the row that it has. `isMade` says whether the last list has it,
  /// which was made for the explanation and has no rows from before. Releases the nodes: their closures capture this object.
  func reason(isMade: Bool, isShown: Bool) -> String? {
    let steps = exchange(&looks, with: []).compactMap { $0() }
    var step = steps.last
    if isMade, !isShown {
      return
        "only a newly built list has it; this one has rows that it keeps, or values that it has loaded, or was read earlier"
    }
    if !isMade {
      let next = steps.lastIndex { $0.hasRow }.map { $0 + 1 }
      step = next.flatMap { $0 < steps.count ? steps[$0] : nil } ?? steps.last { $0.failure != nil }
    }
    if let failure = step?.failure {
      return (isShown ? "it has an error" : "its row cannot be made") + ": \(failure)"
    }
    return isShown ? nil : step?.refusal ?? "no source has it"
  }
}

extension ListNode {
  /// The node with another way to bring it up to date.
  func pulling(_ pull: @escaping () -> Bool) -> ListNode {
    ListNode(pull: pull, snapshot: snapshot, path: path, failures: failures)
  }

  /// The node, recorded by a trace. `refusal` says why a row of the list before is not in this one. If one of `filters` refuses
  /// the row in the list `before`, that filter is named instead.
  func noted(
    _ trace: RowTrace, _ refusal: String, _ filters: [ArrangementTail<Row>.Filter] = [], of before: ListNode? = nil
  ) -> ListNode {
    let pull = before.map { trace.aside(self.pull, after: $0.pull) } ?? self.pull
    return pulling(
      trace.noting(pull) {
        guard let id = trace.id.base as? Row.ID else { return nil }
        func row(_ list: Snapshot) -> Row? { list.scanForPath(ofRow: id).map { list.row(at: $0) } }
        let number = before.flatMap { row($0.snapshot()) }.flatMap { row in filters.firstIndex { !$0(row) } }
        return (
          hasRow: row(self.snapshot()) != nil,
          refusal: number.map { RowTrace.refusal($0, of: filters.count) } ?? refusal, failure: self.failures()[id]
        )
      })
  }
}

extension Upstreams {
  /// A node, recorded if a row is explained. `refusal` says why a row of the list before is not in this one.
  @usableFromInline
  func noting<Section, Row>(_ node: ListNode<Section, Row>, _ refusal: String) -> ListNode<Section, Row> {
    trace.map { node.noted($0, refusal) } ?? node
  }

  /// A node whose rows do not appear in the result, such as the right side of a join.
  @usableFromInline
  func aside<Section, Row>(_ node: ListNode<Section, Row>) -> ListNode<Section, Row> {
    trace.map { node.pulling($0.aside(node.pull)) } ?? node
  }
}

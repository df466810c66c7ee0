public import RowcastDiff
public import RowcastModel

/// One place in a chain of operators, from where the list that is there is pulled.
///
/// It is made of closures and not of methods: they are made where the types are known, so that the code in them is
/// specialised. A node belongs to the actor that pulls it.
@usableFromInline
struct ListNode<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  /// Brings the list up to date.
  ///
  /// - Returns: What the list was and is; nothing if it is as it was at the last pull.
  @usableFromInline let pull: () -> ListStep<Section, Row>?
  /// The list at the last pull.
  @usableFromInline let snapshot: () -> Snapshot
  /// Finds a row in that list; only where that is in the node's hands already.
  @usableFromInline let path: ((Row.ID) -> RowPath?)?
  /// The rows that the list lacks because a mapping failed, with the errors.
  @usableFromInline let failures: () -> [Row.ID: any Error]

  @inlinable
  init(
    pull: @escaping () -> ListStep<Section, Row>?, snapshot: @escaping () -> Snapshot,
    path: ((Row.ID) -> RowPath?)? = nil, failures: @escaping () -> [Row.ID: any Error]
  ) {
    self.pull = pull
    self.snapshot = snapshot
    self.path = path
    self.failures = failures
  }
}

/// A list before and after a pull; at the first pull there is none before.
@usableFromInline
struct ListStep<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline let before: ListSnapshot<Section, Row>?
  @usableFromInline let after: ListSnapshot<Section, Row>

  @inlinable
  init(before: ListSnapshot<Section, Row>?, after: ListSnapshot<Section, Row>) {
    self.before = before
    self.after = after
  }
}

/// What an operator does to a list: it makes another list of it, and keeps that up with changes.
@usableFromInline
protocol ListOperator {
  associatedtype InputSection: SectionViewModel
  associatedtype InputRow: RowViewModel
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel where Row.ID == InputRow.ID

  /// The list that the operator makes.
  var output: ListOutput<Section, Row> { get set }
  /// The rows that a mapping of this operator failed for.
  var failures: [Row.ID: any Error] { get }

  /// Makes the output from nothing.
  mutating func rebuild(from list: ListSnapshot<InputSection, InputRow>)
  /// Edits into the output what changes do to it.
  mutating func take(
    _ changes: ListChanges, from before: ListSnapshot<InputSection, InputRow>,
    to after: ListSnapshot<InputSection, InputRow>)
}

extension ListNode {
  /// The place behind an operator.
  @inlinable
  static func applying<Operator: ListOperator>(
    _ first: Operator, to upstream: ListNode<Operator.InputSection, Operator.InputRow>
  ) -> ListNode where Operator.Section == Section, Operator.Row == Row {
    var last = first
    var isBuilt = false
    return ListNode(
      pull: {
        let step = upstream.pull()
        if isBuilt {
          guard let step, let before = step.before else { return nil }
          return last.step(from: before, to: step.after)
        }
        isBuilt = true
        // The upstream may have been pulled before this operator came behind it.
        last.rebuild(from: upstream.snapshot())
        return ListStep(before: nil, after: last.output.snapshot)
      },
      snapshot: { last.output.snapshot },
      path: { last.output.path(ofRow: $0) },
      failures: { upstream.failures().merging(last.failures) { upstream, _ in upstream } })
  }
}

extension ListOperator {
  /// Edits into the output, in one transaction, what changes do to it.
  ///
  /// - Returns: The output before and after, if it is another one.
  @inlinable
  mutating func step(
    from before: ListSnapshot<InputSection, InputRow>, to after: ListSnapshot<InputSection, InputRow>
  ) -> ListStep<Section, Row>? {
    let list = output.snapshot
    take(before.changes(to: after), from: before, to: after)
    return output.commitStep(from: list)
  }
}

extension ListDraft {
  /// Ends a transaction.
  ///
  /// - Parameter before: The list at its beginning.
  /// - Returns: The list before and after, if it is another one.
  @inlinable
  mutating func commitStep(from before: ListSnapshot<Section, Row>) -> ListStep<Section, Row>? {
    let edits = editCount
    commit()
    let after = snapshot
    // One edit that changed something did so for good; several may have undone one another.
    if edits == 0 || (edits > 1 && before == after) { return nil }
    return ListStep(before: before, after: after)
  }
}

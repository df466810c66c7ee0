public import RowcastDiff
public import RowcastModel

/// One place in a chain of operators, from where the list that is there is pulled.
///
/// It is made of closures and not of methods: they are made where the types are known, so that the code in them is
/// specialised. A node belongs to the actor that pulls it.
@usableFromInline
final class ListNode<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  /// Brings the list up to date.
  ///
  /// - Returns: Whether it may be another one than at the last pull.
  @usableFromInline let pull: () -> Bool
  /// The list at the last pull.
  @usableFromInline let snapshot: () -> Snapshot
  /// Finds a row in that list; only where that is in the node's hands already.
  @usableFromInline let path: ((Row.ID) -> RowPath?)?
  /// The rows that the list lacks because a mapping failed, with the errors.
  @usableFromInline let failures: () -> [Row.ID: any Error]

  @inlinable
  init(
    pull: @escaping () -> Bool, snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) {
    self.pull = pull
    self.snapshot = snapshot
    self.path = path
    self.failures = failures
  }
}

extension ListNode {
  /// The place of a list that is made of others. `pull` brings these up to date and tells whether any of them changed, `step`
  /// brings the list up to date with them and tells whether it changed.
  @inlinable
  static func derived(
    pull: @escaping () -> Bool, rebuild: @escaping () -> Void, step: @escaping () -> Bool,
    snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var isBuilt = false
    return ListNode(
      pull: {
        let isChanged = pull()
        if isBuilt { return isChanged && step() }
        // The others may have been pulled before this list was there.
        rebuild()
        isBuilt = !Tenure.isOver
        return true
      },
      snapshot: snapshot, path: path, failures: failures)
  }

  /// The place of a list that is made of one other. See ``derived(pull:rebuild:step:snapshot:path:failures:)``; a step leads
  /// from what the other list was to what it is.
  @inlinable
  static func following<InputSection, InputRow>(
    _ upstream: ListNode<InputSection, InputRow>, rebuild: @escaping (ListSnapshot<InputSection, InputRow>) -> Void,
    step: @escaping (ListSnapshot<InputSection, InputRow>, ListSnapshot<InputSection, InputRow>) -> Bool,
    snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var former = ListSnapshot<InputSection, InputRow>()
    return derived(
      pull: upstream.pull,
      rebuild: {
        former = upstream.snapshot()
        rebuild(former)
      },
      step: {
        let after = upstream.snapshot()
        return step(exchange(&former, with: after), after)
      }, snapshot: snapshot, path: path, failures: failures)
  }
}

/// What an operator does to a list: it makes another list of it, and edits changes into that.
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

extension ListOperator {
  /// Brings the output from one list to the next. Returns whether it is another one then.
  @inlinable
  mutating func step(
    from before: ListSnapshot<InputSection, InputRow>, to after: ListSnapshot<InputSection, InputRow>
  ) -> Bool {
    let list = output.snapshot
    take(before.changes(to: after), from: before, to: after)
    return output.commit(from: list)
  }
}

extension ListNode {
  /// The place behind an operator.
  @inlinable
  static func applying<Operator: ListOperator>(
    _ first: Operator, to upstream: ListNode<Operator.InputSection, Operator.InputRow>
  ) -> ListNode where Operator.Section == Section, Operator.Row == Row {
    var last = first
    return following(
      upstream, rebuild: { last.rebuild(from: $0) },
      step: { last.step(from: $0, to: $1) },
      snapshot: { last.output.snapshot }, path: { last.output.path(ofRow: $0) },
      failures: { upstream.failures().merging(last.failures) { upstream, _ in upstream } })
  }
}

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

extension ListNode {
  /// The place of a list that is made of others.
  ///
  /// - Parameters:
  ///   - pull: Brings the others up to date, and tells whether any of them changed.
  ///   - rebuild: Makes the list from nothing.
  ///   - step: Brings the list up to date with the others.
  ///   - snapshot: The list.
  ///   - path: Finds a row in it; see ``path``.
  ///   - failures: The rows that it lacks.
  /// - Returns: The place.
  @inlinable
  static func derived(
    pull: @escaping () -> Bool, rebuild: @escaping () -> Void, step: @escaping () -> ListStep<Section, Row>?,
    snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var isBuilt = false
    return ListNode(
      pull: {
        let isChanged = pull()
        if isBuilt { return isChanged ? step() : nil }
        // The others may have been pulled before this list was there.
        isBuilt = true
        rebuild()
        return ListStep(before: nil, after: snapshot())
      },
      snapshot: snapshot, path: path, failures: failures)
  }

  /// The place of a list that is made of one other.
  ///
  /// - Parameters:
  ///   - upstream: The place of the other list.
  ///   - rebuild: Makes the list from nothing.
  ///   - step: Brings the list up to date, from what the other one was to what it is.
  ///   - snapshot: The list.
  ///   - path: Finds a row in it; see ``path``.
  ///   - failures: The rows that it lacks.
  /// - Returns: The place.
  @inlinable
  static func following<InputSection, InputRow>(
    _ upstream: ListNode<InputSection, InputRow>, rebuild: @escaping (ListSnapshot<InputSection, InputRow>) -> Void,
    step:
      @escaping (ListSnapshot<InputSection, InputRow>, ListSnapshot<InputSection, InputRow>) -> ListStep<
        Section, Row
      >?,
    snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var former = ListSnapshot<InputSection, InputRow>()
    return derived(
      pull: { upstream.pull() != nil },
      rebuild: {
        former = upstream.snapshot()
        rebuild(former)
      },
      step: {
        let before = former
        former = upstream.snapshot()
        return step(before, former)
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

extension ListNode {
  /// The place behind an operator.
  @inlinable
  static func applying<Operator: ListOperator>(
    _ first: Operator, to upstream: ListNode<Operator.InputSection, Operator.InputRow>
  ) -> ListNode where Operator.Section == Section, Operator.Row == Row {
    var last = first
    return following(
      upstream, rebuild: { last.rebuild(from: $0) }, step: { last.step(from: $0, to: $1) },
      snapshot: { last.output.snapshot }, path: { last.output.path(ofRow: $0) },
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

public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A value that depends on a list, and can be watched: a summary of all rows.
///
///     let total = orders.summary(.count, .sum(\.amount))
///     for await (count, sum) in total.updates() { show("\(count) orders for \(sum)") }
///
/// Like an arranged list it follows the changes of its list when it is read, and ends with the list.
public final class ListValue<Value: Sendable>: Sendable {
  @usableFromInline let core: ViewCore<ValueSection<Value>, IDOnly<Int>>

  @inlinable
  init(_ makeNode: @escaping MakeNode<ValueSection<Value>, IDOnly<Int>>) { core = ViewCore(makeNode) }

  /// The newest value.
  public var value: Value { get async { await core.latest.snapshot.section(at: 0).label } }

  /// Watches the value: the newest one first, then its changes. A slow subscriber gets the newest value, and none in between.
  @inlinable
  public func updates() -> AsyncStream<Value> {
    Subscription(to: core).values { $0.snapshot.section(at: 0).label }
  }
}

/// A value as the section of a list. The id rises with each change of the value.
@usableFromInline typealias ValueSection<Value: Sendable> = Labelled<Int, Value>

extension ListNode {
  /// A part of a value that is read.
  @inlinable
  static func reading<Source, Value: Equatable>(
    _ upstream: UpstreamState<Source>, _ part: @escaping (Source) -> Value
  ) -> ListNode where Section == ValueSection<Value>, Row == IDOnly<Int> {
    var list = Snapshot()
    var seen: Int?
    return ListNode(
      pull: {
        // A value that is unequal to itself has not changed as long as nothing was read.
        guard upstream.revision != seen, let value = upstream.value.map(part) else { return false }
        seen = upstream.revision
        if let former = list.sections.first?.label, areUnchanged(former, value) { return false }
        list = list.following(value)
        return true
      }, snapshot: { list })
  }
}

extension ListSnapshot where Row == IDOnly<Int> {
  /// The list of the next value.
  @inlinable
  func following<Value>(_ value: Value) -> ListSnapshot where Section == ValueSection<Value> {
    ListSnapshot(unchecked: [ListSection(ValueSection(id: sections.first.map { $0.id + 1 } ?? 0, value))])
  }
}

extension LiveList {
  /// Sums up all rows of the list.
  ///
  ///     let isAnyUrgent = store.summary(.any(\.isUrgent))
  ///
  /// - Parameter summary: The summary of the rows.
  /// - Returns: The value of the summary.
  /// - Complexity: O(log n) for each changed row of n, and that of its summary.
  @inlinable
  public func summary<Value>(_ summary: Summary<Row, Value>) -> ListValue<Value> {
    summing(summary.make)
  }

  /// Sums up all rows of the list in two ways.
  ///
  ///     let open = store.summary(.count, .any(\.isUrgent))
  ///     let (count, isUrgent) = await open.value
  @inlinable
  public func summary<Value1, Value2>(
    _ first: Summary<Row, Value1>, _ second: Summary<Row, Value2>
  ) -> ListValue<(Value1, Value2)> {
    summing { .combining($0, first, second) }
  }

  /// Sums up all rows of the list in three ways.
  @inlinable
  public func summary<Value1, Value2, Value3>(
    _ first: Summary<Row, Value1>, _ second: Summary<Row, Value2>, _ third: Summary<Row, Value3>
  ) -> ListValue<(Value1, Value2, Value3)> {
    summing { .combining($0, first, second, third) }
  }

  @inlinable
  func summing<Value>(
    _ makeState: @escaping MakeSummary<Row, Value>
  ) -> ListValue<Value> {
    let makeNode = ListNode.maker(of: self)
    return ListValue { upstreams in
      let source = makeNode(upstreams)
      return ListNode(
        ListSummary<Section, Row, Value>(makeState, index: SourceIndex(shared: source.path)), pull: source.pull,
        input: source.snapshot)
    }
  }
}

/// The summary of all rows, as the value of a list.
@usableFromInline
struct ListSummary<InputSection: SectionViewModel, InputRow: RowViewModel, Value: Sendable>: ListOperator {
  @usableFromInline typealias Section = ValueSection<Value>
  @usableFromInline typealias Row = IDOnly<Int>
  @usableFromInline typealias Input = ListSnapshot<InputSection, InputRow>

  @usableFromInline let index: SourceIndex<InputSection, InputRow>
  @usableFromInline let state: SummaryState<InputRow, Value>
  @usableFromInline var output = ListSnapshot<Section, Row>()

  @inlinable
  init(_ makeState: MakeSummary<InputRow, Value>, index: SourceIndex<InputSection, InputRow>) {
    self.index = index
    state = makeState { index.path(ofRow: $0) }
  }

  @inlinable
  mutating func rebuild(from list: Input) {
    index.rebuild(from: list)
    state.rebuild((0..<list.sectionCount).map { list.rows(inSection: $0) })
    output = output.following(state.value())
  }

  @inlinable
  mutating func step(_ changes: ListChanges, from before: Input, to after: Input) {
    index.follow(changes, to: after)
    if state.usesOrder, !changes.sections.moves.isEmpty {
      // Rows of other sections have changed their order.
      state.rebuild((0..<after.sectionCount).map { after.rows(inSection: $0) })
    } else {
      let touched = TouchedRows(contentOf: changes, from: before, to: after)
      for path in touched.former { state.remove(before.row(at: path)) }
      for path in touched.current { state.insert(after.row(at: path)) }
    }
    let value = state.value()
    if !state.isSame(output.section(at: 0).label, value) { output = output.following(value) }
  }
}

extension LiveList {
  /// The whole list and a value at one moment, whenever one of them has changed. A slow reader gets the newest pair.
  @inlinable
  package func updates<Value>(with value: ListValue<Value>) -> AsyncStream<(ListUpdate<Section, Row>, Value)> {
    typealias Both = (list: ListSnapshot<Section, Row>, value: Value)
    let (makeNode, makeValueNode) = (ListNode.maker(of: self), ListNode.maker(of: value.core))
    let both = ListValue<Both> { upstreams in
      let (list, value) = (makeNode(upstreams), makeValueNode(upstreams))
      return ListNode(
        Latest<Both>(),
        pull: {
          let isChanged = list.pull()
          return value.pull() || isChanged
        }, input: { (list.snapshot(), value.snapshot().section(at: 0).label) })
    }
    return Subscription(to: both.core).values {
      let (list, value) = $0.snapshot.section(at: 0).label
      return (ListUpdate(initial: list, revision: $0.revision), value)
    }
  }
}

/// The input, as the value of a list.
@usableFromInline
struct Latest<Value: Sendable>: ListOperator {
  @usableFromInline typealias Section = ValueSection<Value>
  @usableFromInline typealias Row = IDOnly<Int>

  @usableFromInline var output = ListSnapshot<Section, Row>()

  @inlinable
  init() {}

  @inlinable
  mutating func rebuild(from value: Value) { output = output.following(value) }

  @inlinable
  func change(from before: Value, to after: Value) {}

  @inlinable
  mutating func step(_: Void, from before: Value, to after: Value) { output = output.following(after) }
}

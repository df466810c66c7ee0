public import RowcastModel
public import RowcastStore

/// A value that depends on a list, and can be watched: a summary of all rows.
///
///     let total = orders.summary(.count, .sum(\.amount))
///     for await (count, sum) in total.updates() { show("\(count) orders for \(sum)") }
///
/// Like an arranged list it is brought up to date when it is read, by what changed since, and ends with the list.
public final class ListValue<Value: Sendable>: Sendable {
  @usableFromInline let core: ViewCore<ValueSection<Value>, Mark<Int>>

  @inlinable
  init(_ makeNode: @escaping @Sendable (Upstreams) -> ListNode<ValueSection<Value>, Mark<Int>>) {
    core = ViewCore(ListOrigin(makeNode: makeNode))
  }

  /// The newest value.
  public var value: Value {
    get async { await onSharedExecutor { [core] in await core.state().snapshot.section(at: 0).value } }
  }

  /// Watches the value: the newest one first, then each other one that is there when the subscriber requests it.
  ///
  /// A subscriber that is slow gets the newest value, and none of those in between.
  @inlinable
  public func updates() -> AsyncStream<Value> {
    let subscription = Subscription(to: core)
    return AsyncStream {
      let update = await subscription.next()
      // A cancelled task gets nothing, even if there was something.
      return Task.isCancelled ? nil : update?.snapshot.section(at: 0).value
    }
  }
}

/// A value as a section, so that all that is there for lists serves it.
@usableFromInline
struct ValueSection<Value: Sendable>: SectionViewModel {
  @usableFromInline let value: Value
  /// Rises with each change of the value.
  @usableFromInline let version: Int

  @inlinable
  init(_ value: Value, version: Int) {
    self.value = value
    self.version = version
  }

  @usableFromInline var id: Int { 0 }

  @inlinable
  static func == (lhs: ValueSection, rhs: ValueSection) -> Bool { lhs.version == rhs.version }
}

extension ListNode {
  /// The place of a value that depends on a list.
  ///
  /// - Parameters:
  ///   - upstream: The place of the list.
  ///   - rebuild: Reads the list from nothing.
  ///   - take: Reads what the list was and is.
  ///   - areEqual: Whether two values are the same to subscribers.
  ///   - value: The value as it is.
  /// - Returns: The place.
  @inlinable
  static func value<InputSection, InputRow, Value>(
    of upstream: ListNode<InputSection, InputRow>, rebuild: @escaping (ListSnapshot<InputSection, InputRow>) -> Void,
    take: @escaping (ListSnapshot<InputSection, InputRow>, ListSnapshot<InputSection, InputRow>) -> Void,
    areEqual: @escaping (Value, Value) -> Bool, value: @escaping () -> Value
  ) -> ListNode where Section == ValueSection<Value>, Row == Mark<Int> {
    var current = Snapshot()
    func replaceCurrent(version: Int) {
      current = Snapshot(unchecked: [ListSection(ValueSection(value(), version: version))])
    }
    return following(
      upstream,
      rebuild: {
        rebuild($0)
        replaceCurrent(version: 0)
      },
      step: { before, after in
        take(before, after)
        let former = current
        let section = former.section(at: 0)
        if areEqual(section.value, value()) { return nil }
        replaceCurrent(version: section.version + 1)
        return ListStep(before: former, after: current)
      }, snapshot: { current })
  }
}

extension ListNode {
  /// The place of a value that is read.
  @inlinable
  static func reading<Value: Equatable>(_ upstream: UpstreamState<Value>) -> ListNode
  where Section == ValueSection<Value>, Row == Mark<Int> {
    var current: Snapshot?
    return ListNode(
      pull: {
        guard let value = upstream.value, value != current?.section(at: 0).value else { return nil }
        let former = current
        let version = (former?.section(at: 0).version ?? 0) + 1
        let newest = Snapshot(unchecked: [ListSection(ValueSection(value, version: version))])
        current = newest
        return ListStep(before: former, after: newest)
      }, snapshot: { current ?? Snapshot() }, failures: { [:] })
  }
}

extension LiveList {
  /// Sums up all rows of the list.
  ///
  ///     let open = store.summary(.count, .any(\.isUrgent))
  ///     let (count, isUrgent) = await open.value
  ///
  /// - Parameter summary: What to know of the rows.
  /// - Returns: The value of the summary, or a tuple of several.
  /// - Complexity: O(log n) for each changed row of n, and that of its summaries.
  @inlinable
  public func summary<each Value>(_ summary: repeat Summary<Row, each Value>) -> ListValue<(repeat each Value)> {
    let origin = ListOrigin(of: self)
    return ListValue { upstreams in
      let states = (repeat (each summary).make())
      func insert(_ row: Row) { for state in repeat each states { state.insert(row) } }
      func remove(_ row: Row) { for state in repeat each states { state.remove(row) } }
      func areEqual(_ first: (repeat each Value), _ second: (repeat each Value)) -> Bool {
        for (first, second) in repeat (each first, each second) {
          // Values that are not equal to themselves, such as numbers that are not numbers, are the same.
          if first != second && (first == first || second == second) { return false }
        }
        return true
      }
      return .value(
        of: origin.makeNode(upstreams),
        rebuild: { list in
          let parts = (0..<list.sectionCount).map { list.rows(inSection: $0) }
          for state in repeat each states { state.rebuild(parts) }
        },
        take: { before, after in
          let touched = TouchedRows(contentOf: before.changes(to: after), from: before, to: after)
          for path in touched.leaving + touched.staying.compactMap({ $0.former }) { remove(before.row(at: path)) }
          for path in touched.arriving + touched.staying.map({ $0.path }) { insert(after.row(at: path)) }
        }, areEqual: areEqual, value: { (repeat (each states).value()) })
    }
  }
}

import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A declared way to arrange a list: filtered, mapped, sectioned, sorted, cut to a window.
///
/// An arrangement is a description, a value without rows. Its operators apply one after the other, each to the
/// output of the one before:
///
///     let open = store.arranged {
///       $0.filter { !$0.isDone }
///         .sectioned(by: \.day) { Day(id: $0) }
///         .sorted(by: .descending(\.priority), .ascending(\.title))
///     }
///
/// The functions of an arrangement depend on nothing but the rows that they are given: a result is valid until the row changes.
/// Pass anything else that they depend on as a ``Parameter``. An arrangement that is to be replaced is the value of one.
///
/// Rows keep their ids, so that each row of the arranged list can be found in the source.
public struct Arrangement<
  SourceSection: SectionViewModel, SourceRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: Sendable where SourceRow.ID == Row.ID {
  @usableFromInline typealias Make =
    @Sendable (ArrangementBuilder<SourceSection, SourceRow>, ArrangementTail<Row>) ->
    ListNode<Section, Row>

  /// The operators up to the last one, which takes over the end; why the last one may leave out a row; and true if filters that
  /// follow may become part of it. The object is the identity of the operators, as functions cannot be compared.
  @usableFromInline typealias Stem = SharedBox<(make: Make, refusal: String, takesFilters: Bool)>

  @usableFromInline let stem: Stem
  @usableFromInline let tail: ArrangementTail<Row>

  @usableFromInline
  init(_ refusal: String = "", takesFilters: Bool = true, make: @escaping Make) {
    self.init(Stem((make, refusal, takesFilters)), ArrangementTail())
  }

  @inlinable
  init(_ stem: Stem, _ tail: ArrangementTail<Row>) { (self.stem, self.tail) = (stem, tail) }

  /// The arrangement with another end.
  @inlinable
  func ending(with tail: ArrangementTail<Row>) -> Arrangement { Arrangement(stem, tail) }
}

extension Arrangement where SourceSection == Section, SourceRow == Row {
  /// The list as it is.
  @inlinable
  public init() { self.init { builder, tail in builder.source.ending(with: tail) } }
}

extension Arrangement {
  /// Keeps the rows that satisfy a condition. Sections stay, also empty ones; ``withoutEmptySections()`` removes these.
  ///
  /// - Parameter isIncluded: Returns true for a row to keep. It is asked once for each row that changed, and for all rows if
  ///   more than about a quarter of them did.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Row) -> Bool) -> Arrangement {
    guard stem.value.takesFilters else {
      // An operator that is nothing but its end.
      return Arrangement { builder, tail in builder.node(of: self).ending(with: tail) }.filter(isIncluded)
    }
    return ending(with: tail.filtered(by: isIncluded))
  }

  /// Makes another row of each row. Sections and order stay.
  ///
  /// An error that is thrown concerns its row alone; the list continues. A row that gets another id has failed with
  /// `ListError.changedRowID`; so has one whose new id is not equal to itself, which no list takes.
  ///
  /// - Parameters:
  ///   - onFailure: The policy for a row for which `transform` throws.
  ///   - transform: Makes a row, with the same id. It is asked once for each row that changed, and for all rows if more than
  ///     about a quarter of them did.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n.
  @inlinable
  public func map<NewRow: RowViewModel>(
    onFailure: MappingFailurePolicy<Row, NewRow> = .omit, _ transform: @escaping @Sendable (Row) throws -> NewRow
  ) -> Arrangement<SourceSection, SourceRow, Section, NewRow> where NewRow.ID == Row.ID {
    // Filters become part of the mapping. An order does not: it compares the rows before the mapping.
    let (isFused, isIncluded) = tail.order == nil ? (true, tail.isIncluded) : (false, nil)
    let keepsLast = if case .keepLast = onFailure { true } else { false }
    let made: @Sendable (Row) throws -> NewRow = { row in
      do {
        let new = try transform(row)
        guard new.id == row.id else { throw ListError<Section.ID, Row.ID>.changedRowID(from: row.id, to: new.id) }
        return new
      } catch {
        guard case .show(let show) = onFailure else { throw error }
        return show(row, error)
      }
    }
    let mapping = Arrangement<SourceSection, SourceRow, Section, NewRow> { builder, tail in
      let upstream = isFused ? builder.node(before: self) : builder.node(of: self)
      return .arranging(upstream, Placement(order: tail.order, keepsLast: keepsLast, of: upstream)) { row in
        guard isIncluded?(row) ?? true else { return nil }
        let new = try made(row)
        return tail.isIncluded?(new) ?? true ? new : nil
      }
    }
    // Rows that are kept do not depend on what follows: another filter or order does not rebuild the mapping.
    return keepsLast ? .init { builder, tail in builder.node(of: mapping).ending(with: tail) } : mapping
  }

  /// A mapping keeps the ids of rows.
  ///
  /// - Parameters:
  ///   - onFailure: The policy for a row for which `transform` throws.
  ///   - transform: Makes a row, with an id of another type.
  /// - Returns: Nothing that can be used.
  @available(
    *, unavailable,
    message: "a mapped row keeps its id: give the new row an id of the same type, and another property for any other id"
  )
  public func map<NewRow: RowViewModel>(
    onFailure: MappingFailurePolicy<Row, NewRow> = .omit, _ transform: @escaping @Sendable (Row) throws -> NewRow
  ) -> Arrangement { self }
}

extension Arrangement {
  /// Sorts the rows of each section, those with smaller keys first; rows whose keys are equal keep their order.
  ///
  ///     .sorted(by: \.title)
  ///
  /// - Parameter key: The key of a row.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: The cost of sorting by `.ascending(key)`.
  @inlinable
  public func sorted<Key: Comparable & SendableMetatype>(by key: @escaping @Sendable (Row) -> Key) -> Arrangement {
    sorted(by: [.ascending(key)])
  }

  /// Sorts the rows of each section, those with smaller keys first and those without a key last; rows whose keys are equal keep their
  /// order.
  ///
  /// - Parameter key: The key of a row, or `nil`; `.ascending(key, missing: .first)` is the order with `nil` first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: The cost of sorting by `.ascending(key)`.
  @inlinable @_disfavoredOverload
  public func sorted<Key: Comparable & SendableMetatype>(by key: @escaping @Sendable (Row) -> Key?) -> Arrangement {
    sorted(by: [.ascending(key)])
  }

  /// Sorts the rows of each section; rows whose keys are all equal keep their order.
  ///
  ///     .sorted(by: .descending(\.date), .ascending(\.title))
  ///
  /// An earlier order of the arrangement decides where this one does not, and the list that is arranged where neither does. A
  /// last key, such as `.ascending(\.id)`, makes the order one of the rows alone.
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n. Rows whose keys are equal are compared by their
  ///   place in the source, in O(log n).
  @inlinable
  public func sorted(by keys: SortKey<Row>...) -> Arrangement { sorted(by: keys) }

  /// Sorts the rows of each section; rows whose keys are all equal keep their order.
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n. Rows whose keys are equal are compared by their
  ///   place in the source, in O(log n).
  @inlinable
  public func sorted(by keys: [SortKey<Row>]) -> Arrangement {
    // The earlier order decides where the new one does not.
    ending(with: tail.sorted(by: keys.reversed().reduce(tail.order) { $1.then($0) }))
  }
}

/// A policy for rows whose mapping throws.
public enum MappingFailurePolicy<Row, NewRow>: Sendable {
  /// The row is left out. Its error is in ``ArrangedList/failures`` until the mapping succeeds or the row is removed.
  case omit
  /// The row stays as the last mapping that succeeded made it; without one it is left out. Its error is in
  /// ``ArrangedList/failures`` until the mapping succeeds or the row is removed.
  ///
  /// A row is kept as it was when the list was last read with it. A mapping that is rebuilt begins with nothing: in another list,
  /// behind another filter of an arrangement that was replaced, and where a list that reads the same store on several paths
  /// rebuilds this one.
  case keepLast
  /// The row shows that it failed: the function makes it, from the row and the error. It has the row's id.
  case show(@Sendable (_ row: Row, _ error: any Error) -> NewRow)
}

/// Filters and an order at the end of an arrangement, which need no operator of their own.
///
/// The functions of filters are made where the types are known, so that the code in them is specialised: one function that is asked
/// of each row makes building a filtered list half as slow again.
@usableFromInline
final class ArrangementTail<Row: RowViewModel>: Sendable {
  @usableFromInline typealias Filter = @Sendable (Row) -> Bool

  /// The filters one by one.
  @usableFromInline let filters: [Filter]
  /// True for a row that all filters keep; `nil` without filters.
  @usableFromInline let isIncluded: Filter?
  /// The rows that are kept, of an array.
  @usableFromInline let included: (@Sendable ([Row]) -> [Row])?
  @usableFromInline let order: SortKey<Row>?

  @usableFromInline
  init(
    _ filters: [Filter] = [], _ isIncluded: Filter? = nil, included: (@Sendable ([Row]) -> [Row])? = nil,
    order: SortKey<Row>? = nil
  ) {
    (self.filters, self.isIncluded, self.included, self.order) = (filters, isIncluded, included, order)
  }

  /// True if there is nothing in it.
  @usableFromInline var isEmpty: Bool { filters.isEmpty && order == nil }

  /// The end with one more filter, which is not asked about rows that another one leaves out.
  @inlinable
  func filtered(by filter: @escaping Filter) -> ArrangementTail {
    guard let isIncluded, let included else {
      return .init([filter], filter, included: { $0.filter(filter) }, order: order)
    }
    return .init(
      filters + [filter], { isIncluded($0) && filter($0) }, included: { included($0).filter(filter) }, order: order)
  }

  /// The end with another order.
  @usableFromInline
  func sorted(by order: SortKey<Row>?) -> ArrangementTail {
    .init(filters, isIncluded, included: included, order: order)
  }
}

extension LiveList {
  // The compiler tries overloads in their order: with the other one first it crashes on programs with a mistake near a call.

  /// Arranges the list as a function declares it: filters, maps, sections, sorts it, or cuts it to a window.
  ///
  ///     let open = store.arranged { $0.filter { !$0.isDone }.sorted(by: .ascending(\.title)) }
  ///
  /// When the arranged list is read, it follows the changes of its source since the last time; it is not rebuilt. A list
  /// that nothing watches costs nothing. One revision of the source gives one update at most. No store is kept alive.
  ///
  /// - Parameter declare: Makes the arrangement, starting with the one that leaves the list as it is.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by declare: (Arrangement<Section, Row, Section, Row>) -> Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<NewSection, NewRow> where NewRow.ID == Row.ID {
    arranged(by: declare(Arrangement()))
  }

  /// Arranges the list.
  ///
  /// - Parameter arrangement: The arrangement.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by arrangement: Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<NewSection, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(ListNode.maker(of: self), by: ParameterCore(arrangement), hasRows: false)
  }

  /// Arranges the list in a way that a person may change.
  ///
  ///     let plan = Parameter(Arrangement<Group, Item, Group, Item>().sorted(by: \.title))
  ///     let list = store.arranged(by: plan)
  ///     plan.set(.init().sorted(by: .descending(\.date)))
  ///
  /// Each arrangement gives one update with the least difference, or none if there is none. Operators that two arrangements share,
  /// because one value made both, keep their state:
  ///
  ///     let sorted = Arrangement<Group, Item, Group, Item>().sorted(by: .ascending(\.title))
  ///     plan.set(sorted.window(.rows(0..<50)))
  ///     plan.set(sorted.window(.rows(50..<100)))  // sorts nothing
  ///
  /// An arrangement whose operators are still being made is given up for the next one; not more than 16 in a row, so that a list
  /// whose arrangement changes all the time shows something. Nothing of a former arrangement is kept.
  ///
  /// - Parameter plan: The arrangement. The list ends when it has ended, too: when it is finished, or the app releases it.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by plan: Parameter<Arrangement<Section, Row, NewSection, NewRow>>
  ) -> ArrangedList<NewSection, NewRow> where NewRow.ID == Row.ID {
    // The core: lists do not keep the parameter alive.
    ArrangedList(ListNode.maker(of: self), by: plan.core, hasRows: true)
  }

  /// Arranges the list in a way that a person may change for as long as the list has not ended.
  ///
  /// - Parameter plan: The arrangement, for which the list does not wait at its end.
  /// - Returns: The arranged list.
  @inlinable
  package func arrangedToTheEnd<NewSection, NewRow>(
    by plan: Parameter<Arrangement<Section, Row, NewSection, NewRow>>
  ) -> ArrangedList<NewSection, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(ListNode.maker(of: self), by: plan.core, hasRows: false)
  }
}

/// Makes the nodes of an arrangement. Nodes that the arrangement before it has in common with it are kept.
@usableFromInline
final class ArrangementBuilder<SourceSection: SectionViewModel, SourceRow: RowViewModel> {
  /// The node of an arrangement, after the nodes that were made for it. The objects are kept alive so that no other object gets
  /// their identity.
  private typealias CachedNode = (stem: AnyObject, tail: AnyObject?, node: AnyObject, prefixCount: Int)

  /// The list that is arranged.
  @usableFromInline private(set) var source: ListNode<SourceSection, SourceRow>
  /// All sources of the list, to which an operator may add its own.
  @usableFromInline let upstreams: Upstreams
  /// The nodes of the newest arrangement.
  private var nodes: [CachedNode] = []
  /// The nodes of the arrangement before, while the newest is built.
  private var former: [CachedNode] = []

  @usableFromInline
  init(source: ListNode<SourceSection, SourceRow>, upstreams: Upstreams) {
    (self.source, self.upstreams) = (source, upstreams)
    guard upstreams.trace != nil else { return }
    // Several nodes read it: each takes it for changed.
    self.source = source.pulling {
      _ = source.pull()
      return true
    }
  }

  /// Makes the nodes of an arrangement, which replace the nodes of the one before.
  ///
  /// Operators that both have, because one was made from the other or both from a third, keep their state.
  @usableFromInline
  func rebuild<Section, Row>(
    _ arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode<Section, Row> {
    former = nodes
    nodes = []
    defer { former = [] }
    return node(of: arrangement)
  }

  /// The node of the newest arrangement, or of one that it begins with.
  @usableFromInline
  func node<Section, Row>(
    of arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode<Section, Row> {
    let stem = arrangement.stem
    let tail: AnyObject? = arrangement.tail.isEmpty ? nil : arrangement.tail
    if let index = former.firstIndex(where: { $0.stem === stem && $0.tail === tail }),
      let node = former[index].node as? ListNode<Section, Row>
    {
      nodes += former[index - former[index].prefixCount...index]
      return node
    }
    let start = nodes.count
    var node = stem.value.make(self, arrangement.tail)
    if let trace = upstreams.trace {
      // The list without the end of the arrangement is noted before it.
      let before = tail == nil ? nil : self.node(of: arrangement.ending(with: .init()))
      node = node.noted(trace, tail == nil ? stem.value.refusal : "", arrangement.tail.filters, of: before)
    }
    nodes.append((stem, tail, node, nodes.count - start))
    return node
  }

  /// The node of the part of an arrangement that an operator begins with, as the filters at its end are in that operator.
  @usableFromInline
  func node<Section, Row>(
    before arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode<Section, Row> {
    let before = node(of: arrangement.ending(with: .init()))
    // The list after the filters is noted, too.
    return upstreams.trace.map { before.pulling($0.aside(before.pull, after: node(of: arrangement).pull)) } ?? before
  }
}

extension ListNode {
  /// The end of an arrangement.
  @inlinable
  func ending(with tail: ArrangementTail<Row>) -> ListNode {
    if tail.isEmpty { return self }
    return .arranging(self, Placement(order: tail.order, of: self), keeping: tail)
  }
}

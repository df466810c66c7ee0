import RowcastDiff
public import RowcastModel

/// A declared way to arrange a list: filtered, mapped, sectioned, sorted, cut to a window.
///
/// An arrangement is a value that describes; it holds no rows. Its operators apply one after the other, each to the
/// list that the one before gives:
///
///     let open = store.arranged {
///       $0.filter { !$0.isDone }
///         .sectioned(by: \.day) { Day(id: $0) }
///         .sorted(by: .descending(\.priority), .ascending(\.title))
///     }
///
/// The functions of an arrangement depend on nothing but the rows that they are given: what they said of a row holds
/// until the row changes. To filter by something else, arrange the list anew: `rearrange(by:)` of ``ArrangedList``.
///
/// Rows keep their ids, so each row of the arranged list can be told in the source.
public struct Arrangement<
  SourceSection: SectionViewModel, SourceRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: Sendable where SourceRow.ID == Row.ID {
  @usableFromInline typealias Make =
    @Sendable (ArrangementBuilder<SourceSection, SourceRow>, ArrangementTail<Row>) ->
    ListNode<Section, Row>

  /// All but the filters and the order at the end, which become part of the operator before them.
  @usableFromInline let stem: ArrangementStem<SourceSection, SourceRow, Section, Row>
  @usableFromInline let tail: ArrangementTail<Row>

  @inlinable
  init(stem: ArrangementStem<SourceSection, SourceRow, Section, Row>, tail: ArrangementTail<Row> = .init()) {
    self.stem = stem
    self.tail = tail
  }

  /// An arrangement that goes on from what this one leads to.
  @inlinable
  func followed<NextSection, NextRow>(
    takesFilters: Bool = true,
    by make:
      @escaping @Sendable (ArrangementBuilder<SourceSection, SourceRow>, ArrangementTail<NextRow>) ->
      ListNode<NextSection, NextRow>
  ) -> Arrangement<SourceSection, SourceRow, NextSection, NextRow> where NextRow.ID == Row.ID {
    .init(stem: ArrangementStem(takesFilters: takesFilters, make: make))
  }

  /// The same with another end.
  @inlinable
  func ending(_ change: (inout ArrangementTail<Row>) -> Void) -> Arrangement {
    var tail = tail
    change(&tail)
    tail.identity = ArrangementTail<Row>.Identity()
    return Arrangement(stem: stem, tail: tail)
  }
}

extension Arrangement where SourceSection == Section, SourceRow == Row {
  /// The list as it is.
  @inlinable
  public init() {
    self.init(
      stem: ArrangementStem(takesFilters: true) { builder, tail in
        builder.source.ending(with: tail)
      })
  }
}

/// The operators of an arrangement up to its last one.
@usableFromInline
final class ArrangementStem<
  SourceSection: SectionViewModel, SourceRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: Sendable where SourceRow.ID == Row.ID {
  /// Whether filters that follow may become part of the last operator.
  @usableFromInline let takesFilters: Bool
  @usableFromInline let make: Arrangement<SourceSection, SourceRow, Section, Row>.Make

  @usableFromInline
  init(takesFilters: Bool, make: @escaping Arrangement<SourceSection, SourceRow, Section, Row>.Make) {
    self.takesFilters = takesFilters
    self.make = make
  }
}

/// Filters and an order at the end of an arrangement, which need no operator of their own.
@usableFromInline
struct ArrangementTail<Row: RowViewModel>: Sendable {
  /// Tells tails apart, as functions cannot be compared.
  @usableFromInline
  final class Identity: Sendable {
    @inlinable
    init() {}
  }

  @usableFromInline var filter: RowFilter<Row>?
  @usableFromInline var order: RowOrder<Row>?
  @usableFromInline var identity: Identity?

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { identity == nil }

  @inlinable
  func passes(_ row: Row) -> Bool { filter?.isIncluded(row) ?? true }
}

extension ListNode {
  /// The place behind an operator that takes over the end of an arrangement.
  @inlinable
  static func arranging<InputSection, InputRow>(
    _ upstream: ListNode<InputSection, InputRow>, _ grouping: Grouping<InputSection, Section, Row>,
    order: RowOrder<Row>, keepsSectionsApart: Bool = false, keepsLast: Bool = false, tail: ArrangementTail<Row>,
    _ transform: @escaping @Sendable (InputRow) throws -> Row?
  ) -> ListNode where InputRow.ID == Row.ID {
    let placement = Placement<InputSection, InputRow, Section, Row>(
      grouping, order: order, keepsSectionsApart: keepsSectionsApart, keepsLast: keepsLast,
      index: SourceIndex(shared: upstream.path))
    return applying(
      RowOperator(placement) { row in
        guard let new = try transform(row), tail.passes(new) else { return nil }
        return new
      }, to: upstream)
  }

  /// The place behind an operator that takes over the end of an arrangement, and makes no other rows.
  @inlinable
  static func arranging<InputSection>(
    _ upstream: ListNode<InputSection, Row>, _ grouping: Grouping<InputSection, Section, Row>, order: RowOrder<Row>,
    keepsSectionsApart: Bool = false, tail: ArrangementTail<Row>, keeping filter: RowFilter<Row>?
  ) -> ListNode {
    let placement = Placement<InputSection, Row, Section, Row>(
      grouping, order: order, keepsSectionsApart: keepsSectionsApart, index: SourceIndex(shared: upstream.path))
    return applying(FilterOperator(placement, filter: filter?.and(tail.filter) ?? tail.filter), to: upstream)
  }

  /// The place behind the end of an arrangement.
  @inlinable
  func ending(with tail: ArrangementTail<Row>) -> ListNode {
    if tail.isEmpty { return self }
    return .arranging(self, .source { $0 }, order: tail.order ?? RowOrder(), tail: tail, keeping: nil)
  }
}

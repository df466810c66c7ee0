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

  /// Makes the operators up to the last one, which takes over the end.
  @usableFromInline let make: Make
  /// Tells these operators from those of other arrangements.
  @usableFromInline let identity = ArrangementIdentity()
  /// Whether filters that follow may become part of the last operator.
  @usableFromInline let takesFilters: Bool
  @usableFromInline var tail = ArrangementTail<Row>()

  @inlinable
  init(takesFilters: Bool = true, make: @escaping Make) {
    self.make = make
    self.takesFilters = takesFilters
  }

  /// The same with another end.
  @inlinable
  func ending(with tail: ArrangementTail<Row>) -> Arrangement {
    var arrangement = self
    arrangement.tail = tail
    return arrangement
  }

  /// The same with a changed end.
  @inlinable
  func ending(_ change: (inout ArrangementTail<Row>) -> Void) -> Arrangement {
    var tail = tail
    change(&tail)
    tail.identity = ArrangementIdentity()
    return ending(with: tail)
  }
}

extension Arrangement where SourceSection == Section, SourceRow == Row {
  /// The list as it is.
  @inlinable
  public init() { self.init { builder, tail in builder.source.ending(with: tail) } }
}

/// Tells parts of arrangements apart, as functions cannot be compared.
@usableFromInline
final class ArrangementIdentity: Sendable {
  @inlinable
  init() {}
}

/// Filters and an order at the end of an arrangement, which need no operator of their own.
@usableFromInline
struct ArrangementTail<Row: RowViewModel>: Sendable {
  @usableFromInline var filter: RowFilter<Row>?
  @usableFromInline var order: RowOrder<Row>?
  /// Tells the end from others; `nil` if there is nothing in it.
  @usableFromInline var identity: ArrangementIdentity?

  @inlinable
  init() {}
}

extension ListNode {
  /// The place behind an operator that takes over the end of an arrangement.
  @inlinable
  static func arranging<InputSection, InputRow>(
    _ upstream: ListNode<InputSection, InputRow>, _ grouping: Grouping<InputSection, Section, Row>,
    order: RowOrder<Row>, keepsLast: Bool = false,
    passing: (([InputRow]) -> [Row])? = nil, transform: @escaping (InputRow) throws -> Row?
  ) -> ListNode where InputRow.ID == Row.ID {
    let placement = Placement<InputSection, InputRow, Section, Row>(
      grouping, order: order, keepsLast: keepsLast, index: SourceIndex(shared: upstream.path))
    return applying(RowOperator(placement, passing: passing, transform: transform), to: upstream)
  }

  /// The place behind an operator that takes over the end of an arrangement, and makes no other rows.
  @inlinable
  static func arranging<InputSection>(
    _ upstream: ListNode<InputSection, Row>, _ grouping: Grouping<InputSection, Section, Row>, order: RowOrder<Row>,
    keeping filter: RowFilter<Row>?
  ) -> ListNode {
    arranging(
      upstream, grouping, order: order, passing: { filter?.included($0) ?? $0 },
      transform: { filter?.isIncluded($0) ?? true ? $0 : nil })
  }

  /// The place behind the end of an arrangement.
  @inlinable
  func ending(with tail: ArrangementTail<Row>) -> ListNode {
    if tail.identity == nil { return self }
    return .arranging(self, .source { $0 }, order: tail.order ?? RowOrder(), keeping: tail.filter)
  }
}

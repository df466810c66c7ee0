public import RowcastModel
public import RowcastStore

/// The rows of one list, each combined with a row of another list that it refers to.
///
///     let lines = JoinedList(orders, with: customers, on: \.customerID) { order, customer in
///       OrderLine(id: order.id, title: order.title, name: customer.name)
///     }
///
/// Rows and sections are ordered as in the first list. Many of its rows may refer to one row of the other. Both lists are
/// followed: an order is there as soon as its customer is, and changes with it.
///
/// A store is read at one revision, and stores of one `ListSpace` at one moment. Stores of different spaces are read one after
/// the other: a new partner may show before an older change of the row. One revision of either list gives one update at most. The
/// list ends when both others have ended.
public final class JoinedList<Section: SectionViewModel, Row: RowViewModel>: SourceList {
  @usableFromInline let core: ViewCore<Section, Row>

  // Apart from those that make the operators: the table of a class names its designated initialisers, so all that they call would
  // be in every program.
  @usableFromInline
  init(core: ViewCore<Section, Row>) { self.core = core }

  @_alwaysEmitIntoClient
  convenience init<LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel>(
    _ left: any LiveList<Section, LeftRow>, _ right: any LiveList<RightSection, RightRow>,
    key: @escaping @Sendable (LeftRow) -> RightRow.ID?, combine: @escaping @Sendable (LeftRow, RightRow?) throws -> Row?
  ) where LeftRow.ID == Row.ID {
    let (left, right) = (ListNode.maker(of: left), ListNode.maker(of: right))
    self.init(core: ViewCore { .joining(left($0), right($0), key: key, combine: combine) })
  }

  /// Joins rows with the rows that they refer to. A row whose partner is not there is left out.
  ///
  /// - Parameters:
  ///   - left: The list whose rows are shown.
  ///   - right: The list that their partners are in.
  ///   - key: The id of a row's partner, or `nil`. A key that is not equal to itself refers to no row.
  ///   - combine: Makes the row, with the id of the row on the left. If it throws, or the id is another one, the row is left out,
  ///     with the error in ``failures``. It is asked once for each row that changed, or whose partner did, and for all
  ///     rows if these are more than about a quarter of them.
  /// - Complexity: O(log n) for each of these rows of n.
  @_alwaysEmitIntoClient
  public convenience init<LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel>(
    _ left: any LiveList<Section, LeftRow>, with right: any LiveList<RightSection, RightRow>,
    on key: @escaping @Sendable (LeftRow) -> RightRow.ID?,
    _ combine: @escaping @Sendable (LeftRow, RightRow) throws -> Row
  ) where LeftRow.ID == Row.ID {
    self.init(left, right, key: key) { row, partner in try partner.map { try combine(row, $0) } }
  }

  /// Joins rows with the rows that they refer to. A row whose partner is not there is made without one.
  ///
  ///     JoinedList(orders, withOptional: customers, on: \.customerID) { order, customer in
  ///       OrderLine(id: order.id, title: order.title, name: customer?.name ?? "–")
  ///     }
  ///
  /// - Parameters:
  ///   - left: The list whose rows are shown, all of them.
  ///   - right: The list that their partners are in.
  ///   - key: The id of a row's partner, or `nil`.
  ///   - combine: Makes the row, with the id of the row on the left, from that and its partner, which may be missing. If it
  ///     throws, or the id is another one, the row is left out, with the error in ``failures``.
  /// - Complexity: O(log n) for each row of n that changed, or whose partner did.
  @_alwaysEmitIntoClient
  public convenience init<LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel>(
    _ left: any LiveList<Section, LeftRow>, withOptional right: any LiveList<RightSection, RightRow>,
    on key: @escaping @Sendable (LeftRow) -> RightRow.ID?,
    _ combine: @escaping @Sendable (LeftRow, RightRow?) throws -> Row
  ) where LeftRow.ID == Row.ID {
    self.init(left, right, key: key, combine: { try combine($0, $1) })
  }

  @usableFromInline var source: any ListPublisher<Section, Row> { core }

  /// The newest list.
  public var snapshot: ListSnapshot<Section, Row> { get async { await core.latest.snapshot } }

  /// The sum of the revisions of the sources at the last change, as an ``ArrangedList`` counts them.
  public var revision: Int { get async { await core.latest.revision } }

  /// The errors of rows that could not be made, or whose mapping failed before, by their ids. These rows are left out.
  public var failures: [Row.ID: any Error] { get async { await core.latestFailures } }

  /// Watches the list: the whole of it first, then its changes; see ``ListStore/updates()``.
  @_alwaysEmitIntoClient
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { Subscription(to: core).stream }
}

extension LiveList {
  /// The rows whose ids are not those of rows of another list. Sections stay.
  ///
  ///     let shown = messages.excluding(hidden)
  ///
  /// - Parameter other: A list that is followed as well.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each of n rows that is changed, inserted or removed in either list.
  @_alwaysEmitIntoClient
  public func excluding<OtherSection: SectionViewModel, OtherRow: RowViewModel>(
    _ other: any LiveList<OtherSection, OtherRow>
  ) -> JoinedList<Section, Row> where OtherRow.ID == Row.ID {
    JoinedList(self, other, key: { $0.id }, combine: { $1 == nil ? $0 : nil })
  }

  /// The rows whose ids are also those of rows of another list. Sections stay.
  ///
  /// - Parameter other: A list that is followed as well.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each of n rows that is changed, inserted or removed in either list.
  @_alwaysEmitIntoClient
  public func intersecting<OtherSection: SectionViewModel, OtherRow: RowViewModel>(
    _ other: any LiveList<OtherSection, OtherRow>
  ) -> JoinedList<Section, Row> where OtherRow.ID == Row.ID {
    JoinedList(self, other, key: { $0.id }, combine: { $1 == nil ? nil : $0 })
  }
}

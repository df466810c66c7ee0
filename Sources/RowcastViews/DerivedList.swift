public import RowcastModel
public import RowcastStore

/// A list that is made of one or several others: joined, flattened, merged, switched.
///
///     let lines = orders.joined(with: customers, on: \.customerID) { order, customer in
///       OrderLine(id: order.id, title: order.title, name: customer.name)
///     }
///
/// All sources are followed: an order is there as soon as its customer is, and changes with it.
///
/// A store is read at one revision, and stores of one `ListSpace` at one moment. Stores of different spaces are read one after
/// the other: a new partner may show before an older change of the row. One revision of any source gives one update at most. The
/// list ends when all of them have ended.
public final class DerivedList<Section: SectionViewModel, Row: RowViewModel>: SourceList {
  @usableFromInline let core: ViewCore<Section, Row>

  // Apart from those that make the operators: the table of a class names its designated initialisers, so all that they call would
  // be in every program.
  @usableFromInline
  init(core: ViewCore<Section, Row>) { self.core = core }

  /// `partners` makes the partners of the list on the right.
  @_alwaysEmitIntoClient
  convenience init<
    LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel, Key, Partner
  >(
    _ left: any LiveList<Section, LeftRow>, _ right: any LiveList<RightSection, RightRow>,
    key: @escaping @Sendable (LeftRow) -> Key?,
    partners: @escaping @Sendable (ListNode<RightSection, RightRow>) -> JoinPartners<Key, Partner>,
    refusal: String = "it has no partner",
    combine: @escaping @Sendable (LeftRow, Partner?) throws -> Row?
  ) where LeftRow.ID == Row.ID {
    let (left, right) = (ListNode.maker(of: left), ListNode.maker(of: right))
    self.init(
      core: ViewCore(
        { upstreams in
          // The sources are read in the order in which they are named.
          let left = left(upstreams)
          return .joining(left, partners(upstreams.aside(right(upstreams))), key: key, combine: combine)
        }, refusal: refusal))
  }

  @_alwaysEmitIntoClient
  convenience init<LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel>(
    _ left: any LiveList<Section, LeftRow>, _ right: any LiveList<RightSection, RightRow>,
    key: @escaping @Sendable (LeftRow) -> RightRow.ID?, refusal: String = "it has no partner",
    combine: @escaping @Sendable (LeftRow, RightRow?) throws -> Row?
  ) where LeftRow.ID == Row.ID {
    self.init(left, right, key: key, partners: { $0.rowPartners }, refusal: refusal, combine: combine)
  }

  /// Joins rows with the rows that they refer to; see `joined(with:on:combine:)` of a live list.
  ///
  /// - Parameters:
  ///   - left: The list whose rows are shown.
  ///   - right: The list that their partners are in.
  ///   - key: The id of a row's partner, or `nil`.
  ///   - combine: Makes the row, with the id of the row on the left.
  @available(
    *, deprecated, message: "write left.joined(with: right, on: key) in place of JoinedList(left, with: right, on: key)"
  )
  @_alwaysEmitIntoClient
  public convenience init<LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel>(
    _ left: any LiveList<Section, LeftRow>, with right: any LiveList<RightSection, RightRow>,
    on key: @escaping @Sendable (LeftRow) -> RightRow.ID?,
    _ combine: @escaping @Sendable (LeftRow, RightRow) throws -> Row
  ) where LeftRow.ID == Row.ID {
    self.init(left, right, key: key) { row, partner in try partner.map { try combine(row, $0) } }
  }

  /// Joins rows with the rows that they refer to; see `joined(withOptional:on:combine:)` of a live list.
  ///
  /// - Parameters:
  ///   - left: The list whose rows are shown, all of them.
  ///   - right: The list that their partners are in.
  ///   - key: The id of a row's partner, or `nil`.
  ///   - combine: Makes the row, with the id of the row on the left.
  @available(
    *, deprecated,
    message:
      "write left.joined(withOptional: right, on: key) in place of JoinedList(left, withOptional: right, on: key)"
  )
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

  /// The errors of rows that could not be made, or whose mapping failed before, by their ids. These rows are left out. Of a row that
  /// failed in several merged lists, the error is that of the first.
  public var failures: [Row.ID: any Error] { get async { await core.latestFailures } }

  /// Watches the list: the whole of it first, then its changes; see ``ListStore/updates()``.
  @_alwaysEmitIntoClient
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { Subscription(to: core).stream }
}

/// The list that a join makes.
public typealias JoinedList = DerivedList

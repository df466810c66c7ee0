public import RowcastModel
public import RowcastStore

/// The list that a join makes.
public typealias JoinedList = ArrangedList

extension ArrangedList {
  /// `partners` makes the partners of the list on the right.
  @inlinable
  convenience init<
    LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel, Partners: JoinPartners
  >(
    _ left: any LiveList<Section, LeftRow>, _ right: any LiveList<RightSection, RightRow>,
    key: @escaping @Sendable (LeftRow) -> Partners.Key?,
    partners: @escaping @Sendable (ListNode<RightSection, RightRow>) -> JoinSide<Partners>,
    refusal: String = "it has no partner",
    combine: @escaping @Sendable (LeftRow, Partners.Partner?) throws -> Row?
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

  @inlinable
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
  @inlinable
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
  @inlinable
  public convenience init<LeftRow: RowViewModel, RightSection: SectionViewModel, RightRow: RowViewModel>(
    _ left: any LiveList<Section, LeftRow>, withOptional right: any LiveList<RightSection, RightRow>,
    on key: @escaping @Sendable (LeftRow) -> RightRow.ID?,
    _ combine: @escaping @Sendable (LeftRow, RightRow?) throws -> Row
  ) where LeftRow.ID == Row.ID {
    self.init(left, right, key: key, combine: { try combine($0, $1) })
  }
}

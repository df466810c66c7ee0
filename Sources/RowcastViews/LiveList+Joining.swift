public import RowcastModel
public import RowcastStore

extension LiveList {
  /// The rows, each combined with the row of another list that it refers to: orders with their customers.
  ///
  ///     let lines = orders.joined(with: customers, on: \.customerID) { order, customer in
  ///       OrderLine(id: order.id, title: order.title, name: customer.name)
  ///     }
  ///
  /// Rows and sections are ordered as in this list. A row is left out while its partner is missing.
  ///
  /// - Parameters:
  ///   - other: The list that the partners are in.
  ///   - key: The id of a row's partner, or `nil`. A key that is not equal to itself refers to no row.
  ///   - combine: Makes the row, with the id of the row of this list. If it throws, or the id is another one, the row is left
  ///     out, with the error in `failures` of the list. It is asked once for each row that changed, or whose partner did, and
  ///     for all rows if these are more than about a quarter of them.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each of these rows of n.
  @inlinable
  public func joined<OtherSection: SectionViewModel, OtherRow: RowViewModel, NewRow: RowViewModel>(
    with other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (Row) -> OtherRow.ID?,
    combine: @escaping @Sendable (Row, OtherRow) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(self, other, key: key) { row, partner in try partner.map { try combine(row, $0) } }
  }

  /// The rows, each combined with the row of another list that it refers to, if the other list has that row: a left join in SQL.
  ///
  ///     orders.joined(withOptional: customers, on: \.customerID) { order, customer in
  ///       OrderLine(id: order.id, title: order.title, name: customer?.name ?? "–")
  ///     }
  ///
  /// - Parameters:
  ///   - other: The list that the partners are in.
  ///   - key: The id of a row's partner, or `nil`.
  ///   - combine: Makes the row, with the id of the row of this list, from that and its partner, which may be missing. If it
  ///     throws, or the id is another one, the row is left out, with the error in `failures` of the list.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each row of n that changed, or whose partner did.
  @inlinable
  public func joined<OtherSection: SectionViewModel, OtherRow: RowViewModel, NewRow: RowViewModel>(
    withOptional other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (Row) -> OtherRow.ID?,
    combine: @escaping @Sendable (Row, OtherRow?) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(self, other, key: key, combine: { try combine($0, $1) })
  }

  /// The rows, each combined with the rows of another list that refer to it: customers with their orders.
  ///
  ///     let board = customers.joined(withMany: orders, on: \.customerID, sortedBy: .descending(\.day)) { customer, orders in
  ///       Row(id: customer.id, name: customer.name, newest: orders.first?.title)
  ///     }
  ///
  /// Rows and sections are ordered as in this list; a row to which no other one refers is combined with an empty list. A `filter`
  /// that follows can leave such rows out. Both lists are followed.
  ///
  /// - Parameters:
  ///   - other: The list of the rows that refer to those of this one.
  ///   - key: The id of the row that a row of the other list refers to, or `nil`. A key that is not equal to itself refers to
  ///     no row.
  ///   - order: The order of the rows that refer to one; without one, and among equals, that of the other list.
  ///   - combine: Makes the row, with the id of the row of this list. The rows that refer to it are passed in O(1). If it
  ///     throws, or the id is another one, the row is left out, with the error in `failures` of the list. It is asked once for
  ///     each row that changed, or to which another row refers that changed, was inserted or removed; and for all rows if these
  ///     are more than about a quarter of them.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each row of n in either list that is changed, inserted or removed, and for each of `other` that
  ///   is moved with its section.
  @inlinable
  public func joined<OtherSection: SectionViewModel, OtherRow: RowViewModel, NewRow: RowViewModel>(
    withMany other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?,
    sortedBy order: SortKey<OtherRow>..., combine: @escaping @Sendable (Row, ListRows<OtherRow>) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(
      self, other, key: { $0.id },
      partners: { $0.grouped(by: key, order).rowsOfSections },
      combine: { row, others in try others.map { try combine(row, $0) } })
  }

  /// The rows, each combined with the first of the rows of another list that refer to it: orders with their payment, where the
  /// payment names the order.
  ///
  ///     orders.joined(withFirst: payments, on: \.orderID) { order, payment in Row(order, isPaid: payment != nil) }
  ///
  /// - Parameters:
  ///   - other: The list of the rows that refer to those of this one.
  ///   - key: The id of the row that a row of the other list refers to, or `nil`.
  ///   - order: The order of the rows that refer to one; without one, and among equals, that of the other list.
  ///   - combine: Makes the row, with the id of the row of this list, from that row and the first one that refers to it, if there
  ///     is one. It is asked when one of the two has changed; see ``joined(withMany:on:sortedBy:combine:)`` for its errors.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each row of n in either list that is changed, inserted or removed, and for each of `other` that
  ///   is moved with its section.
  @inlinable
  public func joined<OtherSection: SectionViewModel, OtherRow: RowViewModel, NewRow: RowViewModel>(
    withFirst other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?,
    sortedBy order: SortKey<OtherRow>..., combine: @escaping @Sendable (Row, OtherRow?) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(
      self, other, key: { $0.id },
      partners: { $0.grouped(by: key, order).firstRowsOfSections }, combine: { try combine($0, $1) })
  }

  /// The rows, each combined with a summary of the rows of another list that refer to it: customers with the number of their
  /// orders.
  ///
  ///     customers.joined(withMany: orders, on: \.customerID, summary: .count) { customer, count in … }
  ///
  /// - Parameters:
  ///   - other: The list of the rows that refer to those of this one.
  ///   - key: The id of the row that a row of the other list refers to, or `nil`.
  ///   - summary: The summary of the rows that refer to one.
  ///   - combine: Makes the row, with the id of the row of this list, from that row and the value of the summary. It is asked
  ///     when one of the two has changed; see ``joined(withMany:on:sortedBy:combine:)`` for its errors.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each row of n in either list that is changed, inserted or removed, and for each of `other` that
  ///   is moved with its section; and that of the summary.
  @inlinable
  public func joined<OtherSection: SectionViewModel, OtherRow: RowViewModel, Value, NewRow: RowViewModel>(
    withMany other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?,
    summary: Summary<OtherRow, Value>, combine: @escaping @Sendable (Row, Value) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    joined(withMany: other, on: key, summary.make, combine: combine)
  }

  /// The rows, each combined with two summaries of the rows of another list that refer to it.
  ///
  ///     customers.joined(withMany: orders, on: \.customerID, summary: .count, .sum(\.amount)) { customer, count, sum in … }
  ///
  /// Its rules are those of ``joined(withMany:on:summary:combine:)``.
  @inlinable
  public func joined<OtherSection: SectionViewModel, OtherRow: RowViewModel, Value1, Value2, NewRow: RowViewModel>(
    withMany other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?,
    summary first: Summary<OtherRow, Value1>, _ second: Summary<OtherRow, Value2>,
    combine: @escaping @Sendable (Row, Value1, Value2) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    joined(withMany: other, on: key, { .combining($0, first, second) }) { try combine($0, $1.0, $1.1) }
  }

  /// The rows, each combined with three summaries of the rows of another list that refer to it.
  ///
  /// Its rules are those of ``joined(withMany:on:summary:combine:)``.
  @inlinable
  public func joined<
    OtherSection: SectionViewModel, OtherRow: RowViewModel, Value1, Value2, Value3, NewRow: RowViewModel
  >(
    withMany other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?,
    summary first: Summary<OtherRow, Value1>, _ second: Summary<OtherRow, Value2>,
    _ third: Summary<OtherRow, Value3>, combine: @escaping @Sendable (Row, Value1, Value2, Value3) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    joined(withMany: other, on: key, { .combining($0, first, second, third) }) { try combine($0, $1.0, $1.1, $1.2) }
  }

  @inlinable
  func joined<OtherSection: SectionViewModel, OtherRow: RowViewModel, Value: Sendable, NewRow: RowViewModel>(
    withMany other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?,
    _ makeState: @escaping MakeSummary<OtherRow, Value>,
    combine: @escaping @Sendable (Row, Value) throws -> NewRow
  ) -> ArrangedList<Section, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(
      self, other, key: { $0.id },
      partners: { $0.grouped(by: key, makeState).valuesOfSections(like: makeState { _ in nil }) },
      combine: { row, value in try value.map { try combine(row, $0) } })
  }

  /// The rows to which a row of another list refers: `EXISTS` in SQL. Sections stay.
  ///
  ///     let parents = people.intersecting(children, on: \.parentID)
  ///
  /// - Parameters:
  ///   - other: A list that is followed as well.
  ///   - key: The id of the row that a row of the other list refers to, or `nil`.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each row of n in either list that is changed, inserted or removed, and for each of `other` that
  ///   is moved with its section.
  @inlinable
  public func intersecting<OtherSection: SectionViewModel, OtherRow: RowViewModel>(
    _ other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?
  ) -> ArrangedList<Section, Row> {
    keeping(other, on: key, refusal: "no row of the other list refers to it") { $0 }
  }

  /// The rows to which no row of another list refers: `NOT EXISTS` in SQL. Sections stay.
  ///
  /// - Parameters:
  ///   - other: A list that is followed as well.
  ///   - key: The id of the row that a row of the other list refers to, or `nil`.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each row of n in either list that is changed, inserted or removed, and for each of `other` that
  ///   is moved with its section.
  @inlinable
  public func excluding<OtherSection: SectionViewModel, OtherRow: RowViewModel>(
    _ other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?
  ) -> ArrangedList<Section, Row> {
    keeping(other, on: key, refusal: "a row of the other list refers to it") { !$0 }
  }

  @inlinable
  func keeping<OtherSection: SectionViewModel, OtherRow: RowViewModel>(
    _ other: any LiveList<OtherSection, OtherRow>, on key: @escaping @Sendable (OtherRow) -> Row.ID?,
    refusal: String, _ isKept: @escaping @Sendable (_ isReferredTo: Bool) -> Bool
  ) -> ArrangedList<Section, Row> {
    ArrangedList(
      self, other, key: { $0.id },
      partners: { $0.grouped(by: key, []).presenceOfSections }, refusal: refusal,
      combine: { row, isReferredTo in isKept(isReferredTo ?? false) ? row : nil })
  }

  /// The rows whose ids do not appear in another list. Sections stay.
  ///
  ///     let shown = messages.excluding(hidden)
  ///
  /// - Parameter other: A list that is followed as well.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each of n rows that is changed, inserted or removed in either list.
  @inlinable
  public func excluding<OtherSection: SectionViewModel, OtherRow: RowViewModel>(
    _ other: any LiveList<OtherSection, OtherRow>
  ) -> ArrangedList<Section, Row> where OtherRow.ID == Row.ID {
    ArrangedList(self, other, key: { $0.id }, refusal: "the other list has it", combine: { $1 == nil ? $0 : nil })
  }

  /// The rows whose ids also appear in another list. Sections stay.
  ///
  /// - Parameter other: A list that is followed as well.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log n) for each of n rows that is changed, inserted or removed in either list.
  @inlinable
  public func intersecting<OtherSection: SectionViewModel, OtherRow: RowViewModel>(
    _ other: any LiveList<OtherSection, OtherRow>
  ) -> ArrangedList<Section, Row> where OtherRow.ID == Row.ID {
    ArrangedList(
      self, other, key: { $0.id }, refusal: "the other list does not have it", combine: { $1 == nil ? nil : $0 })
  }
}

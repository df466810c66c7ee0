public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// An element of a row. No other row has it, and the row has it once.
@usableFromInline
struct RowElement<RowID: Hashable & Sendable, Element: RowViewModel>: RowViewModel {
  @usableFromInline
  struct ID: Hashable, Sendable {
    @usableFromInline let row: RowID
    @usableFromInline let element: Element.ID

    @inlinable
    init(_ row: RowID, _ element: Element.ID) { (self.row, self.element) = (row, element) }
  }

  @usableFromInline let id: ID
  @usableFromInline let element: Element
  @usableFromInline var reuseIdentifier: String { "" }

  @inlinable
  init(_ element: Element, of row: RowID) { (id, self.element) = (ID(row, element.id), element) }

  @inlinable
  static func == (lhs: RowElement, rhs: RowElement) -> Bool { lhs.id == rhs.id && lhs.element == rhs.element }
}

/// All elements of the rows of a list, in the order of the rows. Sections stay.
@usableFromInline
struct RowElements<Section: SectionViewModel, InputRow: RowViewModel, Element: RowViewModel>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, InputRow>
  @usableFromInline typealias Row = RowElement<InputRow.ID, Element>

  @usableFromInline let elements: (InputRow) -> [Element]
  @usableFromInline let index: SourceIndex<Section, InputRow>
  @usableFromInline let output = ListOutput<Section, Row>()
  /// The ids of the elements of each row that has any; made when they are first needed.
  @usableFromInline var idsOfRows: [InputRow.ID: [Row.ID]]?

  @inlinable
  init(_ elements: @escaping (InputRow) -> [Element], index: SourceIndex<Section, InputRow>) {
    (self.elements, self.index) = (elements, index)
  }

  /// The elements of a row. An element whose id is not equal to itself, or is the id of an earlier one, is left out.
  @inlinable
  func expanded(_ row: InputRow) -> [Row] {
    let (elements, rowID) = (elements(row), row.id)
    var rows: [Row] = []
    var seen: Set<Element.ID> = []
    for element in elements {
      let id = element.id
      // The usual row has one element.
      if id == id, elements.count < 2 || seen.insert(id).inserted { rows.append(Row(element, of: rowID)) }
    }
    return rows
  }

  /// Takes O(n + e) for n rows with e elements.
  @inlinable
  mutating func rebuild(from list: Input) {
    index.rebuild(from: list)
    idsOfRows = nil
    output.rebuild(from: list.contents.map { ListSection($0.section, rows: $0.rows.flatMap { expanded($0) }) })
  }

  /// Takes O(log² e) for each element of each changed row, e being the number of all elements.
  @inlinable
  mutating func step(_ change: TouchingChanges, from before: Input, to after: Input) {
    let (changes, touched) = change
    output.open()
    var ids = idsOfRows ?? Dictionary(grouping: output.draft.list.allRows.map(\.id), by: \.row)
    idsOfRows = nil
    index.follow(changes, to: after)
    var arrivals: [(elements: [Row], path: RowPath)] = []
    func remove(_ row: InputRow.ID) {
      for id in ids.removeValue(forKey: row) ?? [] {
        if let path = output.path(ofRow: id) { output.draft.removeRow(at: path) }
      }
    }
    for path in touched.leaving { remove(before.row(at: path).id) }
    for touch in touched.staying {
      let row = after.row(at: touch.path)
      let new = expanded(row)
      if !touch.hasMoved, ids[row.id, default: []] == new.map(\.id) {
        for element in new {
          guard let old = output.draft.locate(element.id) else { continue }
          output.draft.replaceRow(old.row, at: old.path, with: element)
        }
      } else {
        remove(row.id)
        arrivals.append((new, touch.path))
      }
    }
    for section in changes.sections.deletes { for row in before.rows(inSection: section) { ids[row.id] = nil } }
    let arriving = changes.sections.inserts.map { section in
      after.rows(inSection: section).flatMap { row in
        let new = expanded(row)
        if !new.isEmpty { ids[row.id] = new.map(\.id) }
        return new
      }
    }
    output.draft.follow(changes.sections, section: after.section(at:), rows: arriving)
    for path in touched.arriving { arrivals.append((expanded(after.row(at: path)), path)) }
    for (elements, path) in arrivals where !elements.isEmpty {
      let place = output.draft.list.partitioningRow(inSection: path.section) { other in
        index.requiredPath(ofRow: other.id.row) > path
      }
      for (offset, element) in elements.enumerated() {
        output.draft.insertRow(element, at: RowPath(section: path.section, row: place + offset))
      }
      ids[elements[0].id.row] = elements.map(\.id)
    }
    idsOfRows = ids
  }

  @inlinable
  func checkInvariants(for input: Input) {
    assert(
      idsOfRows.map { $0.values.reduce(0) { $0 + $1.count } == output.snapshot.rowCount } ?? true,
      "\(idsOfRows?.count ?? 0) rows have other elements")
  }
}

/// Elements as rows of their own. Their ids are unique.
@usableFromInline
struct ElementRows<Section: SectionViewModel, RowID: Hashable & Sendable, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, RowElement<RowID, Row>>

  @usableFromInline let output = ListOutput<Section, Row>()

  @inlinable
  init() {}

  @inlinable
  func section(_ index: Int, of list: Input) -> ListSection<Section, Row> {
    ListSection(list.section(at: index), rows: list.rows(inSection: index).map(\.element))
  }

  @inlinable
  func rebuild(from list: Input) { output.rebuild(from: (0..<list.sectionCount).map { section($0, of: list) }) }

  @inlinable
  func step(_ changes: ListChanges, from before: Input, to after: Input) {
    output.open()
    output.draft.edit(
      ListPatch(
        changes, insertedSections: changes.sections.inserts.map { section($0, of: after) },
        insertedRows: changes.rows.inserts.map { after.row(at: $0).element }))
    for update in changes.sections.updates {
      output.draft.replaceSection(at: update.to, with: after.section(at: update.to))
    }
    for update in changes.rows.updates {
      output.draft.replaceRow(
        output.draft.list.row(at: update.to), at: update.to, with: after.row(at: update.to).element)
    }
  }
}

extension ListNode {
  /// The elements of the rows of another list. Of several with one id the first is shown.
  @inlinable
  static func flatMapping<InputRow>(
    _ upstream: ListNode<Section, InputRow>, _ elements: @escaping (InputRow) -> [Row]
  ) -> ListNode {
    let all = ListNode<Section, RowElement<InputRow.ID, Row>>(
      RowElements<Section, InputRow, Row>(elements, index: SourceIndex(shared: upstream.path)), pull: upstream.pull,
      input: upstream.snapshot)
    let distinct = ListNode<Section, RowElement<InputRow.ID, Row>>.distinct(all, by: { $0.element.id })
    return ListNode(
      ElementRows<Section, InputRow.ID, Row>(), pull: distinct.pull, input: distinct.snapshot,
      failures: {
        var seen: Set<Row.ID> = []
        var failures: [Row.ID: any Error] = [:]
        for row in all.snapshot().allRows where !seen.insert(row.element.id).inserted {
          failures[row.element.id] = ArrangementFailure.repeatedID(row: "\(row.id.row)")
        }
        return failures
      })
  }
}

extension LiveList {
  /// The elements of all rows, as one list: the lines of all orders.
  ///
  ///     let lines = orders.flatMap { order in order.lines.map { LineRow(id: LineID(order.id, $0.number), text: $0.text) } }
  ///
  /// Elements are in the order of their rows. Sections stay. Of several rows that have an element with one id, the first shows
  /// it; `failures` of the list names the last of the others. Of one row's elements with one id, the first is shown.
  ///
  /// - Parameter elements: Makes the elements of a row, with ids of their own. It is asked once for each row that changed, and
  ///   for all rows if more than about a quarter of them did. An element whose id is not equal to itself is left out.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log² e) for each element of each row that is changed, or moved with its section, e being the number of all
  ///   elements.
  @inlinable
  public func flatMap<Element: RowViewModel>(
    _ elements: @escaping @Sendable (Row) -> [Element]
  ) -> ArrangedList<Section, Element> {
    let source = ListNode.maker(of: self)
    return ArrangedList(core: ViewCore { .flatMapping($0.aside(source($0)), elements) })
  }

  /// The rows under other ids, which may be of another type.
  ///
  ///     let bySymbol = trades.keyed { Quote(id: $0.symbol, price: $0.price) }
  ///
  /// Order and sections stay. Of several rows with one new id the first is shown; `failures` of the list names the last of the
  /// others.
  ///
  /// - Parameter row: Makes the row with the other id, or `nil` for a row to leave out. It is asked once for each row that
  ///   changed, and for all rows if more than about a quarter of them did.
  /// - Returns: The list, which can be watched and arranged.
  /// - Complexity: O(log² n) for each row of n that is changed, or moved with its section.
  @inlinable
  public func keyed<NewRow: RowViewModel>(
    by row: @escaping @Sendable (Row) -> NewRow?
  ) -> ArrangedList<Section, NewRow> {
    flatMap { row($0).map { [$0] } ?? [] }
  }
}

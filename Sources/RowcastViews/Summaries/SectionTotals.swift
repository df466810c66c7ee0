public import RowcastDiff
public import RowcastModel

/// What is known of the rows of one section, and the section that it makes of another one.
@usableFromInline
struct SectionTotals<InputSection, Section, Row: RowViewModel> {
  /// Takes in the rows of a section that is new.
  @usableFromInline let rebuild: (ListRows<Row>) -> Void
  @usableFromInline let insert: (Row) -> Void
  /// Takes out a row that was taken in.
  @usableFromInline let remove: (Row) -> Void
  @usableFromInline let section: (InputSection) -> Section

  @inlinable
  init(
    rebuild: @escaping (ListRows<Row>) -> Void, insert: @escaping (Row) -> Void, remove: @escaping (Row) -> Void,
    section: @escaping (InputSection) -> Section
  ) {
    self.rebuild = rebuild
    self.insert = insert
    self.remove = remove
    self.section = section
  }
}

/// Gives sections other models, which depend on their rows.
@usableFromInline
struct SectionSummaries<InputSection: SectionViewModel, Section: SectionViewModel, Row: RowViewModel>
where InputSection.ID == Section.ID {
  @usableFromInline typealias Input = ListSnapshot<InputSection, Row>
  @usableFromInline typealias Totals = SectionTotals<InputSection, Section, Row>

  @usableFromInline let makeTotals: () -> Totals
  @usableFromInline var totals: [Section.ID: Totals] = [:]
  @usableFromInline var output = RelabelledList<Section, Row>()

  @inlinable
  init(_ makeTotals: @escaping () -> Totals) { self.makeTotals = makeTotals }

  /// Makes the output from nothing.
  ///
  /// - Complexity: O(n) for n rows, each of which is taken in once.
  @inlinable
  mutating func rebuild(from list: Input) {
    totals = [:]
    for section in 0..<list.sectionCount { add(section, of: list) }
    output.rebuild(from: list) { [totals] in Self.section($0, totals) }
  }

  /// Brings the output up to date.
  ///
  /// - Complexity: O(log n) for each changed row of n, and that of taking rows in and out.
  @inlinable
  mutating func step(from before: Input, to after: Input) -> ListStep<Section, Row>? {
    let former = output.list
    let changes = before.changes(to: after)
    if changes.isEmpty { return nil }
    let touched = TouchedRows(changes.rows)
    for path in touched.leaving { totals[before.section(at: path.section).id]?.remove(before.row(at: path)) }
    for touch in touched.staying {
      if let path = touch.former { totals[before.section(at: path.section).id]?.remove(before.row(at: path)) }
    }
    for index in changes.sections.deletes { totals[before.section(at: index).id] = nil }
    for index in changes.sections.inserts { add(index, of: after) }
    for path in touched.arriving + touched.staying.map({ $0.path }) {
      totals[after.section(at: path.section).id]?.insert(after.row(at: path))
    }
    output.follow(changes, to: after) { [totals] in Self.section(after.section(at: $0), totals) }
    return ListStep(before: former, after: output.list)
  }

  @inlinable
  mutating func add(_ section: Int, of list: Input) {
    let new = makeTotals()
    new.rebuild(list.rows(inSection: section))
    totals[list.section(at: section).id] = new
  }

  @inlinable
  static func section(_ input: InputSection, _ totals: [Section.ID: Totals]) -> Section {
    guard let totals = totals[input.id] else { preconditionFailure("Nothing is known of section \(input.id)") }
    let section = totals.section(input)
    precondition(
      section.id == input.id,
      "The section \(input.id) has the id \(section.id) with another summary; its id may depend on the key alone")
    return section
  }
}

/// A section of which no more is known than its key.
@usableFromInline
struct KeyedSection<Key: Hashable & Sendable, ID: Hashable & Sendable>: SectionViewModel {
  @usableFromInline let id: ID
  @usableFromInline let key: Key

  @inlinable
  init(_ key: Key, id: ID) {
    self.key = key
    self.id = id
  }

  /// Keys that are not equal to themselves are told by their texts.
  @inlinable
  static func == (lhs: KeyedSection, rhs: KeyedSection) -> Bool {
    lhs.id == rhs.id && (lhs.key == rhs.key || (lhs.key != lhs.key && "\(lhs.key)" == "\(rhs.key)"))
  }
}

extension Arrangement {
  /// Divides the rows of all sections anew, and sums up each section for its header.
  ///
  ///     .sectioned(by: \.day, summary: .count, .sum(\.amount)) { Day(id: $0, title: "\($1) for \($2)") }
  ///
  /// Sections are those of ``sectioned(by:order:keeping:section:)``. A header changes only if one of its summaries does.
  ///
  /// - Parameters:
  ///   - key: The key of a row. It is asked for O(log s) rows for each row that changed, s being the number of sections.
  ///   - summary: What to know of the rows of a section.
  ///   - direction: Whether the sections of smaller or of greater keys come first.
  ///   - kept: Keys that always have a section, even one without rows.
  ///   - section: Makes the section of a key and the values of its summaries. It is asked for each section whose rows changed, and
  ///     with the values for no rows to learn the section's id.
  /// - Returns: The arrangement with this operator at its end.
  /// - Precondition: The id of a section depends on the key alone.
  /// - Complexity: O(log n) for each changed row of n, and that of its summaries.
  @inlinable
  public func sectioned<Key: Hashable & Comparable & Sendable, each Value, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, summary: repeat Summary<Row, each Value>,
    order direction: SortDirection = .ascending, keeping kept: [Key] = [],
    section: @escaping @Sendable (Key, repeat each Value) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    let divided = sectioned(by: key, order: direction, keeping: kept) { key in
      KeyedSection(key, id: section(key, repeat (each summary).make().value()).id)
    }
    return divided.summarized {
      let states = (repeat (each summary).make())
      return SectionTotals(
        rebuild: { rows in for state in repeat each states { state.rebuild([rows]) } },
        insert: { row in for state in repeat each states { state.insert(row) } },
        remove: { row in for state in repeat each states { state.remove(row) } },
        section: { section($0.key, repeat (each states).value()) })
    }
  }

  /// Gives sections other models. An order that follows becomes part of the operator before this one, which it does not concern.
  @inlinable
  func summarized<NewSection: SectionViewModel>(
    _ makeTotals: @escaping @Sendable () -> SectionTotals<Section, NewSection, Row>
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> where NewSection.ID == Section.ID {
    followed(takesFilters: false) { builder, tail in
      .summarizing(builder.node(of: Arrangement(stem: stem, tail: tail)), makeTotals)
    }
  }
}

extension ListNode {
  /// The place behind summaries of sections.
  @inlinable
  static func summarizing<InputSection>(
    _ upstream: ListNode<InputSection, Row>, _ makeTotals: @escaping () -> SectionTotals<InputSection, Section, Row>
  ) -> ListNode where InputSection.ID == Section.ID {
    var summaries = SectionSummaries(makeTotals)
    return following(
      upstream, rebuild: { summaries.rebuild(from: $0) }, step: { summaries.step(from: $0, to: $1) },
      snapshot: { summaries.output.list }, path: upstream.path, failures: upstream.failures)
  }
}

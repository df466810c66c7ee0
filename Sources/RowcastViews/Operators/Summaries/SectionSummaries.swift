public import RowcastDiff
public import RowcastModel

/// A list whose sections get other models, which depend on their rows.
@usableFromInline
struct SectionSummaries<
  InputSection: SectionViewModel, Section: SectionViewModel, Row: RowViewModel, Value
>: ListOperator where InputSection.ID == Section.ID {
  @usableFromInline typealias Input = ListSnapshot<InputSection, Row>

  @usableFromInline let makeState: MakeSummary<Row, Value>
  @usableFromInline let makeSection: (InputSection, Value) -> Section
  @usableFromInline let index: SourceIndex<InputSection, Row>
  /// The summary of the rows of each section.
  @usableFromInline var states: [Section.ID: SummaryState<Row, Value>] = [:]
  @usableFromInline var output = RelabelledList<Section, Row>()
  /// True if the last step followed a change.
  @usableFromInline var isChanged = false

  @inlinable
  init(
    _ makeState: @escaping MakeSummary<Row, Value>, index: SourceIndex<InputSection, Row>,
    section: @escaping (InputSection, Value) -> Section
  ) {
    (self.makeState, self.index, makeSection) = (makeState, index, section)
  }

  /// Its rows are where its source has them.
  @usableFromInline var path: ((Row.ID) -> RowPath?)? { index.shared }

  @inlinable
  mutating func add(_ section: Int, of list: Input) {
    let new = makeState { [index] in index.path(ofRow: $0) }
    new.rebuild([list.rows(inSection: section)])
    states[list.section(at: section).id] = new
  }

  /// Makes a section of a section of the source.
  @inlinable var section: (InputSection) -> Section {
    { [states, makeSection] input in
      guard let state = states[input.id] else { stop("Nothing is known of section \(input.id)") }
      let section = makeSection(input, state.value())
      require(
        section.id == input.id,
        "The section \(input.id) has the id \(section.id) with another summary; its id may depend on the key alone")
      return section
    }
  }

  @inlinable
  mutating func rebuild(from list: Input) {
    states = [:]
    index.rebuild(from: list)
    for section in 0..<list.sectionCount { add(section, of: list) }
    output.rebuild(from: list, section)
  }

  /// Takes O(log n) for each changed row of n, and that of its summary.
  @inlinable
  mutating func step(_ changes: ListChanges, from before: Input, to after: Input) {
    isChanged = !changes.isEmpty
    if !isChanged { return }
    index.follow(changes, to: after)
    let touched = TouchedRows(changes.rows)
    for path in touched.former { states[before.section(at: path.section).id]?.remove(before.row(at: path)) }
    for index in changes.sections.deletes { states[before.section(at: index).id] = nil }
    for index in changes.sections.inserts { add(index, of: after) }
    for path in touched.current { states[after.section(at: path.section).id]?.insert(after.row(at: path)) }
    let section = section
    output.follow(changes, to: after) { section(after.section(at: $0)) }
  }

  /// The lists are not compared: they share their rows, and mostly differ.
  @inlinable
  func commit(from before: ListSnapshot<Section, Row>) -> Bool { isChanged }

  @inlinable
  func checkInvariants(for input: Input) {
    assert(states.count == input.sectionCount, "\(states.count) summaries of \(input.sectionCount) sections")
  }
}

extension ListNode {
  /// A list whose sections get other models, which depend on their rows.
  @inlinable
  static func summarizing<InputSection, Value>(
    _ upstream: ListNode<InputSection, Row>, _ makeState: @escaping MakeSummary<Row, Value>,
    section: @escaping (InputSection, Value) -> Section
  ) -> ListNode where InputSection.ID == Section.ID {
    ListNode(
      SectionSummaries(makeState, index: SourceIndex(shared: upstream.path), section: section), reading: upstream)
  }
}

extension Arrangement {
  /// Divides all rows into new sections, and sums up each section for its header.
  ///
  ///     .sectioned(by: \.day, summary: .count) { Day(id: $0, count: $1) }
  ///
  /// Sections are made as by `sectioned(by:order:keeping:section:)`. A header changes only if its summary does.
  ///
  /// - Parameters:
  ///   - key: The key of a row. It is asked a fixed number of times for each row that changed.
  ///   - summary: The summary of the rows of a section.
  ///   - direction: The order of the sections.
  ///   - kept: Keys that always have a section, even one without rows.
  ///   - section: Makes the section of a key and the value of its summary. It is asked for each section whose rows changed, and
  ///     with the value for no rows to learn the section's id.
  /// - Returns: The arrangement with this operator at its end.
  /// - Precondition: The id of a section depends on the key alone.
  /// - Complexity: O(log n) for each changed row of n, and that of its summary.
  @inlinable
  public func sectioned<Key: Hashable & Comparable & Sendable, Value, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, summary: Summary<Row, Value>, order direction: SortDirection = .ascending,
    keeping kept: [Key] = [], section: @escaping @Sendable (Key, Value) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    summarized(by: key, { $0.precedes($1, direction) }, keeping: kept, summary.make, section: section)
  }

  /// Divides all rows into new sections, and sums up each section in two ways.
  ///
  ///     .sectioned(by: \.day, summary: .count, .sum(\.amount)) { Day(id: $0, title: "\($1) for \($2)") }
  ///
  /// Its rules are those of `sectioned(by:summary:order:keeping:section:)`.
  @inlinable
  public func sectioned<Key: Hashable & Comparable & Sendable, Value1, Value2, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, summary first: Summary<Row, Value1>, _ second: Summary<Row, Value2>,
    order direction: SortDirection = .ascending, keeping kept: [Key] = [],
    section: @escaping @Sendable (Key, Value1, Value2) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    summarized(by: key, { $0.precedes($1, direction) }, keeping: kept, { .combining($0, first, second) }) {
      section($0, $1.0, $1.1)
    }
  }

  /// Divides all rows into new sections, and sums up each section in three ways.
  ///
  /// Its rules are those of `sectioned(by:summary:order:keeping:section:)`.
  @inlinable
  public func sectioned<Key: Hashable & Comparable & Sendable, Value1, Value2, Value3, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, summary first: Summary<Row, Value1>, _ second: Summary<Row, Value2>,
    _ third: Summary<Row, Value3>, order direction: SortDirection = .ascending, keeping kept: [Key] = [],
    section: @escaping @Sendable (Key, Value1, Value2, Value3) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    summarized(by: key, { $0.precedes($1, direction) }, keeping: kept, { .combining($0, first, second, third) }) {
      section($0, $1.0, $1.1, $1.2)
    }
  }

  /// Divides all rows into new sections, in the order of a list of keys, and sums up each section for its header.
  ///
  ///     .sectioned(by: \.status, summary: .count, order: Status.allCases) { Column(id: $0, count: $1) }
  ///
  /// Sections are made as by `sectioned(by:order:keeping:section:)` with a list. A header changes only if its summary does.
  ///
  /// - Parameters:
  ///   - key: The key of a row. It is asked a fixed number of times for each row that changed.
  ///   - summary: The summary of the rows of a section.
  ///   - order: The keys in their order; all others are after them.
  ///   - kept: Keys that always have a section, even one without rows.
  ///   - section: Makes the section of a key and the value of its summary. It is asked for each section whose rows changed, and
  ///     with the value for no rows to learn the section's id.
  /// - Returns: The arrangement with this operator at its end.
  /// - Precondition: The id of a section depends on the key alone.
  /// - Complexity: O(log n) for each changed row of n, and that of its summary.
  @inlinable
  public func sectioned<Key: Hashable & Sendable, Value, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, summary: Summary<Row, Value>, order: [Key], keeping kept: [Key] = [],
    section: @escaping @Sendable (Key, Value) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    summarized(by: key, keyOrder(listing: order), keeping: kept, summary.make, section: section)
  }

  /// Divides all rows into new sections, in the order of a list of keys, and sums up each section in two ways.
  ///
  /// Its rules are those of `sectioned(by:summary:order:keeping:section:)` with a list.
  @inlinable
  public func sectioned<Key: Hashable & Sendable, Value1, Value2, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, summary first: Summary<Row, Value1>, _ second: Summary<Row, Value2>,
    order: [Key], keeping kept: [Key] = [], section: @escaping @Sendable (Key, Value1, Value2) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    summarized(by: key, keyOrder(listing: order), keeping: kept, { .combining($0, first, second) }) {
      section($0, $1.0, $1.1)
    }
  }

  /// A public overload with a parameter pack would crash the compiler where a program has an error anywhere near.
  @inlinable
  func summarized<Key: Hashable & Sendable, Value, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, _ order: @escaping KeyOrder<Key>, keeping kept: [Key],
    _ makeState: @escaping MakeSummary<Row, Value>,
    section: @escaping @Sendable (Key, Value) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    let divided = sectioned(by: key, order, keeping: kept) { key in
      Labelled(id: section(key, makeState { _ in nil }.value()).id, key)
    }
    return .init(takesFilters: false) { builder, tail in
      // An order that follows becomes part of the operator that divides, which models of sections do not concern.
      let upstream = builder.node(of: divided.ending(with: tail))
      return .summarizing(upstream, makeState) { section($0.label, $1) }
    }
  }
}

public import RowcastModel

extension Arrangement {
  /// Divides all rows into new sections: one for each key, in the order of the keys.
  ///
  ///     .sectioned(by: \.day) { Day(id: $0, title: $0.formatted()) }
  ///
  /// The rows of a section keep their order. A section is removed with its last row, unless it is to be kept.
  ///
  /// Keys that give one section id share the section, which has the place and the content of the
  /// first of them. Keys that are not equal to themselves, such as `Double.nan`, are after all others, in both directions.
  /// Equal keys are one key: 0 and −0 are 0. Other equal keys may differ, such as names whose `==` ignores the case: the key of
  /// the first row makes the section, in the order of a `sorted(by:)` that directly follows, and when another row becomes the
  /// first, the section is rebuilt. Such keys should give one section id; otherwise each such change takes O(n log n). Unequal
  /// keys are ordered by their texts if neither is smaller. A row whose section has an id that is not equal to itself is left
  /// out, as a store refuses it. ``ArrangedList/failures`` names the rows of such keys.
  ///
  /// - Parameters:
  ///   - key: The key of a row. It is asked a fixed number of times for each row that changed.
  ///   - direction: The order of the sections.
  ///   - kept: Keys that always have a section, even one without rows.
  ///   - section: Makes the section of a key, for example its title. It is asked once for each row that changed its key, and for
  ///     each that became the first of its section.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n. Rows that are not sorted are compared by their place in the
  ///   source, each in O(log n).
  @inlinable
  public func sectioned<Key: Hashable & Comparable & Sendable, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, order direction: SortDirection = .ascending, keeping kept: [Key] = [],
    section: @escaping @Sendable (Key) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    sectioned(by: key, { $0.precedes($1, direction) }, keeping: kept, section)
  }

  /// Divides all rows into new sections: one for each key, in the order of a list of keys, which need no order of their own.
  ///
  ///     .sectioned(by: \.status, order: Status.allCases, keeping: Status.allCases) { Column(id: $0) }
  ///
  /// Keys that the list does not have are after all others, in the order of their texts: a section does not move because its rows
  /// do. All other rules are as for `sectioned(by:order:keeping:section:)` with a direction.
  ///
  /// - Parameters:
  ///   - key: The key of a row. It is asked a fixed number of times for each row that changed.
  ///   - order: The keys in their order. Keys in it do not make sections; `keeping` does.
  ///   - kept: Keys that always have a section, even one without rows.
  ///   - section: Makes the section of a key. It is asked once for each row that changed its key, and for each that became the
  ///     first of its section.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n.
  @inlinable
  public func sectioned<Key: Hashable & Sendable, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, order: [Key], keeping kept: [Key] = [],
    section: @escaping @Sendable (Key) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    sectioned(by: key, keyOrder(listing: order), keeping: kept, section)
  }

  @inlinable
  func sectioned<Key: Hashable & Sendable, NewSection: SectionViewModel>(
    by key: @escaping @Sendable (Row) -> Key, _ order: @escaping KeyOrder<Key>, keeping kept: [Key],
    _ section: @escaping @Sendable (Key) -> NewSection
  ) -> Arrangement<SourceSection, SourceRow, NewSection, Row> {
    let grouping = KeyGrouping(key, order: order, keeping: kept, section)
    let earlier = tail
    return .init(takesFilters: false) { builder, tail in
      // Where the new order does not decide, an earlier one does: the list in that order is needed.
      let isFused = earlier.order == nil
      let upstream = isFused ? builder.node(before: self) : builder.node(of: self)
      return .arranging(
        upstream, Placement(by: grouping, order: tail.order, of: upstream), keeping: isFused ? earlier : nil)
    }
  }

  /// Leaves out sections without rows, for instance after a filter.
  ///
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(s + log n) for each changed row of n in s sections.
  @inlinable
  public func withoutEmptySections() -> Arrangement {
    .init { builder, tail in
      ListNode(NonemptySections<Section, Row>(), reading: builder.node(of: self)).ending(with: tail)
    }
  }
}

/// The sections of a list that have rows.
@usableFromInline
struct NonemptySections<Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias Input = ListSnapshot<Section, Row>

  @usableFromInline var output = Input()

  @inlinable
  init() {}

  @inlinable
  mutating func rebuild(from list: Input) { output = list.withoutEmptySections }

  /// The changes are not needed.
  @inlinable
  func change(from before: Input, to after: Input) {}

  @inlinable
  mutating func step(_: Void, from before: Input, to after: Input) { output = after.withoutEmptySections }
}

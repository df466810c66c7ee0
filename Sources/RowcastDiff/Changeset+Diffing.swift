extension Changeset where Position == Int {
  /// The difference of two lists of identified elements.
  ///
  /// An element is the same in both lists if its `id` is, and updated if it is the same and no longer equal. Moves are
  /// minimal: all survivors but those of a longest increasing subsequence.
  ///
  ///     let flat = Changeset(from: oldRows, to: newRows)
  ///     flat.applied(to: oldRows, inserting: newRows)  // == newRows
  ///
  /// An id may occur more than once in a list. As many of its occurrences survive as both lists have: first those that
  /// stand among the same neighbours in both, then, of what is left, in order: the first with the first.
  ///
  /// The method is trimming, following in step with a bounded search ahead, sparse anchors, one hash table for what is
  /// left, and patience sorting on runs. Elements that do not lie side by side in memory are copied first.
  ///
  /// - Parameters:
  ///   - old: The list before the change. Deletions and sources of moves and updates are offsets into it.
  ///   - new: The list after the change. Insertions and destinations of moves and updates are offsets into it.
  /// - Precondition: Each list has fewer than 2³¹ elements.
  /// - Complexity: O(n) comparisons for the n elements of both lists, one hash for each id that comparing did not find,
  ///   and O(m log m) for m runs of survivors out of order. `==` is asked once for each survivor.
  @inlinable
  public init<Element: Identifiable & Equatable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self = withMatching(of: old, new, RowIdentification<Element>()) { Changeset(&$0) }
  }

  /// The difference of two lists of ids: deletions, insertions and moves.
  ///
  /// See ``init(from:to:)`` for what is paired and how.
  ///
  /// - Parameters:
  ///   - old: The ids before the change. Deletions and sources of moves are offsets into them.
  ///   - new: The ids after the change. Insertions and destinations of moves are offsets into them.
  /// - Precondition: Each list has fewer than 2³¹ ids.
  /// - Complexity: As ``init(from:to:)``.
  @inlinable
  public init<ID: Hashable>(
    fromIDs old: some RandomAccessCollection<ID>, toIDs new: some RandomAccessCollection<ID>
  ) {
    self = withMatching(of: old, new, PlainIdentification<ID>()) { Changeset(&$0) }
  }
}

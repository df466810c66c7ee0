extension Changeset where Position == Int {
  /// The difference of two lists of identified elements.
  ///
  /// An element is the same in both lists if its `id` is, and updated if it is the same and no longer equal. Moves are
  /// minimal: all survivors but those of a longest increasing subsequence.
  ///
  ///     let flat = Changeset(from: oldRows, to: newRows)
  ///     flat.applied(to: oldRows, inserting: newRows)  // == newRows
  ///
  /// Where moves can be chosen, those are told that look right: of two neighbours that changed places the one whose
  /// content changed; else the one that went farther; else the one that went down. The choice is made among all smallest
  /// sets of moves where at most 32 runs of elements are out of order with each other. Where more are, such as in a list
  /// that is sorted anew, any smallest set is told.
  ///
  /// An id may occur more than once in a list. As many of its occurrences survive as both lists have: first those that
  /// stand among the same neighbours in both, then, of what is left, in order: the first with the first. The moves are
  /// the fewest for these pairs; other pairs might need fewer. The numbers of deletions and of insertions are the least
  /// possible, and a list that differs by one block that came or went is told so: `[0, 1, 0]` to `[1, 0]` is one
  /// deletion.
  ///
  /// The method is trimming, following in step, upwards or downwards, with a bounded search ahead, sparse anchors, one
  /// hash table for what is left, and patience sorting on runs. Elements that do not lie side by side in memory are
  /// copied first. Apart from that nothing is allocated but the result for lists of some fifty elements.
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

  /// The difference of two lists of identified elements, whose contents a function compares.
  ///
  /// For elements that are not `Equatable`, such as reference types that show a record each.
  ///
  /// See ``init(from:to:)`` for what is paired and how.
  ///
  /// - Parameters:
  ///   - old: The list before the change. Deletions and sources of moves and updates are offsets into it.
  ///   - new: The list after the change. Insertions and destinations of moves and updates are offsets into it.
  ///   - areEqual: Whether two elements with the same id have the same content; asked once for each survivor, with the
  ///     old element first.
  /// - Precondition: Each list has fewer than 2³¹ elements.
  /// - Complexity: As ``init(from:to:)``.
  @inlinable
  public init<Element: Identifiable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>,
    by areEqual: (Element, Element) -> Bool
  ) {
    self = withoutActuallyEscaping(areEqual) { areEqual in
      withMatching(of: old, new, ComparedIdentification(areEqual)) { Changeset(&$0) }
    }
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

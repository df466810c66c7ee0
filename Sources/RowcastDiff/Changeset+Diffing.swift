extension Changeset where Position == Int {
  /// The difference of two lists of identified elements.
  ///
  /// An element is the same in both lists if its `id` is, and updated if it is the same and no longer equal. Moves are
  /// minimal: all survivors but those of a longest increasing subsequence.
  ///
  ///     let flat = Changeset(from: oldRows, to: newRows)
  ///     flat.applied(to: oldRows, inserting: newRows)  // == newRows
  ///
  /// Of several smallest sets of moves, it prefers moves that look natural: of two neighbours that changed places the
  /// one whose content changed; else the one that moved farther; else the one that moved down. This applies if at most 32 runs of
  /// elements are out of order with each other. If more are, as in a list with a new sort order, the result is any smallest set.
  ///
  /// An id may occur more than once in a list. As many of its occurrences survive as both lists have. Those with
  /// the same neighbours in both are paired first, and the others in order: the first with the first. The moves are
  /// the fewest for these pairs; other pairs might need fewer. The numbers of deletions and of insertions are the least
  /// possible, and an inserted or deleted block is one insertion or deletion of its elements: `[0, 1, 0]` to `[1, 0]` is one
  /// deletion.
  ///
  /// The method is trimming, following in step, upwards or downwards, with a bounded search ahead, sparse anchors, one
  /// hash table for the unmatched elements, and patience sorting on runs. Elements that do not lie side by side in memory are
  /// copied first. For lists of some fifty elements, nothing else is allocated but the result.
  ///
  /// - Parameters:
  ///   - old: The list before the change. Deletions and sources of moves and updates are offsets into it.
  ///   - new: The list after the change. Insertions and destinations of moves and updates are offsets into it.
  /// - Precondition: Each list has fewer than 2³¹ elements.
  /// - Complexity: O(n) comparisons for the n elements of both lists, one hash for each id that comparing did not find,
  ///   and O(m log m) for m runs of survivors out of order. `==` is called once for each survivor.
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
  /// Elements are paired as by ``init(from:to:)``.
  ///
  /// - Parameters:
  ///   - old: The list before the change. Deletions and sources of moves and updates are offsets into it.
  ///   - new: The list after the change. Insertions and destinations of moves and updates are offsets into it.
  ///   - areEqual: Returns `true` if two elements with the same id have the same content. It is called once for each
  ///     survivor, with the old element first.
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
  /// Ids are paired as the elements of ``init(from:to:)``.
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

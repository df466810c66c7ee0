extension ListChanges {
  /// The difference of two sectioned lists.
  ///
  /// Sections are compared like the elements of a flat list. Rows are found by id wherever they went among the
  /// sections that are in both lists. A row that changed its section is a move; of those that did not, as many stay as
  /// possible. The rows of deleted and inserted sections take no part.
  ///
  /// The method is that of ``Changeset/init(from:to:)``: each surviving section is followed in step with its
  /// counterpart, and what is left of all sections is matched together.
  ///
  /// - Parameters:
  ///   - oldSections: The sections before the change.
  ///   - oldRows: The rows of each section before the change. Arrays are read in place, other collections copied.
  ///   - newSections: The sections after the change.
  ///   - newRows: The rows of each section after the change.
  /// - Precondition: Each list has as many row collections as sections, and fewer than 2³¹ rows.
  /// - Complexity: O(n) comparisons for the n rows and sections of both lists, one hash for each id that comparing did
  ///   not find, and O(m log m) for m runs of survivors out of order. `==` is asked once for each survivor.
  @inlinable
  public init<Section: Identifiable & Equatable, Rows: RandomAccessCollection>(
    from oldSections: some RandomAccessCollection<Section>, rows oldRows: [Rows],
    to newSections: some RandomAccessCollection<Section>, rows newRows: [Rows]
  ) where Rows.Element: Identifiable & Equatable {
    precondition(
      oldSections.count == oldRows.count && newSections.count == newRows.count,
      "\(oldSections.count) and \(newSections.count) sections, but rows of \(oldRows.count) and \(newRows.count)")
    let sections = withContiguousElements(of: oldSections) { old in
      withContiguousElements(of: newSections) { new in
        Matcher<RowIdentification<Section>, UnsafeBufferPointer<Section>>(old: [old], new: [new]).matching
      }
    }
    let segments = sections.pairs
    let rows = Matcher<RowIdentification<Rows.Element>, [Rows.Element]>(
      old: segments.map { Array(oldRows[$0.old]) }, new: segments.map { Array(newRows[$0.new]) })
    self.init(sections: Changeset(sections), rows: Changeset(rows.matching, sections: segments))
  }
}

extension Changeset where Position == RowPath {
  /// Spells a matching of rows out as operations.
  ///
  /// - Parameters:
  ///   - matching: What survived.
  ///   - sections: The indexes, before and after the change, of the sections that are the matching's segments.
  @usableFromInline
  init(_ matching: Matching, sections: [Place]) {
    var (oldSegment, newSegment) = (0, 0)
    self.init(
      matching,
      before: { position in
        oldSegment = matching.oldLine.segment(of: position, guess: oldSegment)
        return RowPath(section: sections[oldSegment].old, row: position - matching.oldLine.starts[oldSegment])
      },
      after: { position in
        newSegment = matching.newLine.segment(of: position, guess: newSegment)
        return RowPath(section: sections[newSegment].new, row: position - matching.newLine.starts[newSegment])
      })
    // The segments are in the order of the new list. In the old one they may have stood in another.
    deletes.sort()
  }
}

extension Matching {
  /// The survivors of a flat list, one by one, in the order of the new list.
  @usableFromInline var pairs: [Place] {
    found.flatMap { run in zip(run.oldRange, run.newRange).map { Place(old: $0, new: $1) } }
  }
}

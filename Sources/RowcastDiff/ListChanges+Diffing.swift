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
    require(
      oldSections.count == oldRows.count && newSections.count == newRows.count,
      "\(oldSections.count) and \(newSections.count) sections, but rows of \(oldRows.count) and \(newRows.count)")
    var stretches: [Stretch<Rows.Element>] = []
    let sections = withMatching(of: oldSections, newSections, RowIdentification<Section>()) { matching in
      matching.forEachPair { pair in
        stretches.append(
          Stretch(
            section: pair, row: IndexPair(old: 0, new: 0), old: ContiguousArray(oldRows[pair.old]),
            new: ContiguousArray(newRows[pair.new])))
      }
      return Changeset<Int>(&matching)
    }
    self.init(sections: sections, rows: Changeset(comparing: stretches))
  }

  /// The difference of two lists of sections, of which some neighbours are known to be shared.
  ///
  /// - Parameters:
  ///   - sections: The stretches of sections that are not known to be shared, with the indexes of sections as rows.
  ///   - key: How a section is identified and compared.
  ///   - rows: Adds the stretches of rows that are not known to be shared, for two sections that are the same. It gets
  ///     the places of both among the elements of the stretches, and the indexes of both sections.
  @inlinable
  package init<Key: Identification, Row: Identifiable & Equatable>(
    comparing sections: [Stretch<Key.Element>], _ key: Key,
    rows: (_ old: Key.Element, _ new: Key.Element, _ section: IndexPair, _ stretches: inout [Stretch<Row>]) -> Void
  ) {
    var stretches: [Stretch<Row>] = []
    let changes = withLentStretches(of: sections) { lent in
      withMatching(of: lent, key) { matching in
        matching.forEachPair(in: sections) { old, new, pair in rows(old, new, pair, &stretches) }
        return Changeset<Int>(&matching)
      }
    }
    self.init(sections: changes, rows: Changeset(comparing: stretches))
  }
}

extension Changeset where Position == RowPath {
  /// The difference of the rows in stretches of sections.
  ///
  /// - Parameter stretches: All that is not known to be shared, in the order of the list after the change.
  @inlinable
  init<Row: Identifiable & Equatable>(comparing stretches: [Stretch<Row>]) {
    self = stretches.isEmpty ? Changeset() : withLentStretches(of: stretches) { Changeset(comparing: $0) }
  }

  /// The difference of the rows in stretches of sections.
  ///
  /// - Parameter stretches: All that is not known to be shared, in the order of the list after the change.
  @inlinable
  package init<Row: Identifiable & Equatable>(comparing stretches: LentStretches<Row>) {
    let key = RowIdentification<Row>()
    // One stretch is compared as a flat list is, without a search for the stretch of each position.
    if stretches.stretchCount == 1, let stretch = unsafe stretches.stretches.baseAddress {
      self = unsafe withMatching(of: LoneStretch(stretch), key) { Changeset(&$0) }
    } else {
      self = withMatching(of: stretches, key) { Changeset(&$0) }
    }
  }
}

extension Matching {
  /// Calls the body with the indexes of each survivor of a flat list, in the order of the new list.
  @inlinable
  func forEachPair(_ body: (IndexPair) -> Void) {
    for index in 0..<runs.count {
      for offset in 0..<Int(runs[index].count) {
        body(IndexPair(old: Int(runs[index].old) + offset, new: Int(runs[index].new) + offset))
      }
    }
  }

  /// Calls the body with each survivor of some stretches, in the order of the new list, but not with what is shared.
  @inlinable
  func forEachPair<Element>(
    in stretches: [Stretch<Element>], _ body: (_ old: Element, _ new: Element, _ indexes: IndexPair) -> Void
  ) {
    var (oldSegment, newSegment) = (0, 0)
    forEachPair { pair in
      oldSegment = segments.index(ofOld: pair.old, guess: oldSegment)
      newSegment = segments.index(ofNew: pair.new, guess: newSegment)
      let old = pair.old - segments[oldSegment].start.old
      let new = pair.new - segments[newSegment].start.new
      let (oldStretch, newStretch) = (stretches[oldSegment], stretches[newSegment])
      if new == newStretch.new.count { return }
      body(
        oldStretch.old[old], newStretch.new[new],
        IndexPair(old: oldStretch.extent.row.old + old, new: newStretch.extent.row.new + new))
    }
  }
}

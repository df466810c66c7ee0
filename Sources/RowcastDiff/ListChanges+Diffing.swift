extension ListChanges {
  /// The difference of two sectioned lists.
  ///
  /// Sections are compared like the elements of a flat list. Rows are found by id wherever they went among the
  /// sections that are in both lists. A row that changed its section is a move; of the others, as many stay as
  /// possible. The rows of deleted and inserted sections take no part.
  ///
  /// The method is that of ``Changeset/init(from:to:)``: each surviving section is followed in step with its
  /// counterpart, and the leftovers of all sections are matched together.
  ///
  /// - Parameters:
  ///   - oldSections: The sections before the change.
  ///   - oldRows: The rows of each section before the change. Arrays are read in place, other collections copied.
  ///   - newSections: The sections after the change.
  ///   - newRows: The rows of each section after the change.
  /// - Precondition: Each list has as many row collections as sections, and fewer than 2³¹ rows.
  /// - Complexity: O(n) comparisons for the n rows and sections of both lists, one hash for each id that comparing did
  ///   not find, and O(m log m) for m runs of survivors out of order. `==` is called once for each survivor.
  @inlinable
  public init<Section: Identifiable & Equatable, Rows: RandomAccessCollection>(
    from oldSections: some RandomAccessCollection<Section>, rows oldRows: [Rows],
    to newSections: some RandomAccessCollection<Section>, rows newRows: [Rows]
  ) where Rows.Element: Identifiable & Equatable {
    require(
      oldSections.count == oldRows.count && newSections.count == newRows.count,
      "\(oldSections.count) and \(newSections.count) sections, but rows of \(oldRows.count) and \(newRows.count)")
    self = withScratch { scratch in
      var stretches = scratch.array(of: Stretch<Rows.Element>.self)
      var held: [ContiguousArray<Rows.Element>] = []
      let sections = withMatching(of: oldSections, newSections, RowIdentification<Section>()) { matching in
        matching.forEachPair { pair in
          let (old, new) = (ContiguousArray(oldRows[pair.old]), ContiguousArray(newRows[pair.new]))
          held += [old, new]
          stretches.append(Stretch(old: LentElements(old), new: LentElements(new), section: pair))
        }
        return Changeset<Int>(&matching)
      }
      return withExtendedLifetime(held) { ListChanges(sections: sections, rows: Changeset(comparing: stretches)) }
    }
  }
}

extension Changeset where Position == Int {
  /// The difference of two lists, of which all but some stretches are known to be shared. `body` gets each survivor of the
  /// stretches: the stretches that have it before and after, and its place in them.
  @inlinable
  package init<Key: Identification>(
    comparing stretches: borrowing ScratchArray<Stretch<Key.Element>>, _ key: Key,
    forEachSurvivor body: (_ old: Stretch<Key.Element>, _ new: Stretch<Key.Element>, _ index: IndexPair) -> Void
  ) {
    let stretches = unsafe stretches.lent
    self = withMatching(of: stretches, key) { matching in
      matching.forEachPair(in: stretches, body)
      return Changeset(&matching)
    }
  }
}

extension Changeset where Position == RowPath {
  /// The difference of the rows in stretches of sections.
  ///
  /// - Parameter stretches: Everything that is not known to be shared, in the order of the list after the change.
  @inlinable
  package init<Row: Identifiable & Equatable>(comparing stretches: borrowing ScratchArray<Stretch<Row>>) {
    self =
      stretches.isEmpty
      ? Changeset() : unsafe withMatching(of: stretches.lent, RowIdentification<Row>()) { Changeset(&$0) }
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

  /// Calls the body with each survivor of some stretches, in the order of the new list. Shared elements are left out.
  @inlinable
  func forEachPair<Element>(
    in stretches: LentElements<Stretch<Element>>,
    _ body: (_ old: Stretch<Element>, _ new: Stretch<Element>, _ index: IndexPair) -> Void
  ) {
    var (oldSegment, newSegment) = (0, 0)
    forEachPair { pair in
      oldSegment = segments.index(ofOld: pair.old, guess: oldSegment)
      newSegment = segments.index(ofNew: pair.new, guess: newSegment)
      let old = pair.old - segments[oldSegment].start.old
      let new = pair.new - segments[newSegment].start.new
      let (oldStretch, newStretch) = (stretches[oldSegment], stretches[newSegment])
      if new == newStretch.new.count { return }
      body(oldStretch, newStretch, IndexPair(old: old, new: new))
    }
  }
}

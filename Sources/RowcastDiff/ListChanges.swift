/// The difference of two sectioned lists: the operations on sections and on rows.
///
/// Row operations concern the sections that are in both lists. The rows of a deleted or an inserted section are not listed: they
/// are deleted and inserted with it. A row that crosses the border of such a section is listed on its surviving side only, as a
/// deletion or an insertion.
public struct ListChanges: Hashable, Sendable {
  /// The operations on sections. An update of a section is a change of the section model; changes of its rows are not updates of
  /// it.
  public var sections: Changeset<Int>
  /// The operations on rows.
  public var rows: Changeset<RowPath>

  /// Creates the changes of a list from the changes of its sections and of its rows.
  @inlinable
  public init(sections: Changeset<Int> = .init(), rows: Changeset<RowPath> = .init()) {
    self.sections = sections
    self.rows = rows
  }

  /// A Boolean value that tells if nothing changes.
  @inlinable
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }

  /// The number of operations on sections and rows together.
  @inlinable
  public var count: Int { sections.count + rows.count }
}

extension ListChanges {
  /// The difference of two sectioned lists.
  ///
  /// Sections are compared like the elements of a flat list. Rows are found by id wherever they are among the sections that are
  /// in both lists. A row that changed its section is a move; of the others, as many stay as possible. The rows of deleted and
  /// inserted sections take no part.
  ///
  /// The method is as for ``Changeset/init(from:to:)``: each surviving section is followed in step with its
  /// counterpart, and the unmatched elements of all sections are matched together.
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
      var gaps = scratch.array(of: Gap<Rows.Element>.self)
      var held: [ContiguousArray<Rows.Element>] = []
      let sections = withMatching(of: oldSections, newSections, RowIdentification<Section>()) { matching in
        matching.forEachPair { pair in
          let (old, new) = (ContiguousArray(oldRows[pair.old]), ContiguousArray(newRows[pair.new]))
          held += [old, new]
          let last = gaps.isEmpty ? nil : gaps[gaps.count - 1]
          gaps.append(Gap(old: BorrowedElements(old), new: BorrowedElements(new), section: pair, after: last))
        }
        return Changeset<Int>(&matching)
      }
      return withExtendedLifetime(held) { ListChanges(sections: sections, rows: Changeset(comparing: gaps)) }
    }
  }
}

extension ListChanges: CustomStringConvertible {
  /// The operations, as in `sections: inserts [1]; rows: moves [0-3→1-0]`.
  public var description: String {
    let parts = (sections.isEmpty ? [] : ["sections: \(sections)"]) + (rows.isEmpty ? [] : ["rows: \(rows)"])
    return parts.isEmpty ? "no changes" : parts.joined(separator: "; ")
  }
}

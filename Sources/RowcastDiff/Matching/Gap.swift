/// The elements of a section between those that both lists are known to share, before and after the change: what is compared. A
/// flat list is one gap.
///
/// Its elements are borrowed: the code that makes a gap keeps them alive for as long as it is read.
@usableFromInline
package struct Gap<Element>: BitwiseCopyable {
  /// The elements before the change.
  @usableFromInline package let old: BorrowedElements<Element>
  /// The elements after the change.
  @usableFromInline package let new: BorrowedElements<Element>
  /// Where it begins.
  @usableFromInline package var offset: GapOffset

  /// Creates the gap that follows another one, or the first one. On either side, `section` is the index of its section, and `row`
  /// the index of its first element in that section.
  @inlinable
  package init(
    old: BorrowedElements<Element>, new: BorrowedElements<Element>, section: IndexPair = IndexPair(old: 0, new: 0),
    row: IndexPair = IndexPair(old: 0, new: 0), after gap: Gap? = nil
  ) {
    let start = gap?.end ?? IndexPair(old: 0, new: 0)
    let longest = max(max(start.old, row.old) + old.count, max(start.new, row.new) + new.count)
    precondition(longest < Int32.max, "The differ takes fewer than \(Int32.max) rows, not \(longest)")
    self.init(old: old, new: new, offset: GapOffset(start: start, section: section, row: row))
  }

  @inlinable
  init(old: BorrowedElements<Element>, new: BorrowedElements<Element>, offset: GapOffset) {
    (self.old, self.new, self.offset) = (old, new, offset)
  }

  /// The position after all its elements and the shared ones after it, on either line.
  @inlinable
  var end: IndexPair {
    let separator = offset.sharedCount > 0 ? 1 : 0
    return IndexPair(
      old: offset.start.old + old.count + separator, new: offset.start.new + new.count + separator)
  }
}

/// Pairs the elements of gaps, and passes the matching to `body`. The gaps are everything that is not known to be shared, in the
/// order of the list after the change; at least one.
@inlinable
func withMatching<Key: Identification, Result>(
  of gaps: BorrowedElements<Gap<Key.Element>>, _ key: Key, _ body: (inout Matching) -> Result
) -> Result {
  assert(gaps.count > 0, "Without gaps there is nothing to match")
  return withScratch { scratch in
    var gapOffsets = scratch.array(of: GapOffset.self)
    for index in 0..<gaps.count { gapOffsets.append(gaps[index].offset) }
    gapOffsets.append(GapOffset(start: gaps[gaps.count - 1].end))
    var matching = Matching(gapOffsets, &scratch)
    Matcher(key, gaps).match(&matching)
    return body(&matching)
  }
}

/// Pairs the elements of two flat lists, and passes the matching to `body`.
@inlinable
func withMatching<Key: Identification, Result>(
  of old: some RandomAccessCollection<Key.Element>, _ new: some RandomAccessCollection<Key.Element>, _ key: Key,
  _ body: (inout Matching) -> Result
) -> Result {
  withElements(of: old) { old in
    withElements(of: new) { new in
      unsafe withUnsafePointer(to: Gap(old: old, new: new)) {
        unsafe withMatching(of: BorrowedElements(UnsafeBufferPointer(start: $0, count: 1)), key, body)
      }
    }
  }
}

/// Where a gap begins: in the list, and on its *line*, the concatenation of all gaps of a side.
///
/// A *position* on a line names an element of any gap by one number. All shared elements between a gap and the next together have
/// one position on each line.
@usableFromInline
package struct GapOffset: BitwiseCopyable {
  /// The position of the first element, on either line.
  @usableFromInline var oldStart: Int32
  @usableFromInline var newStart: Int32
  /// The index of the section, on either side.
  @usableFromInline var oldSection: Int32
  @usableFromInline var newSection: Int32
  /// The index of the first element in its section, on either side.
  @usableFromInline var oldRow: Int32
  @usableFromInline var newRow: Int32
  /// The number of elements after the gap, in its section, that are known to be the same on both sides.
  @usableFromInline package var sharedCount: Int32 = 0

  /// The offset of a gap, or the end of both lines, of which only the position is read.
  @inlinable
  init(
    start: IndexPair, section: IndexPair = IndexPair(old: 0, new: 0), row: IndexPair = IndexPair(old: 0, new: 0)
  ) {
    (oldStart, newStart) = (Int32(start.old), Int32(start.new))
    (oldSection, newSection) = (Int32(section.old), Int32(section.new))
    (oldRow, newRow) = (Int32(row.old), Int32(row.new))
  }

  /// The position of the first element on either line.
  @inlinable
  var start: IndexPair { IndexPair(old: Int(oldStart), new: Int(newStart)) }

  /// The index of the first element in its section, on either side.
  @inlinable
  package var row: IndexPair { IndexPair(old: Int(oldRow), new: Int(newRow)) }

  /// The path before the change of a position on the old line.
  func path(ofOld position: Int) -> RowPath {
    RowPath(section: Int(oldSection), row: Int(oldRow) + position - Int(oldStart))
  }

  /// The path after the change of a position on the new line.
  func path(ofNew position: Int) -> RowPath {
    RowPath(section: Int(newSection), row: Int(newRow) + position - Int(newStart))
  }
}

/// How the differ reads identity and content from an element: the only code of a user's type that it calls.
@usableFromInline
package protocol Identification {
  associatedtype Element
  associatedtype ID: Hashable

  func id(of element: Element) -> ID

  /// Returns `true` if two elements with the same id are equal. Called once for each survivor.
  func areEqual(_ old: Element, _ new: Element) -> Bool

  /// Returns `true` if two unequal elements have the same content nevertheless, as elements with a NaN can.
  func isUnchanged(unequal old: Element, _ new: Element) -> Bool
}

extension Identification {
  @inlinable
  package func isUnchanged(unequal old: Element, _ new: Element) -> Bool { false }

  @inlinable
  func isUnchanged(_ old: Element, _ new: Element) -> Bool { areEqual(old, new) || isUnchanged(unequal: old, new) }
}

/// Elements with an id and content of their own.
@usableFromInline
package struct RowIdentification<Element: Identifiable & Equatable>: Identification {
  @inlinable
  package init() {}

  @inlinable
  package func id(of element: Element) -> Element.ID { element.id }

  @inlinable
  package func areEqual(_ old: Element, _ new: Element) -> Bool { old == new }

  @inlinable
  package func isUnchanged(unequal old: Element, _ new: Element) -> Bool { RowcastDiff.isUnchanged(unequal: old, new) }
}

/// Elements with an id, whose content a function compares.
@usableFromInline
struct ComparedIdentification<Element: Identifiable>: Identification {
  @usableFromInline let comparison: (Element, Element) -> Bool

  @inlinable
  init(_ comparison: @escaping (Element, Element) -> Bool) { self.comparison = comparison }

  @inlinable
  func id(of element: Element) -> Element.ID { element.id }

  @inlinable
  func areEqual(_ old: Element, _ new: Element) -> Bool { comparison(old, new) }
}

/// Elements that are nothing but ids.
@usableFromInline
struct PlainIdentification<ID: Hashable>: Identification {
  @inlinable
  init() {}

  @inlinable
  func id(of element: ID) -> ID { element }

  @inlinable
  func areEqual(_ old: ID, _ new: ID) -> Bool { true }
}

extension Changeset where Position == Int {
  /// The difference of two lists that share everything but some gaps. `body` gets each survivor of the gaps: the gaps that have
  /// it before and after, and its index in each.
  @inlinable
  package init<Key: Identification>(
    comparing gaps: borrowing ScratchArray<Gap<Key.Element>>, _ key: Key,
    forEachSurvivor body: (_ old: Gap<Key.Element>, _ new: Gap<Key.Element>, _ index: IndexPair) -> Void
  ) {
    let gaps = unsafe gaps.elements
    self = withMatching(of: gaps, key) { matching in
      matching.forEachPair(in: gaps, body)
      return Changeset(&matching)
    }
  }
}

extension Changeset where Position == RowPath {
  /// The difference of the rows in the gaps of sections.
  ///
  /// - Parameter gaps: Everything that is not known to be shared, in the order of the list after the change.
  @inlinable
  package init<Row: Identifiable & Equatable>(comparing gaps: borrowing ScratchArray<Gap<Row>>) {
    self =
      gaps.isEmpty
      ? Changeset() : unsafe withMatching(of: gaps.elements, RowIdentification<Row>()) { Changeset(&$0) }
  }
}

extension Matching {
  /// Calls the body with each survivor of the gaps, in the order of the new list, but not with shared elements.
  @inlinable
  func forEachPair<Element>(
    in gaps: BorrowedElements<Gap<Element>>,
    _ body: (_ old: Gap<Element>, _ new: Gap<Element>, _ index: IndexPair) -> Void
  ) {
    var (oldIndex, newIndex) = (0, 0)
    forEachPair { pair in
      oldIndex = gapOffsets.index(ofOld: pair.old, guess: oldIndex)
      newIndex = gapOffsets.index(ofNew: pair.new, guess: newIndex)
      let old = pair.old - gapOffsets[oldIndex].start.old
      let new = pair.new - gapOffsets[newIndex].start.new
      let (oldGap, newGap) = (gaps[oldIndex], gaps[newIndex])
      if new == newGap.new.count { return }
      body(oldGap, newGap, IndexPair(old: old, new: new))
    }
  }
}

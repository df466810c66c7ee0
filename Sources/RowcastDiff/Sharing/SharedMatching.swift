/// What survived between two lists that are known to have most in common.
///
/// The runs that are shared are given and not looked at. The stretches between them are compared: from both ends first,
/// which is all there is to do for single updates, insertions and deletions. What is left of all stretches together is
/// paired by id, wherever it stands; by the differ if it is more than a few elements.
public struct SharedMatching: Sendable {
  @usableFromInline var all: [SharedRun]
  @usableFromInline var compared: [SharedRun] = []
  /// The survivors whose content changed, in no order.
  @usableFromInline var updates: [Changeset<Int>.Transition] = []

  /// All runs of survivors, in the order of the list after the change.
  public var runs: [SharedRun] { all }

  /// The runs that were found in the stretches, in no order.
  public var found: [SharedRun] { compared }

  /// Compares what is not shared.
  ///
  /// - Parameters:
  ///   - shared: The runs that are known to be the same, content included, in the order of the list after the change.
  ///   - changed: The stretches that hold all other elements. No id may occur twice on one side.
  /// - Complexity: O(m) comparisons for the m elements of the stretches, and one hash for each that comparing did not
  ///   find. `==` is asked once for each survivor in them.
  @inlinable
  public init<Element: Identifiable & Equatable>(shared: [SharedRun], changed: [ChangedStretch<Element>]) {
    all = shared
    var rests = StretchRests<Element>()
    for stretch in changed { trim(stretch, &rests) }
    if rests.beforeCount > 0, rests.afterCount > 0 {
      if rests.beforeCount * rests.afterCount <= 64 { pairByComparing(rests) } else { pairByMatching(rests) }
    }
    merge()
  }

  /// Pairs what is the same at the beginning and the end of a stretch.
  @inlinable
  mutating func trim<Element: Identifiable & Equatable>(
    _ stretch: ChangedStretch<Element>, _ rests: inout StretchRests<Element>
  ) {
    let (old, new) = (stretch.before, stretch.after)
    let common = Swift.min(old.count, new.count)
    var start = 0
    while start < common, old[start].id == new[start].id {
      if old[start] != new[start] { note(stretch.beforeStart + start, stretch.afterStart + start) }
      start += 1
    }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1].id == new[newEnd - 1].id {
      oldEnd -= 1
      newEnd -= 1
      if old[oldEnd] != new[newEnd] { note(stretch.beforeStart + oldEnd, stretch.afterStart + newEnd) }
    }
    if start > 0 { add(SharedRun(before: stretch.beforeStart, after: stretch.afterStart, count: start)) }
    if oldEnd < old.count {
      add(
        SharedRun(
          before: stretch.beforeStart + oldEnd, after: stretch.afterStart + newEnd, count: old.count - oldEnd))
    }
    if oldEnd > start || newEnd > start {
      rests.add(
        old[start..<oldEnd], at: stretch.beforeStart + start, new[start..<newEnd], at: stretch.afterStart + start)
    }
  }

  /// Compares the few elements that are left with one another.
  @inlinable
  mutating func pairByComparing<Element: Identifiable & Equatable>(_ rests: StretchRests<Element>) {
    for newRest in rests.rests {
      for (newOffset, new) in newRest.after.enumerated() {
        search: for oldRest in rests.rests {
          for (oldOffset, old) in oldRest.before.enumerated() where old.id == new.id {
            let place = Changeset<Int>.Transition(
              from: oldRest.beforeStart + oldOffset, to: newRest.afterStart + newOffset)
            if old != new { note(place.from, place.to) }
            add(SharedRun(before: place.from, after: place.to, count: 1))
            break search
          }
        }
      }
    }
  }

  /// Leaves many elements to the differ: each rest is a segment to it.
  @inlinable
  mutating func pairByMatching<Element: Identifiable & Equatable>(_ rests: StretchRests<Element>) {
    let matching = Matcher<RowIdentification<Element>, [Element]>(
      old: rests.rests.map { Array($0.before) }, new: rests.rests.map { Array($0.after) }
    ).matching
    take(
      matching, beforeStarts: rests.rests.map { $0.beforeStart }, afterStarts: rests.rests.map { $0.afterStart })
  }

  @usableFromInline
  mutating func take(_ matching: Matching, beforeStarts: [Int], afterStarts: [Int]) {
    var (oldSegment, newSegment) = (0, 0)
    func placed(_ run: Run) -> SharedRun {
      oldSegment = matching.oldLine.segment(of: Int(run.old), guess: oldSegment)
      newSegment = matching.newLine.segment(of: Int(run.new), guess: newSegment)
      return SharedRun(
        before: beforeStarts[oldSegment] + Int(run.old) - matching.oldLine.starts[oldSegment],
        after: afterStarts[newSegment] + Int(run.new) - matching.newLine.starts[newSegment], count: Int(run.count))
    }
    for run in matching.found { add(placed(run)) }
    for run in matching.updates {
      let place = placed(run)
      note(place.before, place.after)
    }
  }

  @usableFromInline
  mutating func note(_ before: Int, _ after: Int) { updates.append(.init(from: before, to: after)) }

  @usableFromInline
  mutating func add(_ run: SharedRun) { compared.append(run) }

  /// Brings all runs into the order of the list after the change.
  @usableFromInline
  mutating func merge() {
    all += compared
    if !zip(all, all.dropFirst()).allSatisfy({ $0.after < $1.after }) { all.sort { $0.after < $1.after } }
  }
}

/// What is left of all stretches when their ends are paired.
@usableFromInline
struct StretchRests<Element> {
  @usableFromInline
  struct Rest {
    @usableFromInline let before: ArraySlice<Element>
    @usableFromInline let beforeStart: Int
    @usableFromInline let after: ArraySlice<Element>
    @usableFromInline let afterStart: Int

    @inlinable
    init(_ before: ArraySlice<Element>, _ beforeStart: Int, _ after: ArraySlice<Element>, _ afterStart: Int) {
      self.before = before
      self.beforeStart = beforeStart
      self.after = after
      self.afterStart = afterStart
    }
  }

  @usableFromInline var rests: [Rest] = []
  @usableFromInline var beforeCount = 0
  @usableFromInline var afterCount = 0

  @inlinable
  init() {}

  @inlinable
  mutating func add(
    _ before: ArraySlice<Element>, at beforeStart: Int, _ after: ArraySlice<Element>, at afterStart: Int
  ) {
    rests.append(Rest(before, beforeStart, after, afterStart))
    beforeCount += before.count
    afterCount += after.count
  }
}

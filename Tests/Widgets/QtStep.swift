import RowcastDiff
import RowcastModel

/// A call to a Qt model: each counts in the model that the one before has left. The parent is a section, or -1 for the top.
enum QtStep {
  case remove(parent: Int, rows: Range<Int>)
  case insert(parent: Int, rows: Range<Int>)
  /// Qt names a destination by the row that will follow the moved one, counted while the moved one is still in its old place.
  case move(parent: Int, row: Int, newParent: Int, destination: Int)

  /// A move, by the index of the row after it.
  static func move(from: Int, to: Int) -> QtStep {
    .move(parent: -1, row: from, newParent: -1, destination: to > from ? to + 1 : to)
  }
}

extension Array<Int> {
  /// The ranges of consecutive indexes, ascending.
  var ranges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in self {
      if let last = ranges.last, last.upperBound == index {
        ranges[ranges.count - 1] = last.lowerBound..<index + 1
      } else {
        ranges.append(index..<index + 1)
      }
    }
    return ranges
  }
}

extension Array<RowPath> {
  /// The ranges of consecutive rows in each section, ascending.
  var ranges: [(section: Int, rows: Range<Int>)] {
    Dictionary(grouping: self, by: \.section).sorted { $0.key < $1.key }
      .flatMap { section, paths in paths.map(\.row).ranges.map { (section, $0) } }
  }
}

/// The operations of a batch of sections, one by one, for a model in which sections are the parents of rows.
struct TreeSteps {
  private(set) var steps: [QtStep] = []
  /// The sections at this step, by their indexes before the batch; `nil` for an inserted one.
  private var sections: [Int?]
  /// The rows of each section at this step, by their paths before the batch.
  private var rows: [[RowPath]]
  private let map: PathMap
  /// The sections and rows that are still to be moved, by their places before the batch.
  private var waitingSections: Set<Int>
  private var waitingRows: Set<RowPath>

  /// Takes a batch as strict views accept it, and the row counts before it.
  init(_ changes: ListChanges, rowCounts: [Int]) {
    map = PathMap(changes)
    waitingSections = Set(changes.sections.moves.map(\.from))
    waitingRows = Set(changes.rows.moves.map(\.from))
    sections = rowCounts.indices.map { $0 }
    rows = rowCounts.enumerated().map { section, count in (0..<count).map { RowPath(section: section, row: $0) } }
    for (section, range) in changes.rows.deletes.ranges.reversed() {
      rows[section].removeSubrange(range)
      steps.append(.remove(parent: section, rows: range))
    }
    for index in changes.sections.deletes.reversed() {
      sections.remove(at: index)
      rows.remove(at: index)
      steps.append(.remove(parent: -1, rows: index..<index + 1))
    }
    for move in changes.sections.moves.sorted(by: { $0.to < $1.to }) { moveSection(move) }
    for index in changes.sections.inserts {
      sections.insert(nil, at: index)
      rows.insert([], at: index)
      steps.append(.insert(parent: -1, rows: index..<index + 1))
    }
    for move in changes.rows.moves.sorted(by: { $0.to < $1.to }) { moveRow(move) }
    steps += changes.rows.inserts.ranges.map { .insert(parent: $0.section, rows: $0.rows) }
  }

  /// Moves are made in the order of their destinations: the elements that belong before have all been settled by then, and are
  /// in their final order.
  private mutating func moveSection(_ move: Changeset<Int>.Transition) {
    guard let from = sections.firstIndex(of: move.from) else { return }
    let section = sections.remove(at: from)
    let moved = rows.remove(at: from)
    let ahead = sections.lastIndex { other in
      guard let other, !waitingSections.contains(other), let place = map.destination(ofSection: other) else {
        return false
      }
      return place < move.to
    }
    let to = ahead.map { $0 + 1 } ?? 0
    sections.insert(section, at: to)
    rows.insert(moved, at: to)
    waitingSections.remove(move.from)
    if from != to { steps.append(.move(from: from, to: to)) }
  }

  private mutating func moveRow(_ move: Changeset<RowPath>.Transition) {
    guard let parent = sections.firstIndex(of: move.from.section), let from = rows[parent].firstIndex(of: move.from)
    else {
      return
    }
    let newParent = move.to.section
    rows[parent].remove(at: from)
    let ahead = rows[newParent].lastIndex { other in
      guard !waitingRows.contains(other), let place = map.destination(of: other) else { return false }
      return place < move.to
    }
    let to = ahead.map { $0 + 1 } ?? 0
    rows[newParent].insert(move.from, at: to)
    waitingRows.remove(move.from)
    if parent == newParent, from == to { return }
    let destination = parent == newParent && to > from ? to + 1 : to
    steps.append(.move(parent: parent, row: from, newParent: newParent, destination: destination))
  }
}

import RowcastDiff

/// The row count of each section on one side of a batch.
enum RowCounts: RandomAccessCollection {
  /// The counts of a list that is there.
  case known([Int])
  /// The number of sections, and what gives the count of one of them.
  case lookedUp(Int, (Int) -> Int)

  var startIndex: Int { 0 }

  var endIndex: Int {
    switch self {
    case .known(let counts): counts.count
    case .lookedUp(let count, _): count
    }
  }

  subscript(section: Int) -> Int {
    switch self {
    case .known(let counts): counts[section]
    case .lookedUp(_, let rowCount): rowCount(section)
    }
  }

  func contain(_ path: RowPath) -> Bool {
    indices.contains(path.section) && (0..<self[path.section]).contains(path.row)
  }
}

/// The row counts after a batch, as they follow from those before it. Whether the batch is valid is not known yet: for one
/// that is not, the counts mean nothing.
struct FollowingCounts {
  let sectionCount: Int
  private let rowCountBefore: (Int) -> Int?
  /// From an index after the batch of a section that neither comes nor moves to the one before.
  private let staying: StayerMap
  private let movedFrom: [Int: Int]
  private let inserted: [Int: Int]
  private let leaving: Tally
  private let arriving: Tally

  /// Takes the counts before the batch, `nil` for a section that is not there, and the row counts of the sections that
  /// come, in the order of `changes.sections.inserts`.
  ///
  /// - Complexity: O(k log k) for k operations.
  init(
    _ changes: ListChanges, sectionCount: Int, rowCountBefore: @escaping (Int) -> Int?, inserted: [Int]
  ) {
    let sections = changes.sections
    let after = Swift.max(0, sectionCount - sections.deletes.count + sections.inserts.count)
    self.sectionCount = after
    self.rowCountBefore = rowCountBefore
    self.inserted = Dictionary(zip(sections.inserts, inserted)) { first, _ in first }
    movedFrom = Dictionary(sections.moves.map { ($0.to, $0.from) }) { first, _ in first }
    let sources = (sections.deletes + sections.moves.map(\.from)).filter { (0..<sectionCount).contains($0) }
    let targets = (sections.inserts + sections.moves.map(\.to)).filter { (0..<after).contains($0) }
    // Read backwards, what arrives leaves.
    staying = StayerMap(leaving: targets.sorted(), arriving: sources.sorted())
    leaving = Tally(changes.rows.deletes, changes.rows.moves.map(\.from))
    arriving = Tally(changes.rows.inserts, changes.rows.moves.map(\.to))
  }

  func rowCount(inSection section: Int) -> Int {
    if let count = inserted[section] { return count }
    let origin = movedFrom[section] ?? staying.after(staying: section)
    guard let count = rowCountBefore(origin) else { return 0 }
    return Swift.max(0, count + arriving[section] - leaving[origin])
  }
}

/// How many paths lie in each section.
struct Tally {
  private var counts: [Int: Int] = [:]

  init(_ paths: [RowPath]...) {
    for path in paths.joined() { counts[path.section, default: 0] += 1 }
  }

  subscript(section: Int) -> Int { counts.isEmpty ? 0 : counts[section, default: 0] }
}

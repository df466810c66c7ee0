public import RowcastDiff
public import RowcastModel

/// The oracle: a list as plain arrays, and the rule for folding changes onto it, written as the contract states it.
///
/// It shares no code with what it checks.
public struct NaiveList<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// A section and its rows.
  public struct Part: Equatable, Sendable {
    /// Creates a part.
    public init(section: Section, rows: [Row]) {
      self.section = section
      self.rows = rows
    }

    /// The section.
    public var section: Section
    /// Its rows.
    public var rows: [Row]
  }

  /// Why changes cannot be folded.
  public struct Misfit: Error, CustomStringConvertible {
    /// What does not fit.
    public let description: String
  }

  /// The sections with their rows.
  public var parts: [Part] = []

  /// Creates an empty list.
  public init() {}

  /// Copies a snapshot, element by element.
  public init(_ snapshot: ListSnapshot<Section, Row>) {
    parts = (0..<snapshot.sectionCount).map { index in
      Part(section: snapshot.section(at: index), rows: snapshot.rows(inSection: index).map { $0 })
    }
  }

  /// Folds changes: rows out, sections out, sections in, rows in, contents.
  ///
  /// - Parameters:
  ///   - changes: The operations.
  ///   - after: Where the values of what is inserted and updated are found.
  /// - Throws: ``Misfit`` if an operation does not fit the list.
  public mutating func fold(_ changes: ListChanges, after: ListSnapshot<Section, Row>) throws {
    var moving: [RowPath: Row] = [:]
    for path in (changes.rows.deletes + changes.rows.moves.map(\.from)).sorted(by: >) {
      guard parts.indices.contains(path.section), parts[path.section].rows.indices.contains(path.row) else {
        throw Misfit(description: "row \(path) cannot be taken out")
      }
      moving[path] = parts[path.section].rows.remove(at: path.row)
    }
    var movingParts: [Int: Part] = [:]
    for index in (changes.sections.deletes + changes.sections.moves.map(\.from)).sorted(by: >) {
      guard parts.indices.contains(index) else { throw Misfit(description: "section \(index) cannot be taken out") }
      movingParts[index] = parts.remove(at: index)
    }
    var arrivingParts: [(Int, Part)] = []
    for index in changes.sections.inserts {
      let rows = after.rows(inSection: index).map { $0 }
      arrivingParts.append((index, Part(section: after.section(at: index), rows: rows)))
    }
    for move in changes.sections.moves {
      guard let part = movingParts[move.from] else { throw Misfit(description: "section move \(move) twice") }
      arrivingParts.append((move.to, part))
    }
    for (index, part) in arrivingParts.sorted(by: { $0.0 < $1.0 }) {
      guard index <= parts.count else { throw Misfit(description: "section \(index) cannot be put in") }
      parts.insert(part, at: index)
    }
    var arriving = changes.rows.inserts.map { ($0, after.row(at: $0)) }
    for move in changes.rows.moves {
      guard let row = moving[move.from] else { throw Misfit(description: "row move \(move) twice") }
      arriving.append((move.to, row))
    }
    for (path, row) in arriving.sorted(by: { $0.0 < $1.0 }) {
      guard parts.indices.contains(path.section), path.row <= parts[path.section].rows.count else {
        throw Misfit(description: "row \(path) cannot be put in")
      }
      parts[path.section].rows.insert(row, at: path.row)
    }
    for update in changes.sections.updates { parts[update.to].section = after.section(at: update.to) }
    for update in changes.rows.updates { parts[update.to.section].rows[update.to.row] = after.row(at: update.to) }
  }

  /// The least number of moves of rows, and of sections, that lead to another list: by brute force.
  public func minimalMoves(to other: NaiveList) -> (rows: Int, sections: Int) {
    let sectionMoves = Self.outOfOrder(parts.map(\.section.id), other.parts.map(\.section.id))
    var rowMoves = 0
    let surviving = parts.filter { part in other.parts.contains { $0.section.id == part.section.id } }
    for after in other.parts {
      guard let before = parts.first(where: { $0.section.id == after.section.id }) else { continue }
      let own = before.rows.map(\.id)
      rowMoves += Self.outOfOrder(own, after.rows.map(\.id))
      let foreign = Set(surviving.flatMap { $0.rows.map(\.id) }).subtracting(own)
      rowMoves += after.rows.count { foreign.contains($0.id) }
    }
    return (rowMoves, sectionMoves)
  }

  /// Survivors less the longest increasing subsequence, by dynamic programming.
  private static func outOfOrder<ID: Hashable>(_ before: [ID], _ after: [ID]) -> Int {
    let places = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1, $0) })
    let sequence = after.compactMap { places[$0] }
    var longest = [Int](repeating: 1, count: sequence.count)
    for end in sequence.indices {
      for start in 0..<end where sequence[start] < sequence[end] {
        longest[end] = max(longest[end], longest[start] + 1)
      }
    }
    return sequence.count - (longest.max() ?? 0)
  }
}

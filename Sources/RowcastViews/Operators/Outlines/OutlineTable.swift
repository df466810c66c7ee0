import RowcastDiff
public import RowcastModel

/// A forest as arrays, by the numbers of rows in the list: for rebuilding a forest and its outline in O(n).
@usableFromInline
struct OutlineTable: ~Copyable {
  /// The number of the row above each row; ``top`` or ``nowhere`` without one.
  @usableFromInline private(set) var parents: [Int]
  /// True for each row that passes the filter.
  @usableFromInline let passes: [Bool]
  /// True for each row that is kept: it passes, or has a descendant that does.
  private var isKept: [Bool]
  /// The members of each loop, the first in the list first: it is at the top.
  @usableFromInline private(set) var loops: [[Int]] = []
  /// The children of rows as chains: the first child of each row, then of the top level, and the next sibling of each row; −1 at
  /// the end of a chain.
  private var first: [Int]
  private var next: [Int]

  /// Instead of the number of a row: the row is at the top.
  @usableFromInline static let top = -1
  /// Instead of the number of a row: the row is in no group.
  @usableFromInline static let nowhere = -2

  /// - Parameters:
  ///   - parents: The number of the row that each row names as its parent, or ``top`` or ``nowhere``.
  ///   - passes: True for each row that passes the filter.
  @usableFromInline
  init(parents: [Int], passes: [Bool]) {
    (self.parents, self.passes, isKept) = (parents, passes, passes)
    first = Array(repeating: -1, count: parents.count + 1)
    next = Array(repeating: -1, count: parents.count)
    cutLoops()
    keepAncestors()
    for row in parents.indices.reversed() where self.parents[row] != Self.nowhere {
      let slot = slot(of: self.parents[row])
      (next[row], first[slot]) = (first[slot], row)
    }
  }

  private func slot(of parent: Int) -> Int { parent == Self.top ? first.count - 1 : parent }

  /// The kept children of a row, or of the top level, or the children that are not kept.
  @usableFromInline
  func children(of parent: Int, kept isKept: Bool = true) -> [Int] {
    var (rows, row): ([Int], Int) = ([], first[slot(of: parent)])
    while row >= 0 {
      if self.isKept[row] == isKept { rows.append(row) }
      row = next[row]
    }
    return rows
  }

  /// True if a row has children that are kept.
  @usableFromInline
  func hasChildren(_ row: Int) -> Bool {
    var child = first[row]
    while child >= 0, !isKept[child] { child = next[child] }
    return child >= 0
  }

  private mutating func cutLoops() {
    /// The first walk that has reached each row.
    var walks = Array(repeating: -1, count: parents.count)
    for start in parents.indices {
      var row = start
      while row >= 0, walks[row] < 0 {
        walks[row] = start
        row = parents[row]
      }
      if row < 0 || walks[row] != start { continue }
      var loop = [row]
      while let next = loop.last.map({ parents[$0] }), next != row { loop.append(next) }
      loop = loop.ascending
      loops.append(loop)
      parents[loop[0]] = Self.top
    }
  }

  private mutating func keepAncestors() {
    for start in parents.indices where passes[start] {
      var row = parents[start]
      while row >= 0, !isKept[row] {
        isKept[row] = true
        row = parents[row]
      }
    }
  }
}

extension OutlineForest {
  /// Rebuilds the forest from the rows of a list. Takes O(n), and for summaries O(n) for each level.
  @inlinable
  mutating func rebuild(from list: List, _ rows: [Row]) -> OutlineTable {
    self.list = list
    index.rebuild(from: list)
    (missing, waiting, loops) = ([:], [:], [:])
    var numbers: [ID: Int] = [:]
    numbers.reserveCapacity(rows.count)
    for (number, row) in rows.enumerated() { numbers[row.id] = number }
    var parents: [Int] = []
    parents.reserveCapacity(rows.count)
    for row in rows {
      let named = parent(row)
      let number = named.map { numbers[$0] } ?? OutlineTable.top
      if let named, number == nil { noteMissing(named, of: row.id) }
      parents.append(number ?? (policy == .hidden ? OutlineTable.nowhere : OutlineTable.top))
    }
    let passes = isIncluded.map { rows.map($0) } ?? Array(repeating: true, count: rows.count)
    let table = OutlineTable(parents: parents, passes: passes)
    for numbers in table.loops {
      let members = numbers.map { rows[$0].id }
      for member in members { loops[member] = members }
    }
    var material: [ListSection<IDOnly<Group>, Member>] = []
    for number in [OutlineTable.top] + rows.indices {
      let parent = number < 0 ? nil : rows[number].id
      for isKept in [true, false] {
        let members = table.children(of: number, kept: isKept).map { Member(id: rows[$0].id, passes: passes[$0]) }
        if members.isEmpty { continue }
        material.append(ListSection(IDOnly(Group(parent: parent, isKept: isKept)), rows: members))
      }
      if isAbandoned(at: number) { return table }
    }
    groups = ListDraft(ListSnapshot(unchecked: material))
    (unsettled, stale) = ([], [])
    rebuildSubtotals(rows, table.parents)
    return table
  }

  @inlinable
  mutating func rebuildSubtotals(_ rows: [Row], _ parents: [Int]) {
    (subtotals.states, subtotals.absent) = ([:], [])
    if !subtotals.isUsed { return }
    var states: [SummaryState<Row, Value>?] = Array(repeating: nil, count: rows.count)
    for (number, row) in rows.enumerated() {
      var above = parents[number]
      while above >= 0 {
        if states[above] == nil { states[above] = subtotals.make() }
        states[above]?.insert(row)
        above = parents[above]
      }
    }
    for (number, row) in rows.enumerated() { subtotals.states[row.id] = states[number] }
  }
}

public import RowcastModel

/// A forest as arrays, by the numbers of rows in the list: for making a forest and its outline anew in O(n).
@usableFromInline
struct OutlineTable<Row: RowViewModel> {
  @usableFromInline let rows: [Row]
  /// The number of the row above each row.
  @usableFromInline var parents: [Int]
  @usableFromInline var passes: [Bool] = []
  @usableFromInline var isKept: [Bool] = []
  /// The children of each row, kept and filtered out; the last entry is the top level.
  @usableFromInline var kept = Siblings()
  @usableFromInline var others = Siblings()
  /// The parents that no row has, by the rows that name them.
  @usableFromInline var missing: [Int: Row.ID] = [:]
  /// The members of each loop, the first in the list first: that one is at the top.
  @usableFromInline var loops: [[Int]] = []

  /// Instead of the number of a row: the row is at the top, or in no group.
  @inlinable static var top: Int { -1 }
  @inlinable static var nowhere: Int { -2 }

  /// Rows by the row above them, as chains.
  @usableFromInline
  struct Siblings {
    @usableFromInline var first: [Int] = []
    @usableFromInline var next: [Int] = []

    @inlinable
    init() {}

    @inlinable
    init(_ parents: [Int], where isMember: (Int) -> Bool) {
      first = Array(repeating: -1, count: parents.count + 1)
      next = Array(repeating: -1, count: parents.count)
      for row in parents.indices.reversed() where parents[row] != nowhere && isMember(row) {
        let slot = parents[row] == top ? parents.count : parents[row]
        (next[row], first[slot]) = (first[slot], row)
      }
    }

    @inlinable
    func below(_ row: Int) -> [Int] {
      var (rows, row): ([Int], Int) = ([], first[row == top ? first.count - 1 : row])
      while row >= 0 {
        rows.append(row)
        row = next[row]
      }
      return rows
    }
  }

  @inlinable
  init(
    _ rows: [Row], parent: (Row) -> Row.ID?, isIncluded: ((Row) -> Bool)?, policy: MissingParentPolicy
  ) {
    self.rows = rows
    parents = Array(repeating: Self.top, count: rows.count)
    findParents(parent, policy)
    cutLoops()
    passes = isIncluded.map { rows.map($0) } ?? Array(repeating: true, count: rows.count)
    isKept = passes
    if isIncluded != nil { keepAncestors() }
    kept = Siblings(parents) { isKept[$0] }
    others = Siblings(parents) { !isKept[$0] }
  }

  @inlinable
  mutating func findParents(_ parent: (Row) -> Row.ID?, _ policy: MissingParentPolicy) {
    var numbers: [Row.ID: Int] = [:]
    numbers.reserveCapacity(rows.count)
    for (number, row) in rows.enumerated() { numbers[row.id] = number }
    for (number, row) in rows.enumerated() {
      guard let named = parent(row) else { continue }
      if let found = numbers[named] {
        parents[number] = found
      } else {
        missing[number] = named
        if policy == .hidden { parents[number] = Self.nowhere }
      }
    }
  }

  @inlinable
  mutating func cutLoops() {
    /// The walk that has reached each row first.
    var walks = Array(repeating: -1, count: rows.count)
    for start in rows.indices {
      var row = start
      while row >= 0, walks[row] < 0 {
        walks[row] = start
        row = parents[row]
      }
      if row < 0 || walks[row] != start { continue }
      var loop = [row]
      while let next = loop.last.map({ parents[$0] }), next != row { loop.append(next) }
      loop.sort()
      loops.append(loop)
      parents[loop[0]] = Self.top
    }
  }

  @inlinable
  mutating func keepAncestors() {
    for start in rows.indices where passes[start] {
      var row = parents[start]
      while row >= 0, !isKept[row] {
        isKept[row] = true
        row = parents[row]
      }
    }
  }
}

extension OutlineForest {
  /// Makes the forest anew. Takes O(n), and for summaries O(n) for each level.
  @inlinable
  mutating func rebuild(from list: List) -> OutlineTable<Row> {
    self.list = list
    index.rebuild(from: list)
    let table = OutlineTable(Array(list.allRows), parent: parent, isIncluded: isIncluded, policy: policy)
    let rows = table.rows
    missing = Dictionary(uniqueKeysWithValues: table.missing.map { (rows[$0].id, $1) })
    waiting = [:]
    for (id, parent) in missing where parent == parent { waiting[parent, default: []].insert(id) }
    loops = [:]
    for numbers in table.loops {
      let members = numbers.map { rows[$0].id }
      for member in members { loops[member] = (members[0], members) }
    }
    var material: [ListSection<IDOnly<Group>, Member>] = []
    for number in [OutlineTable<Row>.top] + rows.indices {
      let parent = number < 0 ? nil : rows[number].id
      for (isKept, siblings) in [(true, table.kept), (false, table.others)] {
        let members = siblings.below(number).map { Member(id: rows[$0].id, passes: table.passes[$0]) }
        if members.isEmpty { continue }
        material.append(ListSection(IDOnly(Group(parent: parent, isKept: isKept)), rows: members))
      }
      if number % 4_096 == 0 && ValueLifetime.isOver { return table }
    }
    groups = ListDraft(ListSnapshot(unchecked: material))
    (unsettled, stale) = ([], [])
    rebuildSubtotals(table)
    return table
  }

  @inlinable
  mutating func rebuildSubtotals(_ table: OutlineTable<Row>) {
    (subtotals.states, subtotals.absent) = ([:], [])
    if !subtotals.isUsed { return }
    var states: [SummaryState<Row, Value>?] = Array(repeating: nil, count: table.rows.count)
    for (number, row) in table.rows.enumerated() {
      var above = table.parents[number]
      while above >= 0 {
        if states[above] == nil { states[above] = subtotals.make() }
        states[above]?.insert(row)
        above = table.parents[above]
      }
    }
    for (number, row) in table.rows.enumerated() { subtotals.states[row.id] = states[number] }
  }
}

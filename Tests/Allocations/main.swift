// The differences of lists of a screen allocate their result's arrays, and nothing else; the map of a difference in which nothing
// moves allocates nothing. To be run with `counter.c` loaded
// before it, and built with optimisation: a debug build allocates more.
import Foundation
import RowcastDiff
import RowcastModel

struct Row: RowViewModel {
  let id: Int
  var title: String

  init(_ id: Int) {
    self.id = id
    title = "Row \(id)"
  }
}

struct Section: SectionViewModel { let id: Int }

guard let symbol = dlsym(nil, "allocation_count") else { fatalError("The counter is not loaded") }
let allocationCount = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)

/// The allocations of each of many calls.
func allocations<Result>(_ body: () -> Result) -> Double {
  _ = body()
  let before = allocationCount()
  for _ in 0..<1_000 { withExtendedLifetime(body()) {} }
  return Double(allocationCount() - before) / 1_000
}

@inline(never)
func difference(_ old: [Row], _ new: [Row]) -> Changeset<Int> { Changeset(from: old, to: new) }

@inline(never)
func difference(_ old: ListSnapshot<Section, Row>, _ new: ListSnapshot<Section, Row>) -> Changeset<RowPath> {
  old.changes(to: new).rows
}

/// What is wrong, if anything is.
func complaint<Position>(_ name: String, _ body: () -> Changeset<Position>) -> String? {
  let (each, changes) = (allocations(body), body())
  let lengths = [changes.deletes.count, changes.inserts.count, changes.moves.count, changes.updates.count]
  let arrays = lengths.count { $0 > 0 }
  return each == Double(arrays) ? nil : "\(name): \(each) allocations for a result of \(arrays) arrays"
}

/// What is wrong with the maps of changes, if anything is. The second one is generic code of another module, as other rooms call it.
func complaint(_ name: String, mapping changes: ListChanges) -> String? {
  let each = changes.rows.moves.isEmpty ? allocations { (PathMap(changes), IndexMap(changes.sections)) } : 0
  return each == 0 ? nil : "\(name), maps: \(each) allocations"
}

var complaints: [String] = []

@MainActor func check(_ name: String, sections: Int = 1, rows count: Int, _ edit: (inout [[Row]]) -> Void) throws {
  func make() -> [[Row]] { (0..<sections).map { section in (0..<count).map { Row(section * count + $0) } } }
  let old = make()
  var new = make()
  edit(&new)
  let (oldRows, newRows) = (Array(old.joined()), Array(new.joined()))
  let snapshots = try [old, new].map { lists in
    try ListSnapshot(lists.enumerated().map { ListSection(Section(id: $0), rows: $1) })
  }
  complaints += [
    complaint("\(name), arrays") { difference(oldRows, newRows) },
    complaint("\(name), snapshots") { difference(snapshots[0], snapshots[1]) },
    complaint(name, mapping: snapshots[0].changes(to: snapshots[1])),
  ].compactMap(\.self)
}

func editInThreePlaces(_ rows: inout [Row]) {
  rows.remove(at: rows.count / 2)
  rows.insert(Row(1_000), at: rows.count / 3)
  rows.swapAt(0, rows.count - 1)
}

try check("no rows", rows: 0) { _ in }
try check("20 equal rows", rows: 20) { _ in }
try check("one of 20 deleted", rows: 20) { $0[0].remove(at: 10) }
try check("three changes in 5", rows: 5) { editInThreePlaces(&$0[0]) }
try check("three changes in 20", rows: 20) { editInThreePlaces(&$0[0]) }
try check("20 reversed", rows: 20) { $0[0].reverse() }
try check("50 new", rows: 50) { $0[0] = (100..<150).map { Row($0) } }
try check("three changes in five sections", sections: 5, rows: 20) {
  $0[1].remove(at: 10)
  $0[3].insert(Row(1_000), at: 4)
  $0[2].swapAt(3, 12)
}
for complaint in complaints { print(complaint) }
exit(complaints.isEmpty ? 0 : 1)

import RowcastDemoBench
import Foundation
import Rowcast

/// The differ, on lists of plain ids and on lists of rows.
enum DiffBenchmarks {
  /// The list is the ids themselves.
  static let ids: [Benchmark] =
    workloads.map { workload in
      Benchmark(name: "diff/" + workload.name, rows: workload.count) { random in
        let (old, new) = workload.make(&random)
        return subject(old, new, ids: old) { Changeset(fromIDs: $0, toIDs: $1) }
      }
    } + sections.map { $0.benchmark(prefix: "diff/", row: { random in IDRow(id: random.uuid()) }, touch: { _, _ in }) }

  /// The list is rows of an id, a title and a number; one in a hundred has another title.
  static let rows: [Benchmark] =
    workloads.map { workload in
      Benchmark(name: "diff/row-" + workload.name, rows: workload.count) { random in
        let (old, new) = workload.make(&random)
        let before = old.map { ContentRow($0) }
        var after = new.map { ContentRow($0) }
        for index in after.indices where random.next() % 100 == 0 { after[index].title += "!" }
        return subject(before, after, ids: old) { Changeset(from: $0, to: $1) }
      }
    }
    + sections.map {
      $0.benchmark(prefix: "diff/row-", row: { random in ContentRow(random.uuid()) }) { row, random in
        if random.next() % 100 == 0 { row.title += "!" }
      }
    }

  static func subject<Element: Hashable>(
    _ old: [Element], _ new: [Element], ids: [some Hashable],
    _ changes: @escaping ([Element], [Element]) -> Changeset<Int>
  ) -> BenchSubject {
    BenchSubject(
      measured: {
        let changes = changes(old, new)
        keepAlive(changes)
        return changes.moves.count
      },
      setBuild: { keepAlive(Set(ids)) },
      equality: { keepAlive(equalCount(old, new)) },
      standardLibrary: isWorthComparing(changes(old, new), count: old.count)
        ? { keepAlive(new.difference(from: old).inferringMoves()) } : nil)
  }

  /// Compares all elements side by side, also after the first difference.
  @inline(never)
  static func equalCount<Element: Equatable>(_ old: [Element], _ new: [Element]) -> Int {
    var count = 0
    for index in 0..<min(old.count, new.count) where old[index] == new[index] { count += 1 }
    return count
  }

  /// The standard library's time and memory grow with the square of the number of operations: about 8 ns for each.
  private static func isWorthComparing(_ changes: Changeset<Int>, count: Int) -> Bool {
    let operations = changes.deletes.count + changes.inserts.count + 2 * changes.moves.count + 2 * changes.updates.count
    return operations <= 10_000 && count <= 100_000
  }
}

/// A row that is nothing but its id.
struct IDRow: RowViewModel {
  let id: UUID
}

/// A row as apps have them.
struct ContentRow: RowViewModel, Hashable {
  let id: UUID
  var title: String
  var number: Int

  init(_ id: UUID) {
    self.id = id
    title = "Row \(id.uuid.0)"
    number = Int(id.uuid.1)
  }
}

/// A section that is nothing but its id.
struct IDSection: SectionViewModel {
  let id: UUID
}

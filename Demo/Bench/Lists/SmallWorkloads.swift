import RowcastDemoBench
import Rowcast

/// Lists as long as a screen: rows of a number and a title.
struct SmallRow: RowViewModel, Hashable {
  let id: Int
  var title: String

  init(_ id: Int) {
    self.id = id
    title = "Row \(id)"
  }
}

/// A section of such rows.
struct SmallSection: SectionViewModel {
  let id: Int
}

extension DiffBenchmarks {
  /// The differences of small lists, where what is spent on each list counts.
  static let small: [Benchmark] =
    [
      small("20-same", 20) { _ in },
      small("20-one", 20) { $0.remove(at: 10) },
      small("5-three", 5) { $0.editInThreePlaces() },
      small("20-three", 20) { $0.editInThreePlaces() },
      small("20-reversed", 20) { $0.reverse() },
      small("50-new", 50) { $0 = (100..<150).map { SmallRow($0) } },
    ] + [
      Benchmark(name: "diff/small-sections-5x20-three", rows: 100) { _ in
        var sections = (0..<5).map { section in
          ListSection(SmallSection(id: section), rows: (0..<20).map { SmallRow(section * 20 + $0) })
        }
        let rows = sections.flatMap(\.rows)
        guard let old = try? ListSnapshot(sections) else { preconditionFailure("The ids of \(rows) are not unique") }
        sections[1].rows.remove(at: 10)
        sections[3].rows.insert(SmallRow(1_000), at: 4)
        sections[2].rows.swapAt(3, 12)
        guard let new = try? ListSnapshot(sections) else {
          preconditionFailure("The ids of \(sections) are not unique")
        }
        return BenchSubject(
          measured: {
            let changes = old.changes(to: new)
            keepAlive(changes)
            return changes.rows.moves.count
          },
          setBuild: { keepAlive(Set(rows.map(\.id))) }, equality: { keepAlive(equalCount(rows, rows)) },
          standardLibrary: nil)
      }
    ]

  private static func small(
    _ name: String, _ count: Int, _ edit: @escaping @Sendable (inout [SmallRow]) -> Void
  ) -> Benchmark {
    Benchmark(name: "diff/small-" + name, rows: count) { _ in
      let old = (0..<count).map { SmallRow($0) }
      // Rows of their own, as an app makes them from its data.
      var new = (0..<count).map { SmallRow($0) }
      edit(&new)
      return subject(old, new, ids: old.map(\.id)) { Changeset(from: $0, to: $1) }
    }
  }
}

extension [SmallRow] {
  /// Deletes a row, inserts one, and exchanges two.
  fileprivate mutating func editInThreePlaces() {
    remove(at: count / 2)
    insert(SmallRow(1_000), at: count / 3)
    swapAt(0, count - 1)
  }
}

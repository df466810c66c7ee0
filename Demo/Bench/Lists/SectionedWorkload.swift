import RowcastDemoBench
import Foundation
import Rowcast

/// A pair of sectioned lists: one row in a hundred deleted, inserted and moved across sections; two sections swapped,
/// one removed.
struct SectionedWorkload: Sendable {
  let sections: Int
  let rowsPerSection: Int

  /// The difference of two snapshots of this workload.
  ///
  /// - Parameters:
  ///   - prefix: What the name begins with.
  ///   - row: Makes a row.
  ///   - touch: May change the content of a row.
  /// - Returns: The benchmark.
  func benchmark<Row: RowViewModel>(
    prefix: String, row: @escaping @Sendable (inout SplitMix64) -> Row,
    touch: @escaping @Sendable (inout Row, inout SplitMix64) -> Void
  ) -> Benchmark where Row.ID == UUID {
    Benchmark(name: "\(prefix)sections-\(sections)x\(rowsPerSection)", rows: sections * rowsPerSection) { random in
      let material = (0..<sections).map { _ in
        ListSection(IDSection(id: random.uuid()), rows: (0..<rowsPerSection).map { _ in row(&random) })
      }
      let edited = edit(material, row: row, touch: touch, &random)
      guard let old = try? ListSnapshot(material), let new = try? ListSnapshot(edited) else {
        preconditionFailure("Random ids are not unique")
      }
      return Self.subject(from: old, to: new, material.flatMap(\.rows), edited.flatMap(\.rows))
    }
  }

  private static func subject<Row: RowViewModel>(
    from old: ListSnapshot<IDSection, Row>, to new: ListSnapshot<IDSection, Row>, _ oldRows: [Row], _ newRows: [Row]
  ) -> BenchSubject where Row.ID == UUID {
    let ids = oldRows.map(\.id)
    return BenchSubject(
      measured: {
        let changes = old.changes(to: new)
        keepAlive(changes)
        return changes.sections.moves.count + changes.rows.moves.count
      },
      setBuild: { keepAlive(Set(ids)) },
      equality: { keepAlive(DiffBenchmarks.equalCount(oldRows, newRows)) },
      standardLibrary: nil)
  }

  private func edit<Row: RowViewModel>(
    _ material: [ListSection<IDSection, Row>], row: (inout SplitMix64) -> Row,
    touch: (inout Row, inout SplitMix64) -> Void, _ random: inout SplitMix64
  ) -> [ListSection<IDSection, Row>] {
    var result = material
    let changed = sections * rowsPerSection / 100
    func somewhere() -> RowPath {
      let section = Int.random(in: 0..<sections, using: &random)
      return RowPath(section: section, row: Int.random(in: 0..<result[section].rows.count, using: &random))
    }
    for _ in 0..<changed {
      let gone = somewhere()
      result[gone.section].rows.remove(at: gone.row)
      let come = somewhere()
      result[come.section].rows.insert(row(&random), at: come.row)
      let from = somewhere()
      let traveller = result[from.section].rows.remove(at: from.row)
      let to = somewhere()
      result[to.section].rows.insert(traveller, at: to.row)
    }
    for section in result.indices {
      for index in result[section].rows.indices { touch(&result[section].rows[index], &random) }
    }
    result.swapAt(1, sections - 2)
    result.remove(at: sections / 2)
    return result
  }
}

extension DiffBenchmarks {
  static let sections = [
    SectionedWorkload(sections: 20, rowsPerSection: 50),
    SectionedWorkload(sections: 100, rowsPerSection: 100),
    SectionedWorkload(sections: 100, rowsPerSection: 1_000),
  ]
}

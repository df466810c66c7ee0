import RowcastDemoBench
import Rowcast

/// A store that random edits have aged, and the ids that are in it.
struct StoreWorkload {
  typealias Store = ListStore<StoreSection, StoreRow>
  typealias Editor = ListEditor<StoreSection, StoreRow>
  typealias Snapshot = ListSnapshot<StoreSection, StoreRow>

  let store: Store
  let sections: Int
  /// Rows are put among the first of a section, as many as it has at any time.
  let reach: Int
  private(set) var ids: [Int]
  private var nextID: Int
  private(set) var random: SplitMix64

  init(rows: Int, sections: Int) async {
    random = SplitMix64(seed: UInt64(rows &* 31 &+ sections))
    ids = Array(0..<rows).shuffled(using: &random)
    nextID = rows
    self.sections = sections
    let rowsPerSection = rows / sections
    reach = rowsPerSection < 40 ? 1 : rowsPerSection < 1_000 ? rowsPerSection / 3 : rowsPerSection * 3 / 4
    store = Store(Self.snapshot(of: ids, sections: sections))
    let edits = max(1_000, min(rows / 2, 300_000))
    for start in stride(from: 0, to: edits, by: 100) {
      let steps = (start..<start + 100).flatMap { _ in [step(.remove), step(.insert), step(.move)] }
      do {
        try await store.edit { list in for step in steps { try step.apply(to: &list) } }
      } catch {
        Bench.stop(at: error)
      }
    }
  }

  static func snapshot(of ids: [Int], sections: Int) -> Snapshot {
    let size = ids.count / sections
    let material = (0..<sections).map { section in
      ListSection(StoreSection(id: section), rows: ids[section * size..<(section + 1) * size].map { StoreRow($0) })
    }
    return (try? Snapshot(material)) ?? Snapshot()
  }

  /// One event, made before it is measured.
  enum Step: Sendable {
    case update(Int, Int)
    case insert(StoreRow, RowPath)
    case remove(Int)
    case move(Int, RowPath)

    @inline(__always)
    func apply(to list: inout Editor) throws {
      switch self {
      case .update(let id, let number): try list.update(id) { $0.number = number }
      case .insert(let row, let path): try list.insert(row, at: path)
      case .remove(let id): try list.remove(id)
      case .move(let id, let path): try list.move(id, to: path)
      }
    }
  }

  mutating func step(_ event: StoreEvent) -> Step {
    let path = RowPath(section: next(sections), row: next(reach))
    switch event {
    case .update, .diff1: return .update(ids[next(ids.count)], Int(truncatingIfNeeded: random.next() >> 8))
    case .insert:
      nextID += 1
      ids.append(nextID)
      return .insert(StoreRow(nextID), path)
    case .remove:
      ids.swapAt(next(ids.count), ids.count - 1)
      return .remove(ids.removeLast())
    case .move: return .move(ids[next(ids.count)], path)
    }
  }

  mutating func next(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  /// Does one event and gives back the list after it, as a subscriber gets it.
  @inline(__always)
  nonisolated(nonsending) func perform(_ step: Step) async -> Snapshot {
    do {
      return try await store.edit { list in
        try step.apply(to: &list)
        return list.snapshot
      }
    } catch {
      Bench.stop(at: error)
    }
  }
}

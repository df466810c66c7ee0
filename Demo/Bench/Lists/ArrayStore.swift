import RowcastDemoBench
import Rowcast

/// A store as one would write it in a minute, for comparison: an actor around a plain array of one section, with
/// transactions that throw without a trace and count what changed.
actor ArrayStore {
  private(set) var rows: [StoreRow]
  private(set) var revision = 0

  init(_ rows: [StoreRow]) { self.rows = rows }

  func edit<Result: Sendable>(_ body: @Sendable (inout [StoreRow]) throws -> Result) throws -> Result {
    var edited = rows
    let result = try body(&edited)
    if edited != rows {
      rows = edited
      revision += 1
    }
    return result
  }

  /// Does one event and gives back the list after it, as a subscriber gets it.
  nonisolated(nonsending) func perform(_ step: StoreWorkload.Step) async -> [StoreRow] {
    do {
      return try await edit { rows in
        try step.apply(to: &rows)
        return rows
      }
    } catch {
      Bench.stop(at: error)
    }
  }
}

extension StoreWorkload.Step {
  /// Does the event to a plain array, which has to look for its rows.
  func apply(to rows: inout [StoreRow]) throws {
    func index(of id: Int) throws -> Int {
      guard let index = rows.firstIndex(where: { $0.id == id }) else { throw ListError<Int, Int>.unknownRow(id) }
      return index
    }
    switch self {
    case .update(let id, let number): rows[try index(of: id)].number = number
    case .insert(let row, let path): rows.insert(row, at: path.row)
    case .remove(let id): rows.remove(at: try index(of: id))
    case .move(let id, let path):
      let row = rows.remove(at: try index(of: id))
      rows.insert(row, at: path.row)
    }
  }
}

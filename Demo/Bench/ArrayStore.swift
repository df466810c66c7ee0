import Rowcast

/// A store as one would write it in a minute, for comparison: an actor around a plain array in one section.
actor ArrayStore {
  private(set) var rows: [StoreRow]

  init(_ rows: [StoreRow]) { self.rows = rows }

  /// Does one event and gives back the list after it, as a subscriber gets it.
  func perform(_ step: StoreWorkload.Step) -> [StoreRow] {
    switch step {
    case .update(let id, let number): rows[index(of: id)].number = number
    case .insert(let row, let path): rows.insert(row, at: min(path.row, rows.count))
    case .remove(let id): rows.remove(at: index(of: id))
    case .move(let id, let path):
      let row = rows.remove(at: index(of: id))
      rows.insert(row, at: min(path.row, rows.count))
    }
    return rows
  }

  private func index(of id: Int) -> Int {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { preconditionFailure("No row has the id \(id)") }
    return index
  }
}

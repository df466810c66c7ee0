/// The edits of a list, over arrays.
extension [PagingModel.Part] {
  private typealias Fault = PagingModel.Fault

  mutating func setPhase(_ phase: PagingModel.Phase, of id: String) throws {
    guard let index = firstIndex(where: { $0.id == id }) else { throw Fault.list }
    self[index].phase = phase
  }

  mutating func markLoaded(_ id: String) throws {
    try setPhase(first { $0.id == id }?.rows.isEmpty ?? true ? .empty : .loaded, of: id)
  }

  /// Edits that find nothing to do are none.
  mutating func apply(_ ops: [PagingModel.Op]) {
    for op in ops {
      switch op {
      case .put(let row, let id):
        guard let index = firstIndex(where: { $0.id == id }) else { break }
        if let place = self[index].rows.firstIndex(where: { $0.id == row.id }) {
          self[index].rows[place] = row
        } else {
          for part in indices { self[part].rows.removeAll { $0.id == row.id } }
          self[index].rows.append(row)
        }
      case .update(let row):
        for part in indices { self[part].rows = self[part].rows.map { $0.id == row.id ? row : $0 } }
      case .remove(let row): for part in indices { self[part].rows.removeAll { $0.id == row } }
      case .move(let row, let id):
        guard let index = firstIndex(where: { $0.id == id }), let row = PagingModel.rows(self)[row] else { break }
        for part in indices { self[part].rows.removeAll { $0.id == row.id } }
        self[index].rows.append(row)
      case .removeSection(let id): removeAll { $0.id == id }
      case .addSection(let id): if !contains(where: { $0.id == id }) { append(PagingModel.Part(id: id)) }
      }
    }
  }

  /// Puts a page into the list, which was another one when the page was requested.
  mutating func insert(_ page: [TestRow], _ requested: [PagingModel.Part], replaces: Bool, isAtTop: Bool) throws {
    guard let index = firstIndex(where: { $0.id == "a" }) else { throw Fault.list }
    let (before, now) = (PagingModel.rows(requested), PagingModel.rows(self))
    // What is newer than the page wins.
    let rows = page.compactMap { row -> TestRow? in
      guard let present = now[row.id] else { return before[row.id] == nil ? row : nil }
      return before[row.id] == present ? row : present
    }
    if replaces {
      // Rows that are in another section stay there.
      let others = Set(indices.filter { $0 != index }.flatMap { self[$0].rows.map(\.id) })
      for row in rows where others.contains(row.id) { apply([.update(row)]) }
      let rows = rows.filter { !others.contains($0.id) }
      let former = requested.first { $0.id == "a" }?.rows ?? []
      let replaced = Set((former + rows).map(\.id))
      let arrived = self[index].rows.filter { !replaced.contains($0.id) }
      self[index].rows = isAtTop ? rows + arrived : arrived + rows
    } else {
      let new = rows.filter { now[$0.id] == nil }
      for row in rows { apply([.update(row)]) }
      self[index].rows = isAtTop ? new + self[index].rows : self[index].rows + new
    }
    let ids = flatMap(\.rows).map(\.id)
    if Set(ids).count < ids.count { throw Fault.list }
    try markLoaded("a")
  }
}

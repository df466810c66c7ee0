extension Display {
  /// Every cell is in one place, and all that were made are somewhere; of each kind.
  func checkInvariants() {
    assert(isConserved(rowPool) { $0.isRow }, "\(rowPool.statistics)")
    assert(isConserved(sectionPool) { !$0.isRow }, "\(sectionPool.statistics)")
    assert(hasDistinctCells, "a cell is in two places")
    assert(cells.count == visible.count + ready.count, "\(cells.count) cells, \(visible.count) and \(ready.count)")
  }

  private func isConserved(_ pool: ReusePool, _ isOfPool: (Slot) -> Bool) -> Bool {
    var visible = [Int](repeating: 0, count: pool.stacks.count)
    var prefetched = visible
    for slot in self.visible where isOfPool(slot) { visible[slot.stack] += 1 }
    for slot in ready where isOfPool(slot) { prefetched[slot.stack] += 1 }
    return pool.stacks.indices.allSatisfy { index in
      let (stack, counts) = (pool.stacks[index], pool.stacks[index].counts)
      return counts.visible == visible[index] && counts.prefetched == prefetched[index]
        && counts.pooled == stack.cells.count && stack.cells.allSatisfy { $0.reuseIdentifier == stack.identifier }
    }
  }

  private var hasDistinctCells: Bool {
    var seen: Set<ObjectIdentifier> = []
    let pooled = [rowPool, sectionPool].flatMap { $0.stacks.flatMap(\.cells) }
    return (cells + pooled).allSatisfy { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

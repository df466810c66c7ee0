import Testing

/// The strict view does its job: it refuses updates with one mistake each.
@MainActor @Suite(.watched) struct StrictViewTests {
  /// A mistake, by a part of what the view says to it.
  enum Mistake: String, CaseIterable {
    case swapsBeforeTheBatch = "swapped before the batch"
    // What does not add up first depends on the lists; it is a rule in any case.
    case swapsAfterTheBatch = "A12"
    case skipsAnUpdate = "A12:"
    case reloadsInside = "a reload inside a batch"
    case reconfiguresInside = "a reconfiguration inside a batch"
    case mergesStages = "A15"
    case doesNotWait = "that of another update animates"
  }

  @Test(arguments: Mistake.allCases) func `an update with a mistake is refused`(_ mistake: Mistake) throws {
    #expect(try refusals(of: mistake).contains { $0.contains(mistake.rawValue) })
  }

  @Test func `the same updates without a mistake are not`() throws { #expect(try refusals(of: nil) == []) }

  /// Each section gets a row, and then one of them moves.
  private func refusals(of mistake: Mistake?) throws -> [String] {
    let lists: [TestSnapshot] = try [
      .of(("a", [1]), ("b", [2])), .of(("a", [1, 4]), ("b", [2, 3])), .of(("b", [2, 3]), ("a", [1, 4])),
    ]
    let steps = mistake == .mergesStages ? [(0, 2)] : mistake == .skipsAnUpdate ? [(1, 2)] : [(0, 1), (1, 2)]
    let view = StrictView()
    var data = lists[0]
    view.data = { data }
    view.reload()
    for (from, to) in steps {
      if mistake == .swapsBeforeTheBatch { data = lists[to] }
      let changes = lists[from].changes(to: lists[to])
      view.performBatch({
        if mistake != .swapsAfterTheBatch { data = lists[to] }
        view.insertRows(at: changes.rows.inserts)
        for move in changes.sections.moves { view.moveSection(from: move.from, to: move.to) }
        if mistake == .reloadsInside { view.reload() }
        if mistake == .reconfiguresInside { view.reconfigureRows(at: []) }
      }) {}
      data = lists[to]
      view.endUpdate()
      if mistake != .doesNotWait { view.finishAnimations() }
    }
    return view.refusals
  }
}

import Testing

/// Valid batches with one operation dropped, doubled or shifted.
@Suite(.watched) struct BatchFuzzTests {
  @Test func `a broken batch is refused, or folds to the same list, and if its counts fit, it can be applied`() throws {
    var random = SeededGenerator.forFuzzing("broken batches")
    var refused: [BatchRule: Int] = [:]
    let rounds = SeededGenerator.rounds(400, long: 150_000)
    for _ in 0..<rounds {
      let contents = Int.random(in: 1...2, using: &random)
      let before = try TestSnapshot.random(sections: 4, rows: 10, contents: contents, using: &random)
      let after = try TestSnapshot.random(sections: 4, rows: 10, contents: contents, using: &random)
      var batch = before.changes(to: after)
      let note = Comment(rawValue: "seed \(random.seed): \(before) to \(after): \(batch)")
      #expect(throws: Never.self, note) { try BatchValidator.validate(batch, from: before, to: after) }
      guard Self.mutate(&batch, &random) else { continue }
      do {
        try BatchValidator.validate(batch, from: before, to: after)
        // None of 40,000 reached this.
        var folded = NaiveList(before)
        try folded.fold(batch, after: after)
        #expect(folded == NaiveList(after), note)
      } catch let error as BatchError {
        refused[error.rule, default: 0] += 1
        #expect("\(error)".hasPrefix("\(error.rule.rawValue): "))
      }
      // The counts alone already keep what would not fit.
      let counts = (NaiveList(before).parts.map(\.rows.count), NaiveList(after).parts.map(\.rows.count))
      let validator = BatchValidator(batch, rowCountsBefore: counts.0, rowCountsAfter: counts.1)
      guard (try? validator.validate()) != nil else { continue }
      var folded = NaiveList(before)
      try folded.fold(batch, after: after)
      #expect(folded.parts.map(\.rows.count) == counts.1, note)
    }
    // A part of the rounds may not have all of these.
    #expect(rounds < 2_000 || refused.count > 8 && refused.values.reduce(0, +) > rounds * 3 / 10, "\(refused)")
  }

  @Test func `B1 B2 what the differ makes is valid, and its stages are valid for strict views`() throws {
    var random = SeededGenerator.forFuzzing("stages")
    var twoStages = 0
    for _ in 0..<SeededGenerator.rounds(300, long: 50_000) {
      let before = try TestSnapshot.random(sections: 5, rows: 14, using: &random)
      let after = try TestSnapshot.random(sections: 5, rows: 14, using: &random)
      let changes = before.changes(to: after)
      let note = Comment(rawValue: "seed \(random.seed): \(before) to \(after): \(changes)")
      #expect(throws: Never.self, note) { try BatchValidator.validate(changes, from: before, to: after) }
      let stages: Int
      do { stages = try changes.checkedStages(from: before, to: after) } catch { throw Mismatch("\(note): \(error)") }
      #expect(stages <= 2, note)
      if stages == 2 {
        twoStages += 1
        #expect(throws: BatchError.self, note) {
          try BatchValidator.validate(changes, from: before, to: after, refusingRowsInMovedSections: true)
        }
      }
    }
    #expect(twoStages > 10)
  }

  private static func mutate(_ batch: inout ListChanges, _ random: inout SeededGenerator) -> Bool {
    func mutate<Element>(_ elements: inout [Element], shift: (inout Element) -> Void) -> Bool {
      guard let index = elements.indices.randomElement(using: &random) else { return false }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      default: shift(&elements[index])
      }
      return true
    }
    let step = Bool.random(using: &random) ? 1 : -1
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return mutate(&batch.rows.deletes) { $0.row += step }
    case 1: return mutate(&batch.rows.inserts) { $0.row += step }
    case 2: return mutate(&batch.rows.moves) { $0.to.row += step }
    case 3: return mutate(&batch.rows.moves) { $0.from.row += step }
    case 4: return mutate(&batch.sections.deletes) { $0 += step }
    case 5: return mutate(&batch.sections.inserts) { $0 += step }
    case 6: return mutate(&batch.sections.moves) { $0.from += step }
    default: return mutate(&batch.sections.moves) { $0.to += step }
    }
  }
}

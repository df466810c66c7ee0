import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@Suite(.watched) struct StageTests {
  @Test func `stages lead from the one list to the other, each as a valid batch`() throws {
    var random = SeededGenerator.forFuzzing("stages")
    var most = 0
    for round in 0..<SeededGenerator.rounds(400, long: 20_000) {
      let before = try TestSnapshot.random(sections: 6, rows: 14, using: &random)
      let after = try TestSnapshot.random(sections: 6, rows: 14, using: &random)
      let changes = before.changes(to: after)
      let stages = changes.stages(from: before, to: after)
      let note = "seed \(random.seed) round \(round): \(NaiveList(before)) to \(NaiveList(after))"
      var list = NaiveList(before)
      var shown = before
      for stage in stages {
        let batch = BatchValidator(
          TableBatch(stage.changes), rowCountsBefore: shown.contents.map(\.rows.count),
          rowCountsAfter: stage.snapshot.contents.map(\.rows.count))
        #expect(throws: Never.self, "\(note)") { try batch.validate(refusingRowsInMovedSections: true) }
        shown = stage.snapshot
        try list.fold(stage.changes, after: stage.snapshot)
        #expect(list == NaiveList(stage.snapshot), "\(note)")
      }
      #expect(list == NaiveList(after), "\(note)")
      most = max(most, stages.count)
    }
    #expect(most == 2)
  }
}

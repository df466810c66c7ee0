import RowcastDiff
import RowcastModel
import TestSupport
import Testing

@Suite(.watched) struct StageTests {
  @Test func `stages from row counts are those from snapshots, with the counts of each step`() throws {
    var random = SeededGenerator.forFuzzing("stages")
    var most = 0
    for round in 0..<SeededGenerator.rounds(400, long: 20_000) {
      let before = try TestSnapshot.random(sections: 6, rows: 14, using: &random)
      let after = try TestSnapshot.random(sections: 6, rows: 14, using: &random)
      let changes = before.changes(to: after)
      let stages = changes.stages(from: before, to: after)
      func counts(_ list: TestSnapshot) -> [Int] { (0..<list.sectionCount).map { list.rowCount(inSection: $0) } }
      let counted = changes.stages(fromRowCounts: counts(before), to: counts(after))
      let note = "seed \(random.seed) round \(round): \(NaiveList(before)) to \(NaiveList(after))"
      #expect(counted.map(\.changes) == stages.map(\.changes), "\(note)")
      #expect(counted.map(\.rowCounts) == stages.map { counts($0.snapshot) }, "\(note)")
      var list = NaiveList(before)
      for stage in stages {
        try list.fold(stage.changes, after: stage.snapshot)
        #expect(list == NaiveList(stage.snapshot), "\(note)")
      }
      #expect(list == NaiveList(after), "\(note)")
      most = max(most, stages.count)
    }
    #expect(most == 2)
  }
}

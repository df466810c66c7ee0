import RowcastDiff
import RowcastTestSupport
import Testing

@Suite("Random lists", .watched)
struct FuzzTests {
  /// Most lists are short, some long enough for every means that the differ has.
  static func limit(ofRound round: Int) -> Int { round % 25 == 0 ? 500 : round % 5 == 0 ? 120 : 12 }

  @Test("Random flat lists are told apart with the fewest operations")
  func flat() {
    var maker = ListMaker(random: .forFuzzing("flat lists"))
    for round in 0..<SeededGenerator.rounds(2_500, long: 50_000) {
      let (old, new) = maker.pair(upTo: Self.limit(ofRound: round))
      let changes = Changeset(from: old, to: new)
      if let complaint = Judge.complaint(about: changes, from: old, to: new, longest: Longest.byDealing) {
        Issue.record("round \(round), seed \(maker.random.seed): \(old) to \(new) \(complaint): \(changes)")
        return
      }
    }
  }

  @Test("Random sectioned lists are told apart with the fewest operations")
  func sectioned() {
    var maker = ListMaker(random: .forFuzzing("sectioned lists"))
    for round in 0..<SeededGenerator.rounds(1_500, long: 30_000) {
      let (old, new) = maker.shelves(upTo: Self.limit(ofRound: round))
      let changes = ListChanges(
        from: old.map(\.model), rows: old.map(\.rows), to: new.map(\.model), rows: new.map(\.rows))
      if let complaint = Judge.complaint(about: changes, from: old, to: new, longest: Longest.byDealing) {
        Issue.record("round \(round), seed \(maker.random.seed): \(old) to \(new) \(complaint): \(changes)")
        return
      }
    }
  }

  @Test("Random lists with duplicate ids lead to the new list, and as many survive as can")
  func duplicates() {
    var maker = ListMaker(random: .forFuzzing("duplicates"))
    for round in 0..<SeededGenerator.rounds(1_000, long: 20_000) {
      let (old, new) = maker.duplicates(upTo: Self.limit(ofRound: round))
      let changes = Changeset(from: old, to: new)
      if let complaint = Judge.complaint(aboutDuplicates: changes, from: old, to: new) {
        Issue.record("round \(round), seed \(maker.random.seed): \(old) to \(new) \(complaint): \(changes)")
        return
      }
    }
  }
}

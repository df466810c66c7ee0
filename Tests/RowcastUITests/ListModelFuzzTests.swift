import Observation
import RowcastModel
import RowcastStore
import RowcastUI
import RowcastTestSupport
import Testing

@MainActor
@Suite(.watched) struct ListModelFuzzTests {
  /// What a view may read, with what it read.
  private enum Reading: Hashable {
    case row(Int, TestRow?)
    case section(String, TestSection?)
    case rows(String, [TestRow])
    case ids(String, [Int])
    case sections([TestSection])

    @MainActor
    static func all(of model: TestModel) -> [(reading: Reading, told: CallCount)] {
      let ids = (0..<16).map { id in { Reading.row(id, model.row(id)) } }
      let sections = (0..<5).map { "s\($0)" }.flatMap { id in
        [
          { Reading.section(id, model.section(id)) }, { Reading.rows(id, Array(model.rows(inSection: id))) },
          { Reading.ids(id, Array(model.rowIDs(inSection: id))) },
        ]
      }
      return (ids + sections + [{ Reading.sections(Array(model.sections)) }]).map { read in
        var reading: Reading?
        let told = told { reading = read() }
        return (reading ?? read(), told)
      }
    }
  }

  @Test func `whoever read what has changed is told, and whoever read a row only if it has`() async throws {
    var random = SeededGenerator.forFuzzing("model")
    let store = TestStore()
    let model = TestModel(store, startingWith: TestSnapshot())
    for round in 0..<SeededGenerator.rounds(400, long: 20_000) {
      let readings = Reading.all(of: model)
      let before = model.snapshot
      // Rows that cross the border of a section that comes or goes count as gone and come.
      let next = try TestSnapshot.random(sections: 5, rows: 16, using: &random)
      let crossing = Self.crossing(before, next)
      if Bool.random(using: &random) {
        try await model.edit { $0.replace(with: next) }
      } else {
        try await store.replace(with: next)
        await soon { model.snapshot == next }
      }
      let note = Comment(rawValue: "seed \(random.seed), round \(round)")
      #expect(NaiveList(model.snapshot) == NaiveList(next), note)
      for ((old, told), (new, _)) in zip(readings, Reading.all(of: model)) {
        if old != new { #expect(told.value == 1, "\(note): \(old) became \(new)") }
        if case .row(let id, _) = old, old == new, !crossing.contains(id) {
          #expect(told.value == 0, "\(note): \(old)")
        }
      }
      try #require(
        (0..<16).allSatisfy { id in model.row(id) == next.allRows.first { $0.id == id } }, note)
    }
  }

  @Test func `an edit of the model that the store takes back at once is not shown for good`() async throws {
    let (before, after) = (try TestSnapshot.of(("a", [1, 2])), try TestSnapshot.of(("a", [1, 2, 3])))
    let store = TestStore(before)
    let model = TestModel(store, startingWith: before)
    for round in 0..<500 {
      try await model.edit { $0.replace(with: after) }
      try await store.replace(with: before)
      var yields = 0
      while model.snapshot != before, yields < 100_000 {
        yields += 1
        await Task.yield()
      }
      try #require(model.snapshot == before, "round \(round)")
    }
  }

  /// The rows of sections that come or go.
  private static func crossing(_ before: TestSnapshot, _ after: TestSnapshot) -> Set<Int> {
    let (old, new) = (Set(before.sections.map(\.id)), Set(after.sections.map(\.id)))
    return Set(
      [(before, old.subtracting(new)), (after, new.subtracting(old))].flatMap { list, ids in
        (0..<list.sectionCount).filter { ids.contains(list.section(at: $0).id) }
          .flatMap { list.rows(inSection: $0).map(\.id) }
      })
  }
}

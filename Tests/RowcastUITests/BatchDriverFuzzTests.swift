import RowcastModel
import RowcastStore
import RowcastUI
import RowcastViews
import RowcastTestSupport
import Testing

@MainActor
@Suite(.watched) struct BatchDriverFuzzTests {
  @Test func `a view that follows a store ends equal to it, whenever its animations end`() async throws {
    let store = ListStore<TestSection, TestRow>()
    var random = SeededGenerator.forFuzzing("driven store")
    try await drive(store, &random) { random in
      try await store.replace(with: .random(sections: 5, rows: 20, using: &random))
    }
  }

  @Test func `a view that follows an arranged list ends equal to it, whenever its animations end`() async throws {
    let store = ListStore<TestSection, TestRow>()
    let arranged = store.arranged {
      $0.filter { $0.id % 5 != 0 }.sectioned(by: \.text) { TestSection($0) }.sorted(by: .descending(\.id))
    }
    var random = SeededGenerator.forFuzzing("driven arrangement")
    try await drive(arranged, &random) { random in
      try await store.replace(with: .random(sections: 3, rows: 20, contents: 4, using: &random))
    }
  }

  /// Edits a list, brings its updates to a view, and lets the view come to rest now and then.
  private func drive(
    _ list: some LiveList<TestSection, TestRow>, _ random: inout SeededGenerator,
    edit: (inout SeededGenerator) async throws -> Void
  ) async throws {
    let view = StrictView()
    let driver = TestDriver(view)
    view.data = { driver.snapshot }
    var updates = list.updates().makeAsyncIterator()
    var seen: TestSnapshot?
    for round in 0..<SeededGenerator.rounds(400, long: 20_000) {
      for _ in 0...Int.random(in: 0..<3, using: &random) { try await edit(&random) }
      // Edits that cancel each other out make no update.
      if await list.snapshot == seen { continue }
      let update = try #require(await updates.next())
      seen = update.snapshot
      driver.apply(update)
      view.endUpdate()
      if Bool.random(using: &random) { view.finishAnimations() }
      // Views come and go, and forget to say that they are at rest.
      if Int.random(in: 0..<8, using: &random) == 0 { view.dropAnimations() }
      if Int.random(in: 0..<10, using: &random) == 0 { view.isInWindow.toggle() }
      try #require(view.refusals.isEmpty, "seed \(random.seed), round \(round): \(view.refusals)")
      if driver.isSettled { #expect(view.shown == NaiveList(update.snapshot), "seed \(random.seed), round \(round)") }
    }
    while !driver.isSettled {
      view.finishAnimations()
      await Task.yield()
    }
    let last = await list.snapshot
    #expect(view.shown == NaiveList(last), "seed \(random.seed)")
  }
}

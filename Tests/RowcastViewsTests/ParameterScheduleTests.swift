import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore
@testable import RowcastViews

/// Lists that read parameters, under any schedule of those who set, edit and read.
@Suite(.watched) struct ParameterScheduleTests {
  @Test func `lists that read one parameter, and meet in several levels, are made of one value of it`() async throws {
    await Schedule.explore("a shared parameter", 100, long: 40_000) { seed in
      var random = SeededGenerator(seed: seed)
      let stores = try (0..<3).map { try ListStore(($0 * 100..<$0 * 100 + 6).map { TestRow($0) }) }
      let query = Parameter(1)
      let parts = stores.map { $0.arranged { $0.filter(by: query) { $0.id % $1 == 0 } } }
      let list = MergedList(MergedList(parts[0], parts[1]), parts[2])
      let values = (0..<6).map { _ in Int.random(in: 1..<5, using: &random) }
      func made(_ value: Int) -> [Int] { (0..<3).flatMap { $0 * 100..<$0 * 100 + 6 }.filter { $0 % value == 0 } }
      return await withTaskGroup(of: String?.self) { group in
        group.addTask {
          for value in values { await query.set(value) }
          query.finish()
          for store in stores { await store.finish() }
          return nil
        }
        group.addTask {
          for _ in 0..<8 {
            let shown = ids(of: await list.snapshot)
            if !(1..<5).contains(where: { shown == made($0) }) { return "\(shown) is made of several values" }
          }
          return nil
        }
        group.addTask {
          var last: [Int] = []
          for await update in list.updates() {
            last = ids(of: update.snapshot)
            if !(1..<5).contains(where: { last == made($0) }) { return "\(last) is made of several values" }
          }
          return last == made(values[5]) ? nil : "ended at \(last) instead of \(made(values[5]))"
        }
        return await group.first { $0 != nil } ?? nil
      }
    }
  }

  @Test func `under any schedule all who watch a list that lets go of its last parameter see the end`() async throws {
    await Schedule.explore("letting go", 100, long: 20_000) { seed in
      let (store, query) = (try ListStore((0..<4).map { TestRow($0) }), Parameter(2))
      let plan = Parameter(Arrangement<SoleSection, TestRow, SoleSection, TestRow>().filter(by: query) { $0.id < $1 })
      let waits = seed % 2 == 0
      let list = waits ? store.arranged(by: plan) : store.arrangedToTheEnd(by: plan)
      async let watchers: [[Int]] = withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await lastIDs(of: list) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      _ = await list.snapshot
      await store.finish()
      await plan.set(.init().filter { $0.id < 2 })
      if waits { plan.finish() }
      let seen = await watchers
      await query.set(0)
      return seen == [[0, 1], [0, 1], [0, 1]] ? nil : "\(seen)"
    }
  }

  @Test func `under any schedule a value that is the last, and brings a parameter, does not end a list before it`()
    async throws
  {
    await Schedule.explore("a last value", 100, long: 20_000) { _ in
      let store = try ListStore((0..<4).map { TestRow($0) })
      let (choice, query) = (Parameter(false), Parameter(4))
      let list = store.arranged {
        $0.arranged(by: choice) { plan, isFiltered in isFiltered ? plan.filter(by: query) { $0.id < $1 } : plan }
      }
      let merged = MergedList(list, ListStore<SoleSection, TestRow>())
      await store.finish()
      async let watchers: [[Int]] = withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { await lastIDs(of: list) }
          group.addTask {
            for await update in merged.updates() where update.snapshot.rowCount == 1 {
              return ids(of: update.snapshot)
            }
            return []
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      await choice.set(true)
      choice.finish()
      for _ in 0..<4 { await Task.yield() }
      await query.set(1)
      query.finish()
      let seen = await watchers
      return seen == [[0], [0], [0], [0]] ? nil : "\(seen)"
    }
  }
}

private func ids(of list: ListSnapshot<some SectionViewModel, TestRow>) -> [Int] { list.allRows.map(\.id) }

/// The ids of the last list of a stream.
private func lastIDs(of list: some LiveList<SoleSection, TestRow>) async -> [Int] {
  var last: [Int] = []
  for await update in list.updates() { last = ids(of: update.snapshot) }
  return last
}

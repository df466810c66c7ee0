#if ROWCAST_HOOKS
  import RowcastModel
  import RowcastSources
  import RowcastStore
  import RowcastSchedules
  import RowcastTesting
  import RowcastViews
  import RowcastTestSupport
  import Testing

  /// The promises of stores, sources and views, under interleavings of every kind, with a task cancelled anywhere.
  @Suite(.watched) struct PromiseTests {
    /// How schedules are chosen.
    struct Way: Sendable, CustomTestStringConvertible {
      let strategy: Schedules.Strategy
      let cancels: Schedules.Cancellation

      var testDescription: String { "\(strategy), cancels: \(cancels)" }

      static let all = [
        Way(strategy: .mixed, cancels: .never), Way(strategy: .priorities(depth: 3), cancels: .never),
        Way(strategy: .mixed, cancels: .anywhere), Way(strategy: .priorities(depth: 3), cancels: .anywhere),
      ]

      /// A million schedules in the long run, over all promises and ways.
      func explore(_ body: @escaping @Sendable (ScheduleRun) async throws -> Void) async throws {
        let count = SeededGenerator.rounds(150, long: 36_000)
        try await Schedules.explore(count, strategy: strategy, cancels: cancels, body)
      }
    }

    /// What a subscriber saw.
    struct Reading: Sendable {
      var follower = Follower()
      var wasCancelled = false
    }

    /// Reads a stream to its end. Folding, gaps, order and emptiness are checked by the follower.
    static func read(
      _ stream: AsyncStream<TestUpdate>, _ run: ScheduleRun, pauses: Int,
      _ answer: @Sendable (TestUpdate) async throws -> Void = { _ in }
    ) async throws -> Reading {
      var reading = Reading()
      var iterator = stream.makeAsyncIterator()
      while true {
        let isOver = Task.isCancelled
        guard let update = await iterator.next() else { break }
        try run.expect(!isOver, "T5: revision \(update.revision) was delivered after cancellation")
        try reading.follower.take(update)
        try await answer(update)
        for _ in 0..<pauses { await Task.yield() }
      }
      reading.wasCancelled = Task.isCancelled
      return reading
    }

    private struct Abort: Error {}

    @Test(arguments: Way.all)
    func `T1 to T6 hold for writers and subscribers in any order`(_ way: Way) async throws {
      try await way.explore { run in
        let store = TestStore()
        try await store.edit { try $0.append(TestSection("a")) }
        let start = await store.revision
        let readers = (0..<2).map { number in
          Task(name: "reader \(number)") { try await Self.read(store.updates(), run, pauses: number) }
        }
        // T6: one edits the store that it reads.
        let editor = Task(name: "editor") {
          try await Self.read(store.updates(), run, pauses: 0) { update in
            guard update.snapshot.rowCount < 3, !Task.isCancelled else { return }
            // After the end of the store it is refused.
            try? await store.edit { list in
              if list.path(ofRow: 100) == nil { try list.append(TestRow(100), to: "a") }
            }
          }
        }
        let writers = (0..<2).map { writer in
          Task(name: "writer \(writer)") {
            for step in 0..<2 {
              // T2: one transaction of each writer throws after its edit.
              try? await store.edit { list in
                try list.append(TestRow(writer * 10 + step), to: "a")
                if step == 1 { throw Abort() }
              }
            }
          }
        }
        for writer in writers { await writer.value }
        await store.finish()
        let (snapshot, revision) = await (store.snapshot, store.revision)
        let ids = Set(snapshot.allRowIDs)
        try run.expect(ids.isSubset(of: [0, 10, 100]), "T2: \(ids)")
        try run.expect(revision - start == ids.count, "T1: revision \(revision) for \(ids.count) changes")
        for reader in readers + [editor] {
          let reading = try await reader.value
          if reading.wasCancelled { continue }
          try run.expect(reading.follower.revision == revision, "T5: ended before the last revision")
          try run.expect(reading.follower.list == NaiveList(snapshot), "T3: the fold is not the list")
        }
      }
    }

    @Test(arguments: Way.all)
    func `V1 holds: what a source sends is applied once and in order, and its end is told`(_ way: Way) async throws {
      try await way.explore { run in
        let store = TestStore()
        try await store.edit { try $0.append(TestSection("a")) }
        let (numbers, source) = AsyncStream.makeStream(of: Int.self)
        let binding = store.attach(numbers) { list, number in try list.append(TestRow(number), to: "a") }
        let reader = Task(name: "reader") { try await Self.read(store.updates(), run, pauses: 0) }
        let sender = Task(name: "sender") {
          for number in 0..<3 {
            source.yield(number)
            await Task.yield()
          }
          source.finish()
        }
        await sender.value
        _ = await binding.outcome
        await store.finish()
        let ids = await store.snapshot.allRowIDs
        try run.expect(ids == Array(0..<ids.count), "V1: \(ids)")
        if case .never = way.cancels { try run.expect(ids == [0, 1, 2], "V1: \(ids)") }
        _ = try await reader.value
      }
    }

    @Test(arguments: Way.all)
    func `V3 holds: a view is what its arrangement makes of the list, also while that changes`(_ way: Way) async throws
    {
      try await way.explore { run in
        let store = TestStore()
        try await store.edit { list in
          try list.append(TestSection("a"))
          for id in 0..<3 { try list.append(TestRow(id), to: "a") }
        }
        let plan = Parameter(
          Arrangement<TestSection, TestRow, TestSection, TestRow>()
            .filter { $0.id % 2 == 0 }.sorted(by: .descending { $0.id }))
        let view = store.arranged(by: plan)
        let readers = (0..<2).map { number in
          Task(name: "reader \(number)") { try await Self.read(view.updates(), run, pauses: number) }
        }
        let writer = Task(name: "writer") {
          for id in 3..<6 { try? await store.edit { try $0.append(TestRow(id), to: "a") } }
        }
        let arranger = Task(name: "arranger") {
          await plan.set(.init().filter { $0.id % 2 == 1 }.sorted(by: .ascending { $0.id }))
        }
        await writer.value
        await arranger.value
        plan.finish()
        await store.finish()
        let all = await store.snapshot.allRowIDs
        let shown = await view.snapshot
        // The schedule may cancel the task of the parameter, too, which has its first value for ever then.
        let (odd, even) = (all.filter { $0 % 2 == 1 }.sorted(), all.filter { $0 % 2 == 0 }.sorted(by: >))
        let ids = shown.allRowIDs
        try run.expect(ids == odd || ids == even, "V3: \(ids) of \(all)")
        if case .never = way.cancels { try run.expect(ids == odd, "V3: \(ids) of \(all)") }
        for reader in readers {
          let reading = try await reader.value
          if reading.wasCancelled { continue }
          try run.expect(reading.follower.list == NaiveList(shown), "V3: a reader ended with another list")
        }
      }
    }
  }

  extension TestSnapshot {
    fileprivate var allRowIDs: [Int] { (0..<sectionCount).flatMap { rows(inSection: $0).map(\.id) } }
  }
#endif

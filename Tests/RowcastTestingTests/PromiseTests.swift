#if ROWCAST_HOOKS
  import RowcastDiff
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
        let count = SeededGenerator.rounds(30, long: 36_000)
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
    func `T1 to T7 hold for writers and subscribers in any order`(_ way: Way) async throws {
      try await way.explore { run in
        let store = TestStore()
        try await store.edit { try $0.append(TestSection("a")) }
        let (start, compared) = (await store.revision, CallCount())
        // As many read as it takes for differences to be shared.
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
            // T7: readers make the differences.
            await TestRow.$onComparison.withValue({ compared.note(()) }) {
              for step in 0..<2 {
                // T2: one transaction of each writer throws after its edit.
                try? await store.edit { list in
                  try list.append(TestRow(writer * 10 + step), to: "a")
                  try list.move(writer * 10 + step, to: 0, in: "a")
                  if step == 1 { throw Abort() }
                }
              }
            }
          }
        }
        for writer in writers { await writer.value }
        await store.finish()
        try run.expect(compared.value == 0, "T7: the writers compared \(compared.value) rows")
        let (snapshot, revision) = await (store.snapshot, store.revision)
        let ids = Set(snapshot.allRows.map(\.id))
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
    func `T4 holds: who reads slowly gets one net update, and nobody waits for that`(_ way: Way) async throws {
      try await way.explore { run in
        let store = TestStore()
        try await store.edit { try $0.append(TestSection("a")) }
        let door = Gate()
        let slow = Task(name: "slow") {
          var stream = store.updates().makeAsyncIterator()
          let first = await stream.next()
          await door.pass()
          return (seen: [first, await stream.next(), await stream.next()], wasCancelled: Task.isCancelled)
        }
        let quick = Task(name: "quick") { try await Self.read(store.updates(), run, pauses: 0) }
        let writers = (0..<2).map { writer in
          Task(name: "writer \(writer)") {
            for step in 0..<2 { try? await store.edit { try $0.append(TestRow(writer * 10 + step), to: "a") } }
          }
        }
        // The slow one sleeps until all others are through: whoever waits for it makes a deadlock.
        for writer in writers { await writer.value }
        await store.finish()
        let newest = await store.revision
        let reading = try await quick.value
        try run.expect(reading.wasCancelled || reading.follower.revision == newest, "T4: the quick one is behind")
        await door.open()
        let (seen, wasCancelled) = await slow.value
        if wasCancelled { return }
        var follower = Follower()
        for update in seen.compactMap(\.self) { try follower.take(update) }
        try run.expect(follower.revision == newest, "T4: revision \(follower.revision ?? -1) of \(newest)")
        try run.expect(seen[2] == nil, "T4: more than one update for what was missed")
      }
    }

    private struct Channel: PhasedSection {
      let id: String
      var phase = SectionPhase.idle
    }

    private struct Broken: Error, CustomStringConvertible { var description: String { "broken" } }

    @Test(arguments: Way.all)
    func `V2 holds: a section's phase is diffed like its rows, and says how its source stands`(_ way: Way) async throws
    {
      try await way.explore { run in
        let store = ListStore<Channel, TestRow>()
        let attempts = CallCount()
        let source = SectionSource<Channel, TestRow>(
          Channel(id: "a"), retrying: .backOff(BackOff(first: .seconds(1), jitter: 0)), clock: run.clock
        ) {
          attempts.note(())
          if attempts.value == 1 { throw Broken() }
          return AsyncStream { answers in
            answers.yield([TestRow(1)])
            answers.yield([TestRow(1), TestRow(2)])
            answers.finish()
          }
        }
        let reader = Task(name: "reader") {
          var fold = NaiveList<Channel, TestRow>()
          var phases: [SectionPhase] = []
          for await update in store.updates() {
            try fold.fold(update.changes, after: update.snapshot)
            try run.expect(fold == NaiveList(update.snapshot), "V2: the fold is not the list")
            guard let part = fold.parts.first else { continue }
            let phase = part.section.phase
            if phases.last != phase { phases.append(phase) }
            if phase == .loaded { try run.expect(!part.rows.isEmpty, "V2: loaded, without rows") }
          }
          return phases
        }
        let bindings = try await store.attach([source])
        for binding in bindings { _ = await binding.outcome }
        // Then no reader has waited for the source.
        if Task.isCancelled { return }
        await store.finish()
        let list = await store.snapshot
        let (phase, ids) = (list.section(at: 0).phase, list.rows(inSection: 0).map(\.id))
        var course: [SectionPhase] = [.loading, .failed(message: "broken", retry: .automatic), .loading, .loaded]
        if case .never = way.cancels {
          try run.expect(phase == .loaded && ids == [1, 2], "V2: \(phase) with \(ids)")
        } else {
          // Who takes a source away leaves no section that seems to load.
          try run.expect(phase == .loaded || phase == .idle, "V2: \(phase) at the end")
          if phase == .idle { course.append(.idle) }
        }
        var rest = course[...]
        for seen in try await reader.value {
          guard let place = rest.firstIndex(of: seen) else {
            throw Mismatch("V2: \(seen), with only \(rest) to come")
          }
          rest = rest[(place + 1)...]
        }
      }
    }

    @Test(arguments: Way.all)
    func `who watches a part of a list sees its last value, whichever task is cancelled`(_ way: Way) async throws {
      try await way.explore { run in
        let store = TestStore(try .of(("a", [1, 2])))
        let watchers = (1...2).map { id in
          Task(name: "watcher \(id)") {
            var last: TestRow?
            for await row in store.row(id).updates() { last = row }
            return (text: last?.text, wasCancelled: Task.isCancelled)
          }
        }
        let writer = Task(name: "writer") {
          for id in [1, 2, 2, 1] { try? await store.edit { try $0.update(id) { $0.text += "new" } } }
        }
        await writer.value
        await store.finish()
        for (id, watcher) in zip(1...2, watchers) {
          let (text, wasCancelled) = await watcher.value
          let newest = await store.snapshot.allRows.first { $0.id == id }?.text
          try run.expect(wasCancelled || text == newest, "row \(id) is \(text ?? "gone"), not \(newest ?? "gone")")
        }
      }
    }

    private typealias Plan = Arrangement<SoleSection, TestRow, SoleSection, TestRow>

    @Test(arguments: Way.all)
    func `T10 holds: readers of lists made of three stores see all of a transaction or nothing`(_ way: Way) async throws
    {
      try await way.explore { run in
        let space = ListSpace()
        let stores = (0..<3).map { _ in space.store(of: TestRow.self) }
        let edit: @Sendable (Int, Bool) async throws -> Void = { number, throwing in
          try await space.edit(stores[0], stores[1], stores[2]) {
            try $0.upsert(TestRow(1, "\(number)"))
            try $1.upsert(TestRow(2, "\(number)"))
            try $2.upsert(TestRow(3, "\(number)"))
            if throwing { throw Abort() }
          }
        }
        try await edit(0, false)
        let merged = MergedList(stores[0], stores[1], stores[2])
        let joined = stores[2].joined(with: stores[0], on: { $0.id - 2 }) {
          TestRow($0.id, "\($0.text) \($1.text)")
        }
        let plan = Parameter(Plan().sorted(by: .descending { $0.id }))
        let choice = Parameter<any LiveList<SoleSection, TestRow>>(stores[0])
        let views: [any LiveList<SoleSection, TestRow>] = [
          merged, joined, MergedList(stores[1], joined.arranged { $0.filter { $0.id > 0 } }),
          merged.arranged(by: plan), MergedList(Switched(choice), stores[1], preferring: .last),
        ]
        let readers = views.enumerated().map { number, view in
          Task(name: "reader \(number)") {
            var last = [0]
            for await update in view.updates() {
              let numbers = update.snapshot.allRows.flatMap { $0.text.split(separator: " ").compactMap { Int($0) } }
              try run.expect(Set(numbers).count == 1 && last[0] <= numbers[0], "T10: \(numbers) after \(last)")
              last = numbers
            }
          }
        }
        // V3: one of the arrangements is exchanged at the same time.
        let arranger = Task(name: "arranger") {
          await plan.set(.init().sorted(by: .ascending { $0.id }))
          await choice.set(joined)
        }
        let writer = Task(name: "writer") {
          for number in 1...3 { try? await edit(number < 3 ? number : 99, number == 3) }
        }
        await writer.value
        await stores[1].finish()
        try? await space.edit(stores[0], stores[2]) {
          try $0.upsert(TestRow(1, "2"))
          try $1.upsert(TestRow(3, "2"))
        }
        let (numbers, revisions) = await (
          merged.snapshot.allRows.map(\.text), [stores[0].revision, stores[1].revision, stores[2].revision]
        )
        try run.expect(Set(numbers).count == 1 && Set(revisions) == [3], "T10: \(numbers) at \(revisions)")
        for store in stores { await store.finish() }
        await arranger.value
        plan.finish()
        choice.finish()
        // The schedule may cancel the task of the parameter, too, which has its first value for ever then.
        let ids = await views[3].snapshot.allRows.map(\.id)
        try run.expect(ids == [1, 2, 3] || ids == [3, 2, 1], "V3: \(ids)")
        if case .never = way.cancels { try run.expect(ids == [1, 2, 3], "V3: \(ids)") }
        for reader in readers { try await reader.value }
      }
    }
  }
#endif

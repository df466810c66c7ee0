#if ROWCAST_HOOKS
  import RowcastDiff
  import RowcastModel
  import RowcastSources
  import RowcastSchedules
  import RowcastStore
  import RowcastTesting
  import RowcastViews
  import RowcastTestSupport
  import Testing

  extension PromiseTests {
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

    /// A row that says for whom it was compared.
    private struct Row: RowViewModel {
      @TaskLocal static var role = ""

      let id: Int
      let comparisons: Recorder

      static func == (lhs: Row, rhs: Row) -> Bool {
        lhs.comparisons.counts[Row.role == "writer" ? 0 : 1].note(lhs.id == rhs.id)
      }
    }

    private struct Recorder: Sendable {
      /// Of writers, and of others.
      let counts = [CallCount(), CallCount()]
    }

    @Test(arguments: Way.all)
    func `T7 holds: differences are made by those who read, and those that are taken are the right ones`(_ way: Way)
      async throws
    {
      try await way.explore { run in
        let comparisons = Recorder()
        let rows = (0..<3).map { Row(id: $0, comparisons: comparisons) }
        let store = ListStore(try ListSnapshot([ListSection(TestSection("a"), rows: rows)]))
        // As many as it takes for differences to be shared, each with a pace of its own.
        let readers = (0..<3).map { pace in
          Task(name: "reader \(pace)") {
            var fold = NaiveList<TestSection, Row>()
            for await update in store.updates() {
              try fold.fold(update.changes, after: update.snapshot)
              try run.expect(fold == NaiveList(update.snapshot), "T7: a difference is not that of its lists")
              for _ in 0..<pace { await Task.yield() }
            }
          }
        }
        let writer = Task(name: "writer") {
          await Row.$role.withValue("writer") {
            for id in 3..<6 {
              try? await store.edit { list in
                try list.append(Row(id: id, comparisons: comparisons), to: "a")
                try list.move(id, to: 0, in: "a")
              }
            }
          }
        }
        await writer.value
        await store.finish()
        for reader in readers { try await reader.value }
        try run.expect(comparisons.counts[0].value == 0, "T7: the writer compared \(comparisons.counts[0].value) rows")
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
        // Then nobody has waited for the source.
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
            throw ScheduleMismatch(description: "V2: \(seen), with only \(rest) to come")
          }
          rest = rest[(place + 1)...]
        }
      }
    }

    private struct ScheduleMismatch: Error { let description: String }

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

    @Test(arguments: Way.all)
    func `M1 holds: a mirror has only states that its writer had, whatever becomes of messages`(_ way: Way) async throws
    {
      try await way.explore { run in
        typealias Message = WireMessage<TestSection, TestRow>
        let store = TestStore(try .of(("a", [])), epoch: "e")
        let mirror = MirroredList<TestSection, TestRow>()
        // Two ways to the mirror: one loses every third message, the other is slow.
        let routes = (0..<2).map { _ in AsyncStream.makeStream(of: Message.self) }
        let sender = Task(name: "sender") {
          var states: [NaiveList<TestSection, TestRow>] = [NaiveList()]
          for await update in store.updates() {
            states.append(NaiveList(update.snapshot))
            for route in routes { route.continuation.yield(Message(update, epoch: store.epoch)) }
          }
          for route in routes { route.continuation.finish() }
          return states
        }
        let carriers = routes.enumerated().map { number, route in
          Task(name: "carrier \(number)") {
            var count = 0
            for await message in route.stream {
              count += 1
              if number == 0, count % 3 == 0 { continue }
              if number == 1 { await Task.yield() }
              try await mirror.receive(message)
            }
          }
        }
        let watcher = Task(name: "watcher") {
          var seen: [NaiveList<TestSection, TestRow>] = []
          for await update in mirror.updates() { seen.append(NaiveList(update.snapshot)) }
          return seen
        }
        let writer = Task(name: "writer") {
          for id in 0..<3 { try? await store.edit { try $0.append(TestRow(id), to: "a") } }
        }
        await writer.value
        await store.finish()
        let states = await sender.value
        for carrier in carriers { try await carrier.value }
        if let message = await store.message(since: mirror.position) { try await mirror.receive(message) }
        let (mirrored, written) = await (mirror.snapshot, store.snapshot)
        try run.expect(mirrored == written, "M1: not equal after a resumption")
        await mirror.store.finish()
        var rest = (states + [NaiveList(written)])[...]
        for list in await watcher.value {
          guard let place = rest.firstIndex(of: list) else {
            throw ScheduleMismatch(description: "M1: \(list) is no state of the writer, or an earlier one")
          }
          rest = rest[place...]
        }
      }
    }
  }
#endif

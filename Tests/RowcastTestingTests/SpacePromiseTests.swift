#if ROWCAST_HOOKS
  import RowcastModel
  import RowcastStore
  import RowcastSchedules
  import RowcastTesting
  import RowcastViews
  import RowcastTestSupport
  import Testing

  extension PromiseTests {
    private typealias Rows = ListStore<SoleSection, TestRow>

    private struct Abort: Error {}

    /// Reads a list whose rows have numbers as their texts, until it ends; checks what `allows` says of the numbers.
    private static func follow(
      _ list: some LiveList<SoleSection, TestRow>, _ run: ScheduleRun, allows: @Sendable ([Int]) -> Bool
    ) async throws {
      var last: [Int] = []
      for await update in list.updates() {
        let numbers = update.snapshot.allRows.flatMap { $0.text.split(separator: " ").compactMap { Int($0) } }
        try run.expect(allows(numbers), "T10: \(numbers) after \(last)")
        try run.expect(last.isEmpty || zip(last, numbers).allSatisfy { $0 <= $1 }, "T10: \(numbers) after \(last)")
        last = numbers
      }
    }

    /// Edits jobs, then retries, again and again, while a join of both is followed: no order of the edits gives old jobs with
    /// new retries.
    private static func editInTurn(_ jobs: Rows, _ retries: Rows, _ run: ScheduleRun) async throws {
      for store in [jobs, retries] { try await store.edit { try $0.upsert(TestRow(1, "0")) } }
      let joined = jobs.joined(withOptional: retries, on: \.id) { TestRow(1, "\($0.text) \($1?.text ?? "0")") }
      let readers = (0..<2).map { number in
        Task(name: "reader \(number)") { try await follow(joined, run) { $0[0] == $0[1] || $0[0] == $0[1] + 1 } }
      }
      let writer = Task(name: "writer") {
        for number in 1...3 {
          for store in [jobs, retries] { try await store.edit { try $0.upsert(TestRow(1, "\(number)")) } }
        }
      }
      _ = await writer.result
      for store in [jobs, retries] { await store.finish() }
      for reader in readers { try await reader.value }
    }

    @Test(arguments: Way.all)
    func `T10 holds: a join of stores of a space shows no state that no order of the edits allows`(_ way: Way)
      async throws
    {
      try await way.explore { run in
        let space = ListSpace()
        try await Self.editInTurn(space.store(of: TestRow.self), space.store(of: TestRow.self), run)
      }
    }

    @Test func `a join of stores of different spaces may show an edit without one that came before it`() async throws {
      let failure = await #expect(throws: ScheduleFailure.self) {
        try await Schedules.explore(10_000) { run in try await Self.editInTurn(Rows(), Rows(), run) }
      }
      guard case .threw(let error)? = failure?.kind else { return #expect(Bool(false), "\(failure as Any)") }
      #expect("\(error)".contains("T10"))
    }

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
        let views: [any LiveList<SoleSection, TestRow>] = [
          merged, joined, MergedList(stores[1], joined.arranged { $0.filter { $0.id > 0 } }),
          merged.arranged { $0.sorted(by: .descending { $0.id }) },
        ]
        let readers = views.enumerated().map { number, view in
          Task(name: "reader \(number)") { try await Self.follow(view, run) { Set($0).count == 1 } }
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
        for reader in readers { try await reader.value }
      }
    }
  }
#endif

import RowcastSchedules
import Testing

#if ROWCAST_HOOKS
  /// The jobs that a model adds to those of an edit, counted by the hooks that schedules use.
  @Suite(.watched) struct ModelJobTests {
    /// Runs edits, each after all that the one before it has caused. Returns the number of jobs.
    private static func jobs(edits: Int, withModel: Bool) async throws -> Int {
      let list = try TestSnapshot.of(("a", [0, 1, 2]))
      let exploration = try await Schedules.explore(1, timers: .whenIdle) { run in
        let store = TestStore(list)
        let model = withModel ? await TestModel(store, startingWith: list) : nil
        for number in 0...edits {
          try await store.edit { try $0.update(1) { $0.text = "\(number)" } }
          // Virtual time passes when no job is ready.
          try await run.clock.sleep(for: .seconds(1))
        }
        let shown = await model?.row(1)?.text
        try run.expect(shown == (withModel ? "\(edits)" : nil), "the model shows \(shown ?? "nothing")")
      }
      return exploration.jobs
    }

    /// On a schedule each way to an actor is a job, too: to the subscription, to the store and back, ten for an update. Elsewhere
    /// these ways are mostly free, and there are three jobs: the one that the store wakes, the main actor's, and the way back.
    @Test func `an update costs a model one job on the main actor, and one way back`() async throws {
      var perEdit: [Int] = []
      for withModel in [false, true] {
        let few = try await Self.jobs(edits: 10, withModel: withModel)
        perEdit.append(try await Self.jobs(edits: 20, withModel: withModel) - few)
      }
      #expect(perEdit[1] - perEdit[0] <= 13 * 10, "\(perEdit) jobs for ten edits, without a model and with one")
    }
  }
#endif

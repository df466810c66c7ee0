#if ROWCAST_HOOKS
  import RowcastTestSupport
  import Testing

  @testable import RowcastSchedules

  /// The trace of a schedule as people read it.
  @Suite(.watched) struct ScheduleStoryTests {
    private static func line(
      _ subject: String, switches isSwitch: Bool = false, _ ran: Set<Int>, wakes: Set<Int> = [], on actor: UInt = 0
    ) -> ScheduleTraceLine {
      var line = ScheduleTraceLine(subject: subject, isSwitch: isSwitch, ran: ran, touched: ran.union(wakes))
      line.woken = wakes.sorted().map { "task \($0)" }
      if actor != 0 { line.actor = (actor, "Cache") }
      return line
    }

    @Test func `each task has a lane from its beginning to its end, and the accesses that cross are marked`() {
      let lines = [
        Self.line("body", [0], wakes: [1, 2]), Self.line("task 1", [1], on: 7),
        Self.line("task 2", switches: true, [2]), Self.line("task 2", [2], on: 8), Self.line("task 2", [2], on: 7),
        Self.line("task 1", [1], on: 7), Self.line("body", [0]),
      ]
      #expect(
        lines.story == """
             1   *      body
                 | | |    wakes task 1, task 2
             2   | * |  task 1   <-- leaves actor Cache to step 5
             3 > | | *  task 2
             4   | | *  task 2
             5   | | *  task 2   <-- finds actor Cache as step 2 left it
             6   | *    task 1
             7   *      body
          """)
    }

    @Test func `an actor that a third task has entered in between is not marked`() {
      var lines = [
        Self.line("task 1", [1], on: 7), Self.line("task 3", [3], on: 7),
        Self.line("task 2", switches: true, [2], on: 7),
        Self.line("task 1", [1], on: 7),
      ]
      #expect(!lines.story.contains("<--"))
      lines.remove(at: 1)
      #expect(lines.story.contains("<-- finds actor Cache as step 1 left it"))
    }

    @Test func `without a switch nothing is marked, and many tasks have no lanes`() {
      let lines = (0..<13).map { Self.line("task \($0)", [$0], on: 7) } + [Self.line("task 0", [0], on: 7)]
      #expect(lines.story.hasPrefix("   1   task 0\n   2   task 1\n"))
      #expect(!lines.story.contains("<--"))
    }
  }
#endif

import RowcastSchedules
import RowcastTestSupport
import Testing

@testable import RowcastConsole

/// The end of an app whose terminal does not read.
@Suite(.watched) struct StuckTerminalTests {
  /// A terminal that takes some frames, three seconds for each, and no more. The app is quit while it takes the first one.
  private final class Stuck: AppTerminal {
    private let frames: AsyncStream<Void>
    private let clock: ScheduleClock
    private(set) var isEntered = false

    init(taking count: Int, by clock: ScheduleClock) {
      self.clock = clock
      let (frames, take) = AsyncStream.makeStream(of: Void.self)
      self.frames = frames
      for _ in 0..<count { take.yield() }
      take.finish()
    }

    var hasKeys: Bool { true }
    var reportedSize: TerminalSize? { TerminalSize(columns: 40, lines: 6) }
    var writer: @Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void {
      { [frames, clock] _, whenWritten in
        for await _ in frames {
          try await clock.sleep(for: .seconds(3))
          return whenWritten()
        }
        for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
        throw CancellationError()
      }
    }

    func enter(usingMouse: Bool, asking questions: String) { isEntered = true }
    func leave() { isEntered = false }

    func listen(_ take: @escaping @Sendable (TerminalInput) -> Void) -> Task<Void, Never> {
      Task {
        take(.identified)
        // The help is one more frame.
        take(.key("?"))
        take(.key("q"))
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  // Virtual time needs hooks.
  @Test(.enabled(if: Schedule.canSettle), arguments: 0...2)
  func `at its end an app waits for at most five seconds, and keeps one of them to restore the terminal`(
    frames: Int
  ) async throws {
    try await Schedules.explore(20, timers: .whenIdle) { run in
      let store = try TestStore.rows(3)
      var app = testApp(store)
      app.terminal = Stuck(taking: frames, by: run.clock)
      let start = run.clock.now
      let ending = try await app.run()
      let time = start.duration(to: run.clock.now)
      try run.expect(ending == .quit && time <= .seconds(4), "\(ending) after \(time)")
      withExtendedLifetime(store) {}
    }
  }
}

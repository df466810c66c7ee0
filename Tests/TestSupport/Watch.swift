private import Dispatch
private import Foundation
private import Synchronization
public import Testing

/// Names the test when its code traps, and stops the process when its code hangs.
///
/// The time limits of Swift Testing cancel a task, which code without an `await` never notices. This one ends the process.
public struct WatchTrait: TestTrait, SuiteTrait, TestScoping {
  /// Applies to each test of a suite.
  public var isRecursive: Bool { true }

  /// Runs a test while it is listed as running.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await function() }
    let name = test.displayName.map { "\($0) (\(test.id))" } ?? "\(test.id)"
    let number = RunningTests.enter(name)
    defer { RunningTests.leave(number) }
    try await function()
  }
}

extension Trait where Self == WatchTrait {
  /// Traps and hangs of the test's code are reported with its name.
  public static var watched: Self { WatchTrait() }
}

/// The tests that run now, by number. The mutex guards the list.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum RunningTests {
  private static let names = Mutex<(next: Int, running: [Int: String])>((0, [:]))

  /// Traps end in one of these signals; which one depends on the processor.
  private static let report: Void = {
    for number in [SIGILL, SIGTRAP] {
      signal(number) { number in
        FileHandle.standardError.write(Data("trapped while running: \(RunningTests.list)\n".utf8))
        signal(number, SIG_DFL)
      }
    }
  }()

  /// A minute is forty times what the slowest test takes; long fuzz runs and sanitizers get more.
  private static let limit = ProcessInfo.processInfo.environment["ROWCAST_LONG"] == "1" ? 7_200 : 180

  static var list: String { names.withLock { $0.running.values.sorted().joined(separator: "; ") } }

  static func enter(_ name: String) -> Int {
    report
    let number = names.withLock { names in
      names.next += 1
      names.running[names.next] = name
      return names.next
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) {
      let isRunning = names.withLock { $0.running[number] != nil }
      precondition(!isRunning, "\(name) still runs after \(limit) s")
    }
    return number
  }

  static func leave(_ number: Int) { names.withLock { _ = $0.running.removeValue(forKey: number) } }
}

/// How changes of files are noticed.
public struct WatchMethod: Sendable {
  /// Waits until it is time to look again; `nil` if the system tells.
  let pause: (@Sendable () async throws -> Void)?

  /// The system tells: inotify on Linux. Where it cannot, files are looked at four times a second.
  ///
  /// What the system does not tell, of files on another machine or in a new directory, is noticed within a second.
  public static let automatic = WatchMethod(pause: nil)

  /// Files are looked at again and again. Works everywhere.
  ///
  /// - Parameters:
  ///   - interval: The time between two looks.
  ///   - clock: What measures it.
  /// - Returns: The method.
  public static func polling(
    every interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> WatchMethod {
    WatchMethod { try await clock.sleep(for: interval.asWait) }
  }
}

#if canImport(RowcastPlatform)
  /// Waits until it is worth while to look at a path again.
  struct PathWaiter {
    private let pause: @Sendable () async throws -> Void
    private var queue: ChangeQueue?

    init(path: String, method: WatchMethod) {
      pause = method.pause ?? { try await ContinuousClock().sleep(for: .milliseconds(250)) }
      queue = method.pause == nil ? ChangeQueue(path: path) : nil
    }

    /// To be called before each look, so that no change after it is missed.
    mutating func prepare() { queue?.rearm() }

    /// Waits. Returns whether something happened at the path; if not, some time has gone by.
    func wait() async throws -> Bool {
      if let queue { return try await queue.wait(atMost: 1_000) }
      try await pause()
      return false
    }
  }
#endif

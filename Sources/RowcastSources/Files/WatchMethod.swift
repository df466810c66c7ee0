/// How changes of files are noticed.
public struct WatchMethod: Sendable {
  /// Waits until it is time to look again; `nil` if the system tells.
  let pause: (@Sendable () async throws -> Void)?

  /// The system tells: inotify on Linux. Where it cannot, files are looked at four times a second.
  ///
  /// What the system keeps to itself, because a file is on another machine or a directory on its path is new, is noticed
  /// within a second.
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

#if canImport(RowcastPlatform)
  /// Waits until it is worth while to look at a path again.
  struct PathWaiter {
    /// Why to look.
    enum Reason {
      /// Something happened at the path.
      case change
      /// Some time has gone by.
      case time
    }

    private let pause: @Sendable () async throws -> Void
    private var queue: ChangeQueue?

    init(path: String, method: WatchMethod) {
      pause = method.pause ?? { try await ContinuousClock().sleep(for: .milliseconds(250)) }
      queue = method.pause == nil ? ChangeQueue(path: path) : nil
    }

    /// To be called before each look, so that no change after it is missed.
    mutating func prepare() { queue?.rearm() }

    /// Waits.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws -> Reason {
      guard let queue else {
        try await pause()
        return .time
      }
      return try await queue.wait(atMost: 1_000) ? .change : .time
    }
  }
#endif

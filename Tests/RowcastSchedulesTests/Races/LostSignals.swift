#if ROWCAST_HOOKS
  /// A waiter is never resumed: the signal, or the cancellation, arrived when there was no waiter to take it.
  extension Race {
    static let lostSignals = [
      Race(
        "a cancellation before the reader waits is forgotten", "apple/swift-async-algorithms#80", "0fda7f3", "de73225"
      ) { isFixed in
        let channel = Channel(isFixed: isFixed)
        let reader = Task { await channel.next() }
        await Task.yield()
        reader.cancel()
        _ = await reader.value
      },
      Race("a new idle timer drops the waiter of the old one", "vapor/postgres-nio#641", "b0bbd59", "820771e") {
        isFixed in
        let pool = IdlePool(isFixed: isFixed)
        await together(
          { await pool.runTimer() },
          {
            await Task.yield()
            await pool.timerFires()
            await pool.shutdown()
          },
          {
            await pause()
            await pool.requestConnection()
          })
      },
      Race(
        "the body's reader asks for more before the writer waits", "hummingbird-project/hummingbird#666", "b1bc64f",
        "c1d1757"
      ) {
        isFixed in
        let body = RequestBody(isFixed: isFixed)
        await together(
          {
            for _ in 0..<3 {
              await body.push()
              await Task.yield()  // the writer looks whether it may continue
              await body.waitForDemand()
            }
          },
          {
            for _ in 0..<3 {
              await pause()
              await body.pop()
            }
          })
      },
    ]
  }

  /// Readers wait under a ticket each.
  private final class Channel: Sendable {
    private let isFixed: Bool
    private let state = Shared((waiting: CheckedContinuation<Int?, Never>?.none, isCancelled: false))

    init(isFixed: Bool) { self.isFixed = isFixed }

    func next() async -> Int? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isCancelled = state.update {
            if !$0.isCancelled { $0.waiting = continuation }
            return $0.isCancelled
          }
          if isCancelled { continuation.resume(returning: nil) }
        }
      } onCancel: {
        let waiting = state.update {
          if isFixed { $0.isCancelled = true }
          return $0.waiting.take()
        }
        waiting?.resume(returning: nil)
      }
    }
  }

  /// A pool with one idle connection. Its timer runs until its token is resumed.
  private actor IdlePool {
    private let isFixed: Bool
    private var token: CheckedContinuation<Void, Never>?
    private var hasRequest = false
    private var isClosed = false
    private var timers: [Task<Void, Never>] = []

    init(isFixed: Bool) { self.isFixed = isFixed }

    func runTimer() async {
      if isClosed || token != nil { return }
      await withCheckedContinuation { token = $0 }
    }

    func requestConnection() { hasRequest = true }

    /// Closes the connection, or gives it a new timer if a request waits for it.
    func timerFires() {
      guard hasRequest else { return close() }
      let old = token
      token = nil
      timers.append(Task { await runTimer() })
      if isFixed { old?.resume() }
    }

    private func close() {
      isClosed = true
      token?.resume()
      token = nil
    }

    func shutdown() async {
      close()
      for timer in timers { await timer.value }
    }
  }

  /// The writer waits for demand after each chunk, in a second call.
  private actor RequestBody {
    private let isFixed: Bool
    private var chunks = 0
    private var isDemanded = false
    private var writer: CheckedContinuation<Void, Never>?
    private var reader: CheckedContinuation<Void, Never>?

    init(isFixed: Bool) { self.isFixed = isFixed }

    func push() {
      chunks += 1
      isDemanded = false
      reader.take()?.resume()
    }

    func waitForDemand() async {
      if isFixed, isDemanded { return }
      await withCheckedContinuation { writer = $0 }
    }

    func pop() async {
      if chunks == 0 { await withCheckedContinuation { reader = $0 } }
      chunks -= 1
      isDemanded = true
      writer.take()?.resume()
    }
  }
#endif

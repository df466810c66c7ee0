#if ROWCAST_HOOKS
  /// A waiter is never resumed: the signal, or the cancellation, came when nobody was there to take it.
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
      Race(
        "cancelling the consumer does not reach the inner sequence", "sideeffect-io/AsyncExtensions#20", "2f596e1",
        "a5bf1be"
      ) { isFixed in
        let latest = SwitchToLatest(isFixed: isFixed)
        let consumer = Task { await latest.next() }
        await Task.yield()
        consumer.cancel()
        await consumer.value
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
      Race("an image task that is cancelled before it starts never ends", "kean/Nuke#671", "563a49c", "57a54a6") {
        isFixed in
        let pipeline = Pipeline(isFixed: isFixed)
        let image = Task { await pipeline.image() }
        await Task.yield()
        image.cancel()
        await image.value
      },
      Race("closing a channel drops the requests in its queue", "grpc/grpc-swift#1942", "cd00d5c", "a7d3af6") {
        isFixed in
        let channel = RequestChannel(isFixed: isFixed)
        await together(
          { await channel.request() }, { await channel.becomeReady() },
          {
            await pause()
            await channel.close()
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
              await Task.yield()  // the writer looks whether it may go on
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
      Race("the value of a disposed subscription never comes", "ReactiveX/RxSwift#2427", "a5fb580", "d2ca6ab") {
        isFixed in
        let single = Single(isFixed: isFixed)
        let value = Task { await single.value() }
        await pause(2)
        value.cancel()
        await value.value
      },
      Race("a cancellation before the download is known is lost", "onevcat/Kingfisher#2526", "b9b2f12", "b9ab448") {
        isFixed in
        let holder = DownloadHolder(isFixed: isFixed)
        let image = Task {
          await withTaskCancellationHandler {
            let download = Task { await waitForCancellation() }
            Task { await holder.set(download) }
            await download.value
          } onCancel: {
            Task { await holder.cancel() }
          }
        }
        await Task.yield()
        image.cancel()
        await image.value
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

  /// An outer task that makes an inner one; the consumer waits for both.
  private final class SwitchToLatest: Sendable {
    private let isFixed: Bool
    private let state = Shared((inner: Task<Void, Never>?.none, isCancelled: false))

    init(isFixed: Bool) { self.isFixed = isFixed }

    func next() async {
      let outer = Task { makeInner() }
      await withTaskCancellationHandler {
        await outer.value?.value
      } onCancel: {
        outer.cancel()
        let inner = state.update {
          $0.isCancelled = true
          return $0.inner
        }
        if isFixed { inner?.cancel() }
      }
    }

    private func makeInner() -> Task<Void, Never>? {
      state.update {
        guard !$0.isCancelled else { return nil }
        let inner = Task { await waitForCancellation() }
        $0.inner = inner
        return inner
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

    /// Closes the connection, or gives it a new timer if somebody waits for it.
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

  /// Starts the tasks of images in its own order; they are cancelled at once.
  private actor Pipeline {
    private let isFixed: Bool
    private let state = Shared((waiting: CheckedContinuation<Void, Never>?.none, isCancelled: false))

    init(isFixed: Bool) { self.isFixed = isFixed }

    nonisolated func image() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          if !isFixed { state.update { $0.waiting = continuation } }
          Task { await start(continuation) }
        }
      } onCancel: {
        state.update {
          $0.isCancelled = true
          return $0.waiting.take()
        }?.resume()
      }
    }

    private func start(_ continuation: CheckedContinuation<Void, Never>) {
      let isCancelled = state.update {
        if isFixed, !$0.isCancelled { $0.waiting = continuation }
        return $0.isCancelled
      }
      if !isCancelled {
        state.update { $0.waiting.take() }?.resume()
      } else if isFixed {
        continuation.resume()
      }
    }
  }

  /// Requests wait until the connection is ready.
  private actor RequestChannel {
    private let isFixed: Bool
    private var isOpen = false
    private var isClosed = false
    private var queue: [CheckedContinuation<Void, Never>] = []

    init(isFixed: Bool) { self.isFixed = isFixed }

    func request() async {
      if isOpen || isClosed { return }
      await withCheckedContinuation { queue.append($0) }
    }

    func becomeReady() async {
      await Task.yield()
      isOpen = true
      resumeAll()
    }

    func close() {
      isClosed = true
      if isFixed { resumeAll() }
      queue = []
    }

    private func resumeAll() {
      for continuation in queue { continuation.resume() }
      queue = []
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

  /// A source of one event, which comes unless the subscription is disposed of.
  private final class Single: Sendable {
    private let isFixed: Bool
    private let state = Shared((waiting: CheckedContinuation<Void, Never>?.none, isDisposed: false))

    init(isFixed: Bool) { self.isFixed = isFixed }

    func value() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          state.update { $0.waiting = continuation }
          if isFixed, state.value.isDisposed { resume() }
          Task {
            await Task.yield()
            if !state.value.isDisposed { resume() }
          }
        }
      } onCancel: {
        state.update { $0.isDisposed = true }
        if isFixed { resume() }
      }
    }

    private func resume() {
      state.update { $0.waiting.take() }?.resume()
    }
  }

  private actor DownloadHolder {
    private let isFixed: Bool
    private var download: Task<Void, Never>?
    private var isCancelled = false

    init(isFixed: Bool) { self.isFixed = isFixed }

    func set(_ download: Task<Void, Never>) {
      self.download = download
      if isFixed, isCancelled { download.cancel() }
    }

    func cancel() {
      isCancelled = true
      download?.cancel()
    }
  }
#endif

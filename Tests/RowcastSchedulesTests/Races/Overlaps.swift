#if ROWCAST_HOOKS
  /// Something overtakes, or runs beside, what it must follow.
  extension Race {
    static let overlaps = [
      Race(
        "a third writer enters while the lock is handed over", "apollographql/apollo-ios-dev#862", "889a778", "2d4196d"
      ) {
        isFixed in
        let lock = HandOverLock(isFixed: isFixed)
        let inside = Occupancy()
        await together({ await lock.write(inside) }, { await lock.write(inside) }, { await lock.write(inside) })
        try check(inside.most == 1, "\(inside.most) writers at once")
      },
      Race("a cancelled block lets the next one start too early", "livekit/client-sdk-swift#804", "79fcd40", "3323ba3")
      {
        isFixed in
        let runner = SerialRunner(isFixed: isFixed)
        let inside = Occupancy()
        let first = Task { await runner.run { await inside.stay() } }
        let second = Task { await runner.run { await inside.stay() } }
        await Task.yield()
        second.cancel()
        await runner.run { await inside.stay() }
        _ = await (first.value, second.value)
        try check(inside.most == 1, "\(inside.most) blocks at once")
      },
      Race("a buffered write overtakes one that is on its way", "apple/swift-nio#2587", "23977a9", "035141d") {
        isFixed in
        let writer = Writer(isFixed: isFixed)
        let loop = Task { await writer.runLoop() }
        for number in 1...4 {
          writer.write(number)
          await Task.yield()
        }
        let written = await loop.value
        try check(written == [1, 2, 3, 4], "written: \(written)")
      },
      Race(
        "a connection that was accepted is never closed", "awslabs/swift-aws-lambda-runtime#635", "102f92a", "4815273"
      ) {
        isFixed in
        let server = LocalServer(isFixed: isFixed)
        let loop = Task { await server.serve() }
        let clients = Task { for _ in 0..<2 { await server.accept() } }
        await pause(2)
        loop.cancel()
        await clients.value
        await loop.value
        await server.end()
        let open = server.open.value
        try check(open == 0, "\(open) connections are left open")
      },
    ]
  }

  private actor HandOverLock {
    private let isFixed: Bool
    private var isWriting = false
    private var queue: [CheckedContinuation<Void, Never>] = []

    init(isFixed: Bool) { self.isFixed = isFixed }

    func write(_ inside: Occupancy) async {
      if isWriting { await withCheckedContinuation { queue.append($0) } }
      isWriting = true
      await inside.stay()
      guard let next = queue.first else { return isWriting = false }
      queue.removeFirst()
      if !isFixed { isWriting = false }
      next.resume()
    }
  }

  /// Each block waits for the one before.
  private actor SerialRunner {
    private let isFixed: Bool
    private var previous: Task<Void, Never>?

    init(isFixed: Bool) { self.isFixed = isFixed }

    func run(_ block: @escaping @Sendable () async -> Void) async {
      let task = Task { [previous, isFixed] in
        if isFixed || !Task.isCancelled { await previous?.value }
        if !Task.isCancelled { await block() }
      }
      previous = task
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Writes go to the loop, or to a buffer while the socket takes nothing.
  private final class Writer: Sendable {
    private let isFixed: Bool
    private let inbox = AsyncStream<Int>.makeStream()
    private let state = Shared((isWritable: true, buffer: [Int]()))

    init(isFixed: Bool) { self.isFixed = isFixed }

    func write(_ number: Int) {
      state.update {
        if $0.isWritable { _ = inbox.continuation.yield(number) } else { $0.buffer.append(number) }
      }
    }

    func runLoop() async -> [Int] {
      var written: [Int] = []
      var numbers = inbox.stream.makeAsyncIterator()
      while written.count < 4, let number = await numbers.next() {
        written.append(number)
        state.update { $0.isWritable = false }
        await Task.yield()  // the socket is full
        written += becomeWritable()
      }
      return written
    }

    /// Returns the numbers to write at once.
    private func becomeWritable() -> [Int] {
      state.update { state in
        defer { state = (isWritable: true, buffer: []) }
        guard isFixed else { return state.buffer }
        for number in state.buffer { inbox.continuation.yield(number) }
        return []
      }
    }
  }

  /// Accepted connections go through a stream to the loop that serves them; in the fixed form each has a task.
  private final class LocalServer: Sendable {
    private let isFixed: Bool
    private let accepted = AsyncStream<Void>.makeStream()
    private let tasks = Shared([Task<Void, Never>]())
    /// The number of connections left open.
    let open = Shared(0)

    init(isFixed: Bool) { self.isFixed = isFixed }

    func accept() async {
      open.update { $0 += 1 }
      if isFixed {
        let task = Task { await handle() }
        tasks.update { $0.append(task) }
      } else {
        accepted.continuation.yield()
      }
      await Task.yield()
    }

    func serve() async {
      for await _ in accepted.stream { await handle() }
    }

    private func handle() async {
      await Task.yield()
      open.update { $0 -= 1 }
    }

    func end() async {
      for task in tasks.value { await task.value }
    }
  }
#endif

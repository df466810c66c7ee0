#if ROWCAST_HOOKS
  /// Somebody acts on what was true before it waited.
  extension Race {
    static let staleState = [
      Race(
        "a request that is late in its queue fails twice", "swift-server/async-http-client#666", "f65f45b", "aa66da8"
      ) { isFixed in
        let transaction = Transaction(isFixed: isFixed)
        await together(
          {
            await Task.yield()
            transaction.deadline()
          },
          { transaction.willExecute() },
          {
            await pause(2)
            transaction.fail()
          })
        let count = transaction.resumptions.value
        try check(count == 1, "the continuation is resumed \(count) times")
      },
      Race("a cancelled access that has ended cancels the next one", "groue/GRDB.swift#1797", "c5283a0", "2151283") {
        isFixed in
        let database = Database(isFixed: isFixed)
        let first = Task { await database.access() }
        let second = Task { await database.access() }
        await Task.yield()
        first.cancel()
        _ = await first.value
        let isComplete = await second.value
        try check(isComplete, "the other access is cancelled")
      },
      Race(
        "the late end of an old channel ends the new one", "awslabs/swift-aws-lambda-runtime#624", "34e89b4", "102f92a"
      ) {
        isFixed in
        let client = RuntimeClient(isFixed: isFixed)
        await together({ await client.reconnect() }, { await client.reconnect() })
        await client.end()
        let isConnected = await client.isConnected
        try check(isConnected, "the new channel is lost")
      },
    ]
  }

  /// A request in the queue of a pool. Its deadline, its turn and the failure of the pool happen in any order.
  private final class Transaction: Sendable {
    private enum State { case queued, late, executing, finished }

    private let isFixed: Bool
    private let state = Shared(State.queued)
    let resumptions = Resumptions(0)

    init(isFixed: Bool) { self.isFixed = isFixed }

    func deadline() {
      state.update { if $0 == .queued { $0 = .late } }
    }

    func willExecute() {
      let old = state.update { state in
        defer {
          switch state {
          case .queued: state = .executing
          case .late where isFixed: state = .finished
          default: break
          }
        }
        return state
      }
      if old == .late { resumptions.update { $0 += 1 } }
    }

    func fail() {
      let old = state.update { state in
        defer { state = .finished }
        return state
      }
      if old != .finished { resumptions.update { $0 += 1 } }
    }
  }

  /// A connection that runs one access at a time. Its cancellation is a flag that the next statement looks at.
  private actor Database {
    private let isFixed: Bool
    private let isInterrupted = Shared(false)

    init(isFixed: Bool) { self.isFixed = isFixed }

    /// Returns `false` if it was interrupted.
    nonisolated func access() async -> Bool {
      let isRunning = Shared(false)
      return await withTaskCancellationHandler {
        await run(isRunning)
      } onCancel: {
        if isRunning.value { isInterrupted.update { $0 = true } }
      }
    }

    private func run(_ isRunning: Shared<Bool>) -> Bool {
      isRunning.update { $0 = true }
      defer {
        if isFixed { isRunning.update { $0 = false } }
        isInterrupted.update { $0 = false }
      }
      return !isInterrupted.value
    }
  }

  private actor RuntimeClient {
    private let isFixed: Bool
    private var channel = 0
    private var endings: [Task<Void, Never>] = []
    private(set) var isConnected = false

    init(isFixed: Bool) { self.isFixed = isFixed }

    func reconnect() async {
      let old = channel
      if isConnected { endings.append(Task { await close(old) }) }
      await Task.yield()
      channel += 1
      isConnected = true
    }

    private func close(_ number: Int) async {
      await Task.yield()  // the network
      if isFixed, number != channel { return }
      isConnected = false
    }

    func end() async {
      for ending in endings { await ending.value }
    }
  }
#endif

#if ROWCAST_HOOKS
  /// Something happens twice: two tasks each find that it has not happened yet.
  extension Race {
    static let doubleWork = [
      Race(
        "a request is resumed by its failed send and by the end", "modelcontextprotocol/swift-sdk#113", "87f33d0",
        "fec680a"
      ) {
        isFixed in
        let client = Client(isFixed: isFixed)
        async let request: Void = client.send()
        await client.disconnect()
        await request
        let count = client.resumptions.value
        try check(count == 1, "the continuation is resumed \(count) times")
      },
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
      Race("a file is indexed by two tasks", "swiftlang/sourcekit-lsp#2013", "0cb7c82", "1a32c4a") { isFixed in
        let manager = IndexManager(isFixed: isFixed)
        await together(
          { await manager.index("a") },
          {
            await pause()
            await manager.index("a")
          })
        let count = await manager.taskCount
        try check(count == 1, "\(count) tasks index the file")
      },
      Race("one index shows two progress reports", "swiftlang/sourcekit-lsp#1333", "814f3c5", "328a02a") { isFixed in
        let manager = ProgressManager(isFixed: isFixed)
        await manager.statusDidChange()
        await pause()
        await manager.statusDidChange()
        await manager.end()
        let count = await manager.reportCount
        try check(count == 1, "\(count) reports")
      },
      Race(
        "a sequence that is cancelled before its first element traps", "apple/swift-async-algorithms#250", "bf0ec24",
        "ca2ac60"
      ) {
        isFixed in
        let merge = Merge(isFixed: isFixed)
        let reader = Task { await merge.next() }
        await Task.yield()
        reader.cancel()
        await reader.value
        try check(!merge.isInconsistent.value, "cancelled in the initial state")
      },
      Race("a client that disconnects is connected again", "supabase/supabase-swift#866", "221c7bf", "1266707") {
        isFixed in
        let client = RealtimeClient(isFixed: isFixed)
        await client.connectionIsLost()
        await pause()
        await client.disconnect()
        await client.end()
        let isConnected = await client.isConnected
        try check(!isConnected, "connected after the end")
      },
    ]
  }

  private actor Client {
    private let isFixed: Bool
    private var isPending = false
    let resumptions = Resumptions(0)

    init(isFixed: Bool) { self.isFixed = isFixed }

    func send() async {
      isPending = true
      await Task.yield()  // the transport, which fails
      let wasPending = isPending
      isPending = false
      if wasPending || !isFixed { resumptions.update { $0 += 1 } }
    }

    func disconnect() {
      if isPending { resumptions.update { $0 += 1 } }
      isPending = false
    }
  }

  /// A request in the queue of a pool. Its deadline, its turn and the failure of the pool come in any order.
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

  private actor IndexManager {
    private let isFixed: Bool
    private var inProgress: Set<String> = []
    private(set) var taskCount = 0

    init(isFixed: Bool) { self.isFixed = isFixed }

    func index(_ file: String) async {
      if inProgress.contains(file) { return }
      if isFixed { inProgress.insert(file) }
      await Task.yield()  // the build system is asked for the target
      inProgress.insert(file)
      taskCount += 1
    }
  }

  /// Events come in tasks of their own; the fixed form handles one after the other.
  private actor ProgressManager {
    private let isFixed: Bool
    private var latest: Task<Void, Never>?
    private var tasks: [Task<Void, Never>] = []
    private var hasReport = false
    private(set) var reportCount = 0

    init(isFixed: Bool) { self.isFixed = isFixed }

    func statusDidChange() {
      let task = Task { [latest] in
        if isFixed { await latest?.value }
        await update()
      }
      latest = task
      tasks.append(task)
    }

    private func update() async {
      if hasReport { return }
      await Task.yield()  // the editor makes a token
      hasReport = true
      reportCount += 1
    }

    func end() async {
      for task in tasks { await task.value }
    }
  }

  /// The state machine starts with the first demand. A cancellation in its initial state was thought impossible.
  private final class Merge: Sendable {
    private let isFixed: Bool
    private let hasStarted = Shared(false)
    let isInconsistent = Shared(false)

    init(isFixed: Bool) { self.isFixed = isFixed }

    func next() async {
      await withTaskCancellationHandler {
        hasStarted.update { $0 = true }
        await waitForCancellation()
      } onCancel: {
        if !isFixed, !hasStarted.value { isInconsistent.update { $0 = true } }
      }
    }
  }

  private actor RealtimeClient {
    private let isFixed: Bool
    private var reconnection: Task<Void, Never>?
    private(set) var isConnected = true

    init(isFixed: Bool) { self.isFixed = isFixed }

    func connectionIsLost() {
      isConnected = false
      reconnection = Task {
        await Task.yield()  // the delay
        if isFixed, Task.isCancelled { return }
        isConnected = true
      }
    }

    func disconnect() {
      reconnection?.cancel()
      isConnected = false
    }

    func end() async { await reconnection?.value }
  }
#endif

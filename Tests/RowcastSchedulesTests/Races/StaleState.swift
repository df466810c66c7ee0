#if ROWCAST_HOOKS
  /// Somebody acts on what was true before it waited.
  extension Race {
    static let staleState = [
      Race("a cache keeps what was found before it was emptied", "swiftlang/sourcekit-lsp#1170", "0de726d", "a6f74fc") {
        isFixed in
        let server = LanguageServer(isFixed: isFixed)
        await together(
          { _ = await server.workspace(of: "a") },
          {
            await pause()
            await server.setWorkspace("new")
          })
        let found = await server.workspace(of: "a")
        try check(found == "new", "the file is in workspace \(found)")
      },
      Race("a reason is removed before it is told", "swiftlang/swift-tools-protocols#45", "bd52b89", "b4ffc1d") {
        isFixed in
        let handler = MessageHandler(isFixed: isFixed)
        let request = await handler.start()
        await Task.yield()
        await handler.cancel(because: "the document is closed")
        await request.value
        let answer = await handler.answer()
        try check(answer != "cancelled", "the reason is lost")
      },
      Race("a load that was replaced delivers its image", "kean/Nuke@dc56dfd", "08e6441", "dc56dfd") { isFixed in
        let view = FetchImage(isFixed: isFixed)
        await view.load(1)
        await view.load(2)
        await view.end()
        let image = await view.image
        try check(image == 2, "image \(image) is shown")
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

  private actor LanguageServer {
    private let isFixed: Bool
    private var workspace = "old"
    private var version = 0
    private var cache: [String: String] = [:]

    init(isFixed: Bool) { self.isFixed = isFixed }

    func setWorkspace(_ name: String) {
      workspace = name
      version += 1
      cache = [:]
    }

    func workspace(of file: String) async -> String {
      if let known = cache[file] { return known }
      let (found, before) = (workspace, version)
      await Task.yield()  // the build system is asked for the file
      if isFixed, before != version { return await workspace(of: file) }
      cache[file] = found
      return found
    }
  }

  private actor MessageHandler {
    private let isFixed: Bool
    private var task: Task<Void, Never>?
    private var reason: String?
    private let reply = Shared(Task<String, Never>?.none)

    init(isFixed: Bool) { self.isFixed = isFixed }

    func start() -> Task<Void, Never> {
      let task = Task { [self] in await handle() }
      self.task = task
      return task
    }

    private nonisolated func handle() async {
      await Task.yield()
      if Task.isCancelled {
        let known: String? = if isFixed { await refusal } else { nil }
        reply.update { $0 = Task { if let known { known } else { await refusal } } }
      }
      await finish()
    }

    private var refusal: String { reason ?? "cancelled" }

    private func finish() {
      reason = nil
      task = nil
    }

    func cancel(because reason: String) {
      guard let task else { return }
      self.reason = reason
      task.cancel()
    }

    nonisolated func answer() async -> String { await reply.value?.value ?? "done" }
  }

  /// Loads do not stop when they are cancelled.
  private actor FetchImage {
    private let isFixed: Bool
    private var generation = 0
    private var loads: [Task<Void, Never>] = []
    private(set) var image = 0

    init(isFixed: Bool) { self.isFixed = isFixed }

    func load(_ number: Int) {
      loads.last?.cancel()
      generation += 1
      loads.append(Task { [generation] in await show(number, generation) })
    }

    private func show(_ number: Int, _ started: Int) async {
      await Task.yield()  // the network
      if isFixed, started != generation { return }
      image = number
    }

    func end() async {
      for load in loads { await load.value }
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

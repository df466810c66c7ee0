/// A section of a list that has a mirror, and shows its phase.
struct PagedSection: WireSection, PhasedSection, Hashable {
  struct Content: Codable, Hashable, Sendable { var phase = SectionPhase.idle }

  let id: String
  var content = Content()

  var phase: SectionPhase {
    get { content.phase }
    set { content.phase = newValue }
  }
}

extension PagingModel.Fault {
  /// What is thrown for it by a server.
  var thrown: any Error { self == .cancelled ? CancellationError() : self }
}

/// A server of pages, which does what it is told: each load waits for commands.
actor PageDesk {
  typealias Pages = Paging<PagedSection, TestRow, String, Int>
  typealias Model = PagingModel

  enum Command: Sendable {
    case ask(Model.Caller, Model.Kind, isAwaited: Bool)
    case answer(Model.Answer)
  }

  private struct Load {
    let request: Model.Request
    var commands: [Command] = []
    var waiting: CheckedContinuation<Command, Never>?
  }

  /// The call that a load is made for.
  @TaskLocal private static var caller = Model.Caller(id: -1, isDeaf: false)

  private var paging: Pages?
  private var counts: [Int: Int] = [:]
  private var open: [Model.LoadKey: Load] = [:]
  private(set) var done: Set<Int> = []

  var loads: [Model.LoadKey: Model.Request] { open.mapValues(\.request) }

  func set(_ paging: Pages?) { self.paging = paging }

  /// Asks the paging for a page, and notes when that returns.
  nonisolated func call(_ caller: Model.Caller, _ kind: Model.Kind) async {
    let paging = await paging
    await Self.$caller.withValue(caller) {
      switch kind {
      case .demand: await paging?.demand()
      case .reload: await paging?.reload()
      case .change(let query): await paging?.change(to: query)
      }
    }
    await note(caller.id)
  }

  private func note(_ id: Int) { done.insert(id) }

  /// Tells a load what to do next, unless it has ended.
  func tell(_ key: Model.LoadKey, _ command: Command) {
    if let waiting = open[key]?.waiting {
      open[key]?.waiting = nil
      waiting.resume(returning: command)
    } else {
      open[key]?.commands.append(command)
    }
  }

  nonisolated func load(_ query: String, _ cursor: Int?) async throws -> Pages.Page {
    let caller = Self.caller
    let key = await begin(caller.id, Model.Request(query: query, cursor: cursor))
    while true {
      let command =
        if caller.isDeaf {
          await next(key)
        } else {
          await withTaskCancellationHandler {
            await next(key)
          } onCancel: {
            Task { await tell(key, .answer(.failure(.cancelled))) }
          }
        }
      switch command {
      case .ask(let caller, let kind, true): await call(caller, kind)
      case .ask(let caller, let kind, false): Task { await call(caller, kind) }
      case .answer(let answer):
        await end(key)
        switch answer {
        case .success(let page): return Pages.Page(rows: page.rows, next: page.next)
        case .failure(let fault): throw fault.thrown
        }
      }
    }
  }

  private func begin(_ caller: Int, _ request: Model.Request) -> Model.LoadKey {
    let key = Model.LoadKey(caller: caller, number: counts[caller, default: 0])
    counts[caller, default: 0] += 1
    open[key] = Load(request: request)
    return key
  }

  private func next(_ key: Model.LoadKey) async -> Command {
    if let first = open[key]?.commands.first {
      open[key]?.commands.removeFirst()
      return first
    }
    return await withCheckedContinuation { open[key]?.waiting = $0 }
  }

  private func end(_ key: Model.LoadKey) { open[key] = nil }
}

/// A server of events, to which a source connects, as often as it does.
actor LineDesk<Event: Sendable> {
  typealias Events = AsyncThrowingStream<Event, any Error>

  private var asking: CheckedContinuation<Events, any Error>?
  private var isCancelled = false
  private var stream: Events.Continuation?

  /// True if a connection is asked for.
  var asks: Bool { asking != nil }

  nonisolated func connect() async throws -> Events {
    try await withTaskCancellationHandler {
      try await ask()
    } onCancel: {
      Task { await cancel() }
    }
  }

  private func ask() async throws -> Events {
    if isCancelled { throw CancellationError() }
    return try await withCheckedThrowingContinuation { asking = $0 }
  }

  private func cancel() {
    isCancelled = true
    refuse(CancellationError())
  }

  func accept() {
    guard let asking else { return }
    let (events, stream) = Events.makeStream()
    (self.asking, self.stream) = (nil, stream)
    asking.resume(returning: events)
  }

  func refuse(_ error: any Error) {
    asking?.resume(throwing: error)
    asking = nil
  }

  func send(_ event: Event) { stream?.yield(event) }

  func finish(_ error: (any Error)?) { stream?.finish(throwing: error) }
}

import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// A chat: the conversation, in which a person can take part, continues below. Earlier messages are loaded above when the
  /// person scrolls there.
  func prepareChat() -> PreparedScenario {
    var run = self
    let shown = OptimisticList(store)
    if hasKeys { run.arranged = shown }
    let chat = Chat(run)
    var scenario = showing { try await chat.run() }
    let loader = chat.loader
    scenario.table.cells = { ChatCells(loader: loader).registry }
    scenario.table.followsTail = true
    scenario.table.showsArrivalsAtTop = false
    scenario.table.workingRange = 2
    scenario.tableWork = loader.deliveries
    // With keys, history is loaded when a person scrolls to it; without, the script loads it.
    if hasKeys {
      scenario.onEvent = { if case .reachedStart = $0 { await chat.loadPage() } }
      scenario.updates = { shown.updates() }
      scenario.arranges = true
      (scenario.list, scenario.pending) = (shown, shown.pending)
      let delay = Duration.milliseconds(500) / (options.speed ?? 1)
      let writer = ChatWriter(shown, in: store, delay: delay, seed: options.seed)
      (scenario.commands, scenario.undo) = (writer.commands, writer)
    }
    return scenario
  }
}

/// The conversation at work.
actor Chat {
  nonisolated let loader = ImageLoader()
  private let run: ScenarioRun
  private let script: ChatScript
  private var pages = 0

  init(_ run: ScenarioRun) {
    self.run = run
    script = ChatScript(seed: run.options.seed)
  }

  /// Shows the newest page, then new messages, until the conversation is over; with keys, until the person quits.
  func run() async throws {
    let delay = Duration.milliseconds(900) / (run.options.speed ?? 1)
    let loading = Task { [loader] in await loader.run(delay: delay) }
    defer { loading.cancel() }
    try await begin()
    let events = ChatEvents(steps: steps, speed: run.options.speed ?? (run.options.lockstep ? nil : 1))
    try await run.attach(events) { _, _ in
      .stop
    } apply: { list, event in
      try event.apply(to: &list)
    }
    // There is still history to look at.
    if run.hasKeys { for await _ in AsyncStream<Never>.makeStream().stream {} }
    let (shown, dropped) = await loader.finalCounts()
    await run.diagnostics.say("images: \(shown) shown, \(dropped) arrived too late for their cell")
  }

  /// The events: new messages, and without keys, a page of the history now and then.
  private var steps: [ChatScript.Step] {
    guard !run.hasKeys else { return script.steps }
    let pages = (1..<script.history.count).map { page in
      (time: Duration.milliseconds(1_500 * page), event: script.event(page: page))
    }
    return (script.steps + pages).sorted { $0.time < $1.time }
  }

  private func begin() async throws {
    let page = script.event(page: 0)
    pages = 1
    try await run.store.edit { list in
      try list.append(Group(id: ChatScript.section, title: "Chat"))
      try page.apply(to: &list)
    }
    await run.pacer.settle(at: await run.store.revision)
  }

  /// Loads earlier messages, if there are any.
  func loadPage() async {
    guard pages > 0, pages < script.history.count else { return }
    let event = script.event(page: pages)
    pages += 1
    // A finished store stays as it is.
    try? await run.store.edit { list in try event.apply(to: &list) }
  }
}

/// The events of a script, each at its time.
struct ChatEvents: AsyncSequence, Sendable {
  let steps: [ChatScript.Step]
  /// How much faster than life time passes; `nil` for as fast as possible.
  let speed: Double?

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<ChatScript.Step>
    let speed: Double?
    let start = ContinuousClock.now

    mutating func next() async throws -> Event? {
      guard let step = rest.popFirst() else { return nil }
      if let speed { try await Task.sleep(until: start.advanced(by: step.time / speed)) }
      return step.event
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: steps[...], speed: speed) }
}

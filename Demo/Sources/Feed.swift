import Rowcast
import RowcastConsole
import RowcastDemoTurns

/// Several simulated sources, each in a task of its own, feeding one list.
struct Feed: Sendable {
  let run: ScenarioRun
  private let scripts: [FeedScript]
  private let turnstile: Turnstile

  init(_ run: ScenarioRun) {
    self.run = run
    scripts = FeedScript.all(seed: run.options.seed)
    // In lockstep events follow each other as fast as they are shown, unless a speed is asked for.
    turnstile = Turnstile(
      participants: scripts.indices, speed: run.options.speed ?? (run.options.lockstep ? nil : 1))
  }

  /// Feeds the store until all sources are over.
  func run() async {
    var sections = scripts.map { Group(id: $0.name, title: $0.title) }
    sections.append(Group(id: "history", title: "Finished builds"))
    do {
      try await run.store.edit { [sections] list in
        // An archive has them from its first run on.
        for section in sections where list.index(ofSection: section.id) == nil { try list.append(section) }
      }
      await run.pacer.settle(at: await run.shown.revision)
      let bindings = try await run.store.attach(scripts.indices.map(source))
      await run.follow(zip(scripts.map(\.title), bindings).map { (name: $0, binding: $1) })
    } catch {
      // The store is finished: the session is over.
    }
  }

  /// One simulated source, with its own server and a rule for what follows when that fails.
  private func source(_ index: Int) -> SectionSource<Group, Item> {
    let script = scripts[index]
    let server = FeedServer(script.steps, source: index, turnstile: turnstile)
    let (shown, pacer, diagnostics, undo) = (run.shown, run.pacer, run.diagnostics, run.undo)
    let rule = BackOff(first: .milliseconds(1_500), jitter: 0.2, using: SplitMix64(seed: run.options.seed))
    return SectionSource(
      Group(id: script.name, title: script.title), retrying: .backOff(rule),
      clock: TurnstileClock(turnstile: turnstile, source: index) { await pacer.settle(at: await shown.revision) }
    ) {
      Paced(base: FeedEvents(server: server), shown: shown, pacer: pacer, undo: undo)
    } onRejection: { _, _ in
      // A late or repeated event that no longer fits is part of the show.
      await diagnostics.rejectSilently()
      return .proceed
    } apply: { list, event in
      try event.apply(to: &list)
    }
  }
}

/// Why a simulated source failed.
struct FeedFailure: Error, CustomStringConvertible {
  let description: String
}

/// A simulated server: it plays a script, and after a failure continues where it broke off.
actor FeedServer {
  private var rest: ArraySlice<(time: Duration, step: FeedScript.Step)>
  private let source: Int
  private let turnstile: Turnstile

  init(_ steps: [(time: Duration, step: FeedScript.Step)], source: Int, turnstile: Turnstile) {
    rest = steps[...]
    self.source = source
    self.turnstile = turnstile
  }

  /// The next event, when it is its turn; `nil` after the last one.
  func next() async throws -> Event? {
    guard let (time, step) = rest.popFirst() else {
      await turnstile.leave(source)
      return nil
    }
    try await turnstile.turn(of: source, at: time)
    switch step {
    case .event(let event): return event
    case .failure(let reason): throw FeedFailure(description: reason)
    }
  }
}

/// What a simulated server sends to its client.
struct FeedEvents: AsyncSequence, Sendable {
  let server: FeedServer

  struct AsyncIterator: AsyncIteratorProtocol {
    let server: FeedServer

    mutating func next() async throws -> Event? { try await server.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(server: server) }
}

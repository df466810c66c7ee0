import Rowcast

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
    let sections = scripts.map { ListSection(Group(id: $0.name, title: $0.title), rows: [Item]()) }
    await edit { list in
      for section in sections { try list.append(section.model) }
      try list.append(Group(id: "history", title: "Finished builds"))
    }
    await withTaskGroup(of: Void.self) { group in
      for (index, script) in scripts.enumerated() { group.addTask { await supervise(script, index) } }
    }
  }

  /// Attaches a source, and attaches it again when it fails; says so in the header of its section.
  private func supervise(_ script: FeedScript, _ index: Int) async {
    var steps = script.steps[...]
    let diagnostics = run.diagnostics
    while true {
      let part = Array(steps.prefix { if case .event = $0.step { true } else { false } })
      steps.removeFirst(part.count)
      let failure = steps.popFirst()
      let source = FeedSource(steps: part, failure: failure, index: index, turnstile: turnstile)
      do {
        try await run.attach(source) { _, _ in
          // A late or repeated event that no longer fits is part of the show.
          await diagnostics.rejectSilently()
          return .proceed
        } apply: { list, event in
          try event.apply(to: &list)
        }
        return await turnstile.leave(index)
      } catch {
        await retitle(script, "\(script.title) – \(error), retrying")
        let back = (failure?.time ?? .zero) + .milliseconds(1_500)
        guard (try? await turnstile.turn(of: index, at: back)) != nil else {
          return await turnstile.leave(index)
        }
        await retitle(script, script.title)
      }
    }
  }

  private func retitle(_ script: FeedScript, _ title: String) async {
    await edit { list in try list.updateSection(script.name) { $0.content.title = title } }
  }

  /// Edits the store for the feed itself, in step with the output.
  private func edit(_ body: @Sendable (inout Editor) throws -> Void) async {
    do {
      try await run.store.edit(body)
      await run.pacer.settle(at: await run.store.revision)
    } catch {
      // The store is finished: the session is over.
    }
  }
}

/// Why a simulated source failed.
struct FeedFailure: Error, CustomStringConvertible {
  let description: String
}

/// One stretch of a script, until its end or its next failure.
struct FeedSource: AsyncSequence, Sendable {
  let steps: [(time: Duration, step: FeedScript.Step)]
  let failure: (time: Duration, step: FeedScript.Step)?
  let index: Int
  let turnstile: Turnstile

  struct AsyncIterator: AsyncIteratorProtocol {
    let source: FeedSource
    var rest: ArraySlice<(time: Duration, step: FeedScript.Step)>

    mutating func next() async throws -> Event? {
      guard let (time, step) = rest.popFirst() ?? source.failure else { return nil }
      try await source.turnstile.turn(of: source.index, at: time)
      switch step {
      case .event(let event): return event
      case .failure(let reason): throw FeedFailure(description: reason)
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: self, rest: steps[...]) }
}

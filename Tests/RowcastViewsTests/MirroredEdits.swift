import Testing

/// A server that restarts, mirrors behind a transport that loses, delays and doubles messages, and edits that show on these
/// until they have them. It plays steps, and compares each list with the naive one: that of the server at the mirror's position,
/// with the pending edits replayed on it.
final class MirroredEdits {
  typealias Message = WireMessage<TestSection, Card<Int>>
  typealias State = ListState<TestSection, Card<Int>>
  typealias Store = ListStore<TestSection, Card<Int>>
  typealias Model = NaiveList<TestSection, Card<Int>>

  /// A list of the server, by the place in `versions` of the one before it.
  private struct Version {
    let state: State
    let parent: Int?
    var list: Model { Model(state.snapshot) }
  }

  /// What the server answers.
  private enum Reply: Sendable { case position(ListPosition), refusal }

  private struct Refused: Error {}

  /// The ends of calls, and the lists that a watcher was told of.
  private actor Calls {
    private(set) var ends: [Int: String] = [:]
    private(set) var seen: [Model] = []
    func end(_ number: Int, _ result: String) { ends[number] = result }
    func see(_ list: Model) { seen.append(list) }
    func takeSeen() -> [Model] {
      defer { seen = [] }
      return seen
    }
  }

  /// An edit that was asked for. Its states: pending, perhaps answered; over.
  private struct Edit {
    let number: Int
    let operation: CardEdit
    /// The row by which the edit is recognised; `nil` if it waits for a position.
    let echo: Int?
    /// The run of the mirror when the edit was made.
    let run: String?
    let answers: AsyncStream<Reply>.Continuation
    let task: Task<Void, Never>
    /// What the server made of it, once it has the request.
    var reply: Reply?
    var isAnswered = false
    /// The position that the answer named.
    var target: ListPosition?
    /// True if the list of the mirror had the row by which it is recognised.
    var isEchoed = false
    var end: String?
  }

  /// A mirror, its list, and the messages that are on their way to it.
  private final class Client {
    var mirror: MirroredList<TestSection, Card<Int>>?
    let number: Int
    let shown: OptimisticList<TestSection, Card<Int>>
    let calls = Calls()
    var edits: [Edit] = []
    var inFlight: [Message] = []
    /// The position of the mirror, its runs, and all runs at which it ever was.
    var position: ListPosition?
    var runs: [ListPosition] = []
    var visited: Set<String> = []
    var isEnded = false
    var isReleased = false
    var reader: Task<Void, Never>?

    init(_ number: Int) {
      let mirror = MirroredList<TestSection, Card<Int>>()
      (self.number, self.mirror) = (number, mirror)
      shown = OptimisticList(mirror)
      reader = Task { [shown, calls] in
        for await update in shown.updates() { await calls.see(Model(update.snapshot)) }
      }
    }
  }

  private var random: SeededGenerator
  private var store: Store
  private var versions: [Version]
  private var version = 0
  /// The version of each position.
  private var names: [ListPosition: Int] = [:]
  private var epochs = 1
  private var nextRow = 10
  private var nextNumber = 0
  private var clients: [Client] = []
  /// The position up to which the server has sent its changes to everybody.
  private var published: ListPosition?
  /// What happened, for a test that expects all of it in some round.
  private(set) var effects: Set<String> = []
  static let allEffects: Set = [
    "a position without a change", "a run of another list", "a run that has lost edits", "another run",
    "answered at a list that has it", "answered at an earlier list", "answered at another list", "unknown",
  ]
  private var log: [String] = []
  /// True if no task has to run for the step.
  private var isSettled = false
  /// True if several tasks have to run for it, which change the list one after the other.
  private var hasSeveralAnswers = false
  /// The edits that were looked for in the tree of versions.
  private var checked: Set<Int> = []

  init(_ random: SeededGenerator) {
    self.random = random
    let state = State(
      snapshot: ListSnapshot(unchecked: [ListSection(TestSection("s0"), rows: (1...3).map { Card(id: $0, a: 0, b: 0) })]
      ),
      revision: 0, lineage: Lineage(of: "e0"))
    store = Self.store(state, after: [])
    versions = [Version(state: state, parent: nil)]
    names[state.position] = 0
    clients = (0..<2).map { Client($0) }
  }

  private static func store(_ state: State, after former: [State]) -> Store {
    Store(state, after: former, isContinued: true, history: .last(6), clock: AnyClock(ContinuousClock()))
  }

  private func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: - The server

  /// Makes an edit at the server. Returns false if it does not apply.
  private func serve(_ operation: CardEdit) async throws -> Bool {
    guard let list = operation.applied(to: versions[version].list) else { return false }
    try await store.edit(operation.edit)
    try await noteVersion()
    try Mismatch.unless(versions[version].list == list, "the server has \(versions[version].list), not \(list)")
    return true
  }

  private func noteVersion() async throws {
    let state = await onSharedExecutor { [store] in await store.core.state }
    guard names[state.position] == nil else { return }
    names[state.position] = versions.count
    versions.append(Version(state: state, parent: version))
    version = versions.count - 1
  }

  private func path(to version: Int) -> [Int] {
    (versions[version].parent.map { path(to: $0) } ?? []) + [version]
  }

  private func restart() async throws {
    let epoch = "e\(epochs)"
    epochs += 1
    var state = await onSharedExecutor { [store] in await store.core.state }
    switch int(0..<4) {
    case 0:
      effects.insert("a run of another list")
      state = State(snapshot: state.snapshot, revision: 0, lineage: Lineage(of: epoch))
      versions.append(Version(state: state, parent: nil))
      version = versions.count - 1
    case 1:
      // The newest lines were lost.
      effects.insert("a run that has lost edits")
      version = path(to: version).suffix(4).randomElement(using: &random) ?? version
      state = versions[version].state
      fallthrough
    default:
      state.lineage.begin(epoch, at: state.revision)
    }
    names[state.position] = version
    let former = path(to: version).dropLast().suffix(6).map { versions[$0].state }
    // A file keeps the run of each state.
    store = Self.store(state, after: former.filter { $0.revision < state.revision })
    if int(0..<2) == 0 { published = nil }
  }

  // MARK: - The transport

  /// The message since a position, also if there is nothing new.
  private func message(since position: ListPosition?) async -> Message {
    let newest = await store.position
    return await store.message(since: position) ?? .progress(newest, since: newest)
  }

  /// Brings a message to a mirror. A new stream trusts its first one.
  private func deliver(_ message: Message, to client: Client, asStream: Bool = false) async throws {
    guard let mirror = client.mirror else { return }
    let before = await mirror.revision
    (isSettled, hasSeveralAnswers) = (true, false)
    if asStream {
      _ = await mirror.beginStream()
      _ = try await mirror.applyNext(message)
    } else {
      try await mirror.receive(message)
    }
    let position = await mirror.position
    if position != client.position {
      if await mirror.revision == before { effects.insert("a position without a change") }
      if position?.epoch != client.position?.epoch { effects.insert("another run") }
    }
    guard let position, case .initial(_, _, _, let lineage) = await mirror.checkpoint else { return }
    client.position = position
    client.runs = lineage.runs.isEmpty ? [ListPosition(epoch: position.epoch, revision: 0)] : lineage.runs
    client.visited.insert(position.epoch)
    if case .ended = await mirror.state { client.isEnded = true } else { client.isEnded = false }
  }

  // MARK: - The naive list

  /// Tells if a mirror has an edit, if it will not have it, or if that is open, from arrays alone.
  private func hasReached(_ edit: Edit, _ client: Client) -> Bool? {
    guard let target = edit.target, let position = client.position else { return nil }
    let (epoch, revision) = (target.epoch, target.revision)
    if epoch == position.epoch {
      if revision <= position.revision { return true }
      return client.isEnded ? false : nil
    }
    for (index, run) in client.runs.enumerated() where run.epoch == epoch {
      return revision <= client.runs[index + 1].revision
    }
    return position.epoch != edit.run || client.visited.contains(epoch) || client.isEnded ? false : nil
  }

  /// The list of a mirror.
  private func confirmed(_ client: Client) -> Model {
    client.position.flatMap { names[$0] }.map { versions[$0].list } ?? Model()
  }

  private func replayed(_ edits: [Edit], on list: Model) -> Model {
    edits.reduce(list) { $1.operation.applied(to: $0) ?? $0 }
  }

  /// The pending edits of a client.
  private func pending(_ client: Client) -> [Edit] {
    client.isReleased ? [] : client.edits.filter { $0.end == nil && !$0.isEchoed }
  }

  /// The places of a client's edits whose calls have not ended, and for which something holds.
  private func open(_ client: Client, where holds: (Edit) -> Bool = { _ in true }) -> [Int] {
    client.edits.indices.filter { client.edits[$0].end == nil && holds(client.edits[$0]) }
  }

  /// Compares all lists and calls with the naive ones, after a step.
  private func check() async throws {
    for client in clients {
      let list = confirmed(client)
      for number in open(client) {
        let edit = client.edits[number]
        if let echo = edit.echo {
          if list.rows.contains(where: { $0.id == echo }) { client.edits[number].isEchoed = true }
        } else if hasReached(edit, client) == true {
          client.edits[number].end = "had"
        }
      }
      // An edit that is lost goes after the list that is without it.
      var allowed = [replayed(pending(client), on: list)]
      for number in open(client) {
        let edit = client.edits[number]
        if edit.echo != nil {
          if edit.isAnswered, edit.isEchoed || client.isReleased {
            client.edits[number].end = edit.isEchoed ? "had" : "finished"
          }
        } else if hasReached(edit, client) == false || edit.target != nil && client.isReleased {
          client.edits[number].end = "unknown"
          effects.insert("unknown")
          allowed.append(replayed(pending(client), on: list))
        }
      }
      try await check(client, allowed, "client \(client.number)")
    }
  }

  private func check(_ client: Client, _ allowed: [Model], _ name: String) async throws {
    let first = Model(await client.shown.snapshot)
    // Of several edits that are lost at once any may go first.
    if allowed.count < 3, isSettled {
      try Mismatch.unless(allowed.contains(first), "\(name) shows \(first), not one of \(allowed)")
    }
    try await Schedule.settle()
    let expected = replayed(pending(client), on: confirmed(client))
    let found = Model(await client.shown.snapshot)
    try Mismatch.unless(found == expected, "\(name) shows \(found), not \(expected)")
    if let mirror = client.mirror {
      let list = Model(await mirror.snapshot)
      try Mismatch.unless(list == confirmed(client), "\(name) has \(list), not \(confirmed(client))")
    }
    let seen = await client.calls.takeSeen()
    if allowed.count < 3, !hasSeveralAnswers, let wrong = seen.first(where: { !allowed.contains($0) && $0 != expected })
    {
      throw Mismatch("\(name) showed \(wrong), not one of \(allowed)")
    }
    try Mismatch.unless(seen.last ?? expected == expected, "\(name) was told of \(seen), and not of \(expected)")
    let ends = await client.calls.ends
    for edit in client.edits {
      try Mismatch.unless(
        ends[edit.number] == edit.end,
        """
        \(name)'s edit \(edit.number) ended by \(ends[edit.number] ?? "nothing"), not by \(edit.end ?? "nothing"): until \
        \(edit.target, default: "no position"), at \(client.position, default: "none") of \(client.runs) after \(client.visited)
        """)
      // What is no longer shown is in the list, by the tree of versions, which no lineage knows.
      guard edit.end == "had", let target = edit.target, let version = names[target],
        let here = client.position.flatMap({ names[$0] }), checked.insert(edit.number).inserted
      else { continue }
      try Mismatch.unless(path(to: here).contains(version), "\(name) is at \(here), which never was at \(target)")
    }
  }

  // MARK: - Steps

  private static func append(_ id: Int) -> CardEdit { .append(Card(id: id, a: 0, b: 0), to: "s0") }

  private func ask(_ client: Client) async throws {
    let id = int(1..<6)
    let hasCondition = int(0..<3) == 0
    nextRow += 1
    let operations: [CardEdit] = [
      Self.append(nextRow), .update(id, by: int(1..<5)), .remove(id), .moveToFront(id), Self.append(id),
      .removeBoth(id, int(1..<6)),
    ]
    let operation = operations[hasCondition ? 0 : int(0..<6)]
    let (answers, answer) = AsyncStream.makeStream(of: Reply.self)
    let (number, row, calls, shown) = (nextNumber, nextRow, client.calls, client.shown)
    nextNumber += 1
    let task = Task {
      @Sendable func confirm() async throws -> ListPosition {
        for await case .position(let position) in answers { return position }
        throw Refused()
      }
      do {
        if hasCondition {
          try await shown.edit(operation.edit, confirming: confirm, until: { $0.row(row) != nil })
        } else {
          try await shown.editMirror(until: \.self, operation.edit, confirming: confirm)
        }
        await calls.end(number, "had")
      } catch is Refused {
        await calls.end(number, "refused")
      } catch is OptimisticListError {
        await calls.end(number, "unknown")
      } catch ListStoreError.finished {
        await calls.end(number, "finished")
      } catch {
        await calls.end(number, "\(error is CancellationError ? "cancelled" : "not applied")")
      }
    }
    var edit = Edit(
      number: number, operation: operation, echo: hasCondition ? row : nil, run: client.position?.epoch,
      answers: answer, task: task)
    if operation.applied(to: replayed(pending(client), on: confirmed(client))) == nil { edit.end = "not applied" }
    client.edits.append(edit)
  }

  /// Brings a request to the server.
  private func handle(_ client: Client) async throws {
    guard let number = open(client, where: { $0.reply == nil }).randomElement(using: &random) else { return }
    let isTaken = try await serve(client.edits[number].operation)
    // The answer may name a later position.
    if int(0..<4) == 0 { _ = try await serve(.moveToFront(int(1..<6))) }
    client.edits[number].reply = isTaken ? .position(await store.position) : .refusal
  }

  private func answer(_ client: Client, all: Bool = false) {
    let open = open(client) { !$0.isAnswered && ($0.reply != nil || all || int(0..<8) == 0) }
    hasSeveralAnswers = all
    for number in all ? open : Array(open.shuffled(using: &random).prefix(1)) {
      client.edits[number].isAnswered = true
      let edit = client.edits[number]
      if case .position(let position)? = edit.reply {
        edit.answers.yield(.position(position))
        if edit.echo != nil { continue }
        client.edits[number].target = position
        let isThere = hasReached(client.edits[number], client)
        effects.insert("answered at \(isThere.map { $0 ? "a list that has it" : "another list" } ?? "an earlier list")")
      } else {
        client.edits[number].end = "refused"
      }
      edit.answers.finish()
    }
  }

  private enum Step {
    case ask, handle, answer, serve, serveNothing, restart, cancel, publish, publishAll, resume, deliver
  }

  /// How often each step is drawn.
  private static let steps: [(Step, count: Int)] = [
    (.ask, 8), (.handle, 8), (.answer, 8), (.serve, 2), (.serveNothing, 2), (.restart, 1), (.cancel, 1), (.publish, 4),
    (.publishAll, 2), (.resume, 4), (.deliver, 8),
  ]
  private static let drawn = steps.flatMap { Array(repeating: $0, count: $1) }

  private func step() async throws {
    let client = clients[int(0..<clients.count)]
    let step = Self.drawn[int(0..<Self.drawn.count)]
    isSettled = false
    log.append("\(step) \(client.number)")
    switch step {
    case .ask: try await ask(client)
    case .handle: try await handle(client)
    case .answer: answer(client)
    case .serve:
      _ = try await serve([.update(int(1..<4), by: 7), Self.append(int(1..<6)), .remove(int(1..<6))][int(0..<3)])
    case .serveNothing: if try await serve(Self.append(9)) { _ = try await serve(.remove(9)) }
    case .restart: try await restart()
    case .cancel:
      guard let number = open(client).randomElement(using: &random) else { return }
      client.edits[number].task.cancel()
      client.edits[number].end = client.edits[number].isAnswered ? "cancelled" : "refused"
    case .publish:
      let message = await message(since: published)
      published = await store.position
      for client in clients where int(0..<6) > 0 { client.inFlight.append(message) }
    case .publishAll: client.inFlight.append(await message(since: nil))
    case .resume:
      try await deliver(await message(since: client.position), to: client, asStream: int(0..<2) == 0)
    case .deliver:
      guard !client.inFlight.isEmpty else { return }
      let place = int(0..<3) == 0 ? int(0..<client.inFlight.count) : 0
      let message = client.inFlight[place]
      if int(0..<6) > 0 { client.inFlight.remove(at: place) }
      log.append("\(message.position)")
      try await deliver(message, to: client)
    }
  }

  /// Plays steps, and then the ends of all calls. Returns what went wrong.
  func play(_ count: Int) async -> String? {
    do {
      try await Schedule.settle()
      for client in clients { _ = await client.calls.takeSeen() }
      for _ in 0..<count {
        try await step()
        try await check()
      }
      for client in clients {
        log.append("end \(client.number)")
        isSettled = false
        if int(0..<2) == 0 {
          answer(client, all: true)
          try await check()
        }
        if int(0..<2) == 0 {
          let position = await store.position
          for message in [
            await message(since: client.position), .end(revision: position.revision, updates: 0, epoch: position.epoch),
          ] {
            try await deliver(message, to: client)
            try await check()
          }
        }
        isSettled = false
        (client.isReleased, client.mirror) = (true, nil)
        try await check()
        answer(client, all: true)
        try await check()
        await client.reader?.value
        try Mismatch.unless(open(client).isEmpty, "\(open(client)) did not end")
      }
      return nil
    } catch {
      return "\(error), after \(log.joined(separator: ", "))"
    }
  }
}

import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// A server that restarts, mirrors behind a transport that loses, delays and doubles messages, and edits that show on these
/// until they have them. It plays steps, and compares each list with the naive one: the server's at the mirror's position,
/// with the pending edits replayed on it.
final class MirroredEdits {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias State = ListState<TestSection, TestRow>

  /// A list of the server, by the place in `versions` of the one before it.
  private struct Version {
    let state: State
    let parent: Int?
    var rows: [TestRow] { Array(state.snapshot.allRows) }
  }

  /// An edit of a row, for a store and for arrays.
  private enum Operation {
    case update(Int, String)
    case remove(Int)
    case moveToFront(Int)
    case append(TestRow)

    @Sendable func edit(_ list: inout TestEditor) throws {
      switch self {
      case .update(let id, let text): try list.update(id) { $0.text += text }
      case .remove(let id): try list.remove(id)
      case .moveToFront(let id): try list.move(id, to: 0, in: "a")
      case .append(let row): try list.append(row, to: "a")
      }
    }

    /// The rows after the edit; `nil` if it does not apply.
    func applied(to rows: [TestRow]) -> [TestRow]? {
      var rows = rows
      func place(_ id: Int) -> Int? { rows.firstIndex { $0.id == id } }
      switch self {
      case .update(let id, let text):
        guard let place = place(id) else { return nil }
        rows[place].text += text
      case .remove(let id):
        guard let place = place(id) else { return nil }
        rows.remove(at: place)
      case .moveToFront(let id):
        guard let place = place(id) else { return nil }
        rows.insert(rows.remove(at: place), at: 0)
      case .append(let row): return place(row.id) == nil ? rows + [row] : nil
      }
      return rows
    }
  }

  /// What the server answers.
  private enum Reply: Sendable { case position(ListPosition), refusal }

  private struct Refused: Error {}

  /// The ends of calls, and the lists that a watcher was told of.
  private actor Calls {
    private(set) var ends: [Int: String] = [:]
    private(set) var seen: [[TestRow]] = []
    func end(_ number: Int, _ result: String) { ends[number] = result }
    func see(_ rows: [TestRow]) { seen.append(rows) }
    func takeSeen() -> [[TestRow]] {
      defer { seen = [] }
      return seen
    }
  }

  /// An edit that was asked for. Its states: pending, perhaps answered; over.
  private struct Edit {
    let number: Int
    let operation: Operation
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
  private struct Client {
    var mirror: MirroredList<TestSection, TestRow>?
    let shown: OptimisticList<TestSection, TestRow>
    let calls = Calls()
    var edits: [Edit] = []
    var inFlight: [Message] = []
    /// The position of the mirror, its runs, and all runs at which it ever was.
    var position: ListPosition?
    var runs: [ListPosition] = []
    var visited: Set<String> = []
    var isEnded = false
    var isReleased = false
    /// The list when the mirror was released.
    var last: [TestRow] = []
    var reader: Task<Void, Never>?

    init() {
      let mirror = MirroredList<TestSection, TestRow>()
      self.mirror = mirror
      shown = OptimisticList(mirror)
      reader = Task { [shown, calls] in
        for await update in shown.updates() { await calls.see(Array(update.snapshot.allRows)) }
      }
    }
  }

  private var random: SeededGenerator
  private var store: TestStore
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

  init(_ random: SeededGenerator) throws {
    self.random = random
    let state = State(
      snapshot: try .of(("a", [1, 2, 3])), revision: 0, lineage: Lineage(of: "e0"))
    store = Self.store(state, after: [])
    versions = [Version(state: state, parent: nil)]
    names[state.position] = 0
    clients = (0..<2).map { _ in Client() }
  }

  private static func store(_ state: State, after former: [State]) -> TestStore {
    TestStore(state, after: former, isContinued: true, history: .last(6), clock: AnyClock(ContinuousClock()))
  }

  private func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: - The server

  /// Makes an edit at the server. Returns false if it does not apply.
  private func serve(_ operation: Operation) async throws -> Bool {
    guard let rows = operation.applied(to: versions[version].rows) else { return false }
    try await store.edit(operation.edit)
    try await noteVersion()
    try Mismatch.unless(versions[version].rows == rows, "the server has \(versions[version].rows), not \(rows)")
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
  private func deliver(_ message: Message, to client: Int, asStream: Bool = false) async throws {
    guard let mirror = clients[client].mirror else { return }
    let before = await mirror.revision
    (isSettled, hasSeveralAnswers) = (true, false)
    if asStream {
      _ = await mirror.beginStream()
      _ = try await mirror.applyNext(message)
    } else {
      try await mirror.receive(message)
    }
    let position = await mirror.position
    if position != clients[client].position {
      if await mirror.revision == before { effects.insert("a position without a change") }
      if position?.epoch != clients[client].position?.epoch { effects.insert("another run") }
    }
    guard let position, case .initial(_, _, _, let lineage) = await mirror.checkpoint else { return }
    clients[client].position = position
    clients[client].runs = lineage.runs.isEmpty ? [ListPosition(epoch: position.epoch, revision: 0)] : lineage.runs
    clients[client].visited.insert(position.epoch)
    if case .ended = await mirror.state { clients[client].isEnded = true } else { clients[client].isEnded = false }
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

  /// The rows of a mirror.
  private func confirmed(_ client: Client) -> [TestRow] {
    client.position.flatMap { names[$0] }.map { versions[$0].rows } ?? []
  }

  private func replayed(_ edits: [Edit], on rows: [TestRow]) -> [TestRow] {
    edits.reduce(rows) { $1.operation.applied(to: $0) ?? $0 }
  }

  /// The pending edits of a client.
  private func pending(_ client: Client) -> [Edit] {
    client.isReleased ? [] : client.edits.filter { $0.end == nil && !$0.isEchoed }
  }

  /// Compares all lists and calls with the naive ones, after a step.
  private func check() async throws {
    for index in clients.indices {
      let rows = confirmed(clients[index])
      for number in clients[index].edits.indices where clients[index].edits[number].end == nil {
        let edit = clients[index].edits[number]
        if let echo = edit.echo {
          if rows.contains(where: { $0.id == echo }) { clients[index].edits[number].isEchoed = true }
        } else if hasReached(edit, clients[index]) == true {
          clients[index].edits[number].end = "had"
        }
      }
      // A lost edit is removed after the list without it.
      var allowed = [replayed(pending(clients[index]), on: rows)]
      for number in clients[index].edits.indices where clients[index].edits[number].end == nil {
        let edit = clients[index].edits[number]
        if edit.echo != nil {
          if edit.isAnswered, edit.isEchoed {
            clients[index].edits[number].end = "had"
          } else if edit.isAnswered, clients[index].isReleased {
            clients[index].edits[number].end = "finished"
          }
        } else if hasReached(edit, clients[index]) == false || edit.target != nil && clients[index].isReleased {
          clients[index].edits[number].end = "unknown"
          effects.insert("unknown")
          allowed.append(replayed(pending(clients[index]), on: rows))
        }
      }
      try await check(clients[index], allowed, "client \(index)")
    }
  }

  private func check(_ client: Client, _ allowed: [[TestRow]], _ name: String) async throws {
    let first = Array(await client.shown.snapshot.allRows)
    // Of several edits that are lost at once any may go first.
    if allowed.count < 3, isSettled {
      try Mismatch.unless(allowed.contains(first), "\(name) shows \(first), not one of \(allowed)")
    }
    try await Schedule.settle()
    let expected = replayed(pending(client), on: confirmed(client))
    let found = Array(await client.shown.snapshot.allRows)
    try Mismatch.unless(found == expected, "\(name) shows \(found), not \(expected)")
    if let mirror = client.mirror {
      let rows = Array(await mirror.snapshot.allRows)
      try Mismatch.unless(rows == confirmed(client), "\(name) has \(rows), not \(confirmed(client))")
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
      // An edit that is no longer shown is in the list, according to the tree of versions, which no lineage knows.
      guard edit.end == "had", let target = edit.target, let version = names[target],
        let here = client.position.flatMap({ names[$0] }), checked.insert(edit.number).inserted
      else { continue }
      try Mismatch.unless(path(to: here).contains(version), "\(name) is at \(here), which never was at \(target)")
    }
  }

  // MARK: - Steps

  private func ask(_ index: Int) async throws {
    let (id, client) = (int(1..<6), clients[index])
    let hasCondition = int(0..<3) == 0
    nextRow += 1
    let operations: [Operation] = [
      .append(TestRow(nextRow)), .update(id, "+"), .remove(id), .moveToFront(id), .append(TestRow(id, "new")),
    ]
    let operation = operations[hasCondition ? 0 : int(0..<5)]
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
    // A list without sections takes no row.
    if client.position == nil { edit.end = "not applied" }
    clients[index].edits.append(edit)
  }

  /// Brings a request to the server.
  private func handle(_ index: Int) async throws {
    let open = clients[index].edits.indices.filter {
      clients[index].edits[$0].end == nil && clients[index].edits[$0].reply == nil
    }
    guard let number = open.randomElement(using: &random) else { return }
    let isTaken = try await serve(clients[index].edits[number].operation)
    // The answer may name a later position.
    if int(0..<4) == 0 { _ = try await serve(.moveToFront(int(1..<6))) }
    clients[index].edits[number].reply = isTaken ? .position(await store.position) : .refusal
  }

  private func answer(_ index: Int, all: Bool = false) {
    let open = clients[index].edits.indices.filter {
      let edit = clients[index].edits[$0]
      return edit.end == nil && !edit.isAnswered && (edit.reply != nil || all || int(0..<8) == 0)
    }
    hasSeveralAnswers = all
    for number in all ? open : Array(open.shuffled(using: &random).prefix(1)) {
      clients[index].edits[number].isAnswered = true
      let edit = clients[index].edits[number]
      if case .position(let position)? = edit.reply {
        edit.answers.yield(.position(position))
        if edit.echo != nil { continue }
        clients[index].edits[number].target = position
        let isThere = hasReached(clients[index].edits[number], clients[index])
        effects.insert("answered at \(isThere.map { $0 ? "a list that has it" : "another list" } ?? "an earlier list")")
      } else {
        clients[index].edits[number].end = "refused"
      }
      edit.answers.finish()
    }
  }

  private func step() async throws {
    let index = int(0..<clients.count)
    isSettled = false
    switch int(0..<24) {
    case 0..<4:
      log.append("ask \(index)")
      try await ask(index)
    case 4..<8:
      log.append("handle \(index)")
      try await handle(index)
    case 8..<12:
      log.append("answer \(index)")
      answer(index)
    case 12:
      log.append("serve")
      _ = try await serve([.update(int(1..<4), "!"), .append(TestRow(int(1..<6))), .remove(int(1..<6))][int(0..<3)])
    case 13:
      log.append("serve nothing")
      if try await serve(.append(TestRow(9))) { _ = try await serve(.remove(9)) }
    case 14 where int(0..<2) == 0:
      log.append("restart")
      try await restart()
    case 14:
      log.append("cancel \(index)")
      let open = clients[index].edits.indices.filter { clients[index].edits[$0].end == nil }
      guard let number = open.randomElement(using: &random) else { return }
      clients[index].edits[number].task.cancel()
      clients[index].edits[number].end = clients[index].edits[number].isAnswered ? "cancelled" : "refused"
    case 15..<17:
      log.append("publish")
      let message = await message(since: published)
      published = await store.position
      for client in clients.indices where int(0..<6) > 0 { clients[client].inFlight.append(message) }
    case 17:
      let message = await message(since: nil)
      clients[index].inFlight.append(message)
    case 18..<20:
      log.append("resume \(index)")
      try await deliver(await message(since: clients[index].position), to: index, asStream: int(0..<2) == 0)
    default:
      guard !clients[index].inFlight.isEmpty else { return }
      let place = int(0..<3) == 0 ? int(0..<clients[index].inFlight.count) : 0
      let message = clients[index].inFlight[place]
      if int(0..<6) > 0 { clients[index].inFlight.remove(at: place) }
      log.append("deliver \(message.position) to \(index)")
      try await deliver(message, to: index)
    }
  }

  /// Plays steps, and then the ends of all calls. Returns what went wrong.
  func play(_ count: Int) async throws -> String? {
    do {
      try await Schedule.settle()
      for client in clients { _ = await client.calls.takeSeen() }
      for _ in 0..<count {
        try await step()
        try await check()
      }
      for index in clients.indices {
        isSettled = false
        if int(0..<2) == 0 {
          log.append("answer all \(index)")
          answer(index, all: true)
          try await check()
        }
        if int(0..<2) == 0 {
          log.append("end \(index)")
          try await deliver(await message(since: clients[index].position), to: index)
          try await check()
          let position = await store.position
          try await deliver(.end(revision: position.revision, updates: 0, epoch: position.epoch), to: index)
          try await check()
        }
        log.append("release \(index)")
        isSettled = false
        clients[index].isReleased = true
        clients[index].mirror = nil
        try await check()
        answer(index, all: true)
        try await check()
        await clients[index].reader?.value
        let open = clients[index].edits.filter { $0.end == nil }
        try Mismatch.unless(open.isEmpty, "\(open.map(\.number)) did not end")
      }
      return nil
    } catch {
      return "\(error), after \(log.joined(separator: ", "))"
    }
  }
}

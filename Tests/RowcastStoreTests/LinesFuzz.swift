import RowcastDiff
import RowcastModel
import RowcastTestSupport

@testable import RowcastStore

/// What happens to a list, and to the connections that send it.
enum LineFeature: String, DrivenFeature {
  /// Lines come at a pace; idle connections have heartbeats; the list is no store.
  case paced, beating, plain
  /// A row comes that cannot be encoded, and goes.
  case edit, undo, refuse, mend, finish
  /// Connections begin without a position, with one that the list had, or with one of another list.
  case connect, resume, stranger, read, readAll, drop, pass

  static let settings: Set<Self> = [.paced, .beating, .plain]
}

/// A list that is no store.
struct PlainList: LiveList {
  let store: TestStore
  var snapshot: TestSnapshot { get async { await store.snapshot } }
  var revision: Int { get async { await store.revision } }
  func updates() -> AsyncStream<TestUpdate> { store.updates() }
}

/// A list behind `EncodedList`, and connections that each read when they want.
///
/// The driver waits until nothing happens any more, and judges each line that has come, and each request that is still open.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor
final class LinesFuzz {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Lines = AsyncThrowingStream<Message, any Error>

  private struct Refusal: Error {}

  private struct Connection {
    let lines: Lines
    var mirror = WireReader<TestSection, TestRow>()
    /// True if it came with a position that the list never had.
    var isStranger = false
    /// The newest position of a line.
    var sent: ListPosition?
    var count = 0
    var hasEnded = false
    /// When a line was asked for, and where the list was then.
    var request: (task: Task<Void, Never>, time: Int, revision: Int)?
  }

  private static let (pace, heartbeat) = (2, 3)

  private var random: SeededGenerator
  private let (isPaced, isBeating, isPlain): (Bool, Bool, Bool)
  private let store: TestStore
  private let clock = ManualClock()
  private let encodings = CallCount()
  private var list: EncodedList<TestSection, TestRow, Message>?
  /// The list at each revision, and the time of each.
  private var lists: [TestSnapshot]
  private var times = [0]
  private var (now, isFinished, isRefused, wasRefused) = (0, false, false, false)
  private var nextRow = 100
  private var connections: [Int: Connection] = [:]
  private var begun = 0
  private var answers: [Int: Result<Message?, any Error>] = [:]
  /// All lines, the ends among them, and the different ones among the others.
  private var (lineCount, endCount) = (0, 0)
  private var different: Set<String> = []
  private var newest: ListPosition?

  private init(_ fuzzCase: FuzzCase<LineFeature>) throws {
    random = SeededGenerator(seed: fuzzCase.seed)
    let settings = fuzzCase.settings
    (isPaced, isBeating, isPlain) = (settings.contains(.paced), settings.contains(.beating), settings.contains(.plain))
    let start = try TestSnapshot.of(("a", Array(0..<30)))
    store = TestStore(start, epoch: "e", history: .last(6))
    lists = [start]
    let encode: @Sendable (Message) throws -> Message = { [encodings] message in
      switch message {
      case .changes(let changes) where changes.insertedRows.contains(where: { $0.id < 0 }): throw Refusal()
      case .initial(_, let list, _, _) where list.allRows.contains(where: { $0.id < 0 }): throw Refusal()
      default: return encodings.note(message)
      }
    }
    let pace = Duration.seconds(isPaced ? Self.pace : 0)
    list =
      isPlain
      ? EncodedList(PlainList(store: store), every: pace, clock: clock, encode: encode)
      : EncodedList(store, every: pace, clock: clock, encode: encode)
  }

  /// Plays a case. Returns what was used, and what went wrong.
  static func play(_ fuzzCase: FuzzCase<LineFeature>) async -> (used: Set<LineFeature>, fault: String?) {
    var used = Set(fuzzCase.settings)
    do {
      let fuzz = try LinesFuzz(fuzzCase)
      for (number, step) in fuzzCase.steps.enumerated() {
        fuzz.random = SeededGenerator(seed: step.seed)
        do {
          let before = fuzz.lists.count - 1
          if try await fuzz.perform(step.feature) { used.insert(step.feature) }
          try await fuzz.settle(since: before)
        } catch {
          throw Mismatch("step \(number), \(step.feature): \(error)")
        }
      }
      try await fuzz.end()
    } catch {
      return (used, "\(error)")
    }
    return (used, nil)
  }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: - Steps

  private func perform(_ feature: LineFeature) async throws -> Bool {
    switch feature {
    case .paced, .beating, .plain: return false
    case .edit:
      if isFinished { return false }
      for _ in 0..<number(1...3) { try await edit() }
    case .undo:
      if isFinished { return false }
      nextRow += 1
      let row = TestRow(nextRow)
      try await change { try $0.append(row, to: "a") }
      try await change { try $0.remove(row.id) }
    case .refuse:
      if isFinished || isRefused { return false }
      (isRefused, wasRefused) = (true, true)
      try await change { try $0.append(TestRow(-1), to: "a") }
    case .mend:
      if isFinished || !isRefused { return false }
      isRefused = false
      try await change { try $0.remove(-1) }
    case .finish:
      if isFinished { return false }
      isFinished = true
      await store.finish()
    case .connect: return begin(nil)
    case .resume:
      let revision = number(max(0, lists.count - 9)...lists.count - 1)
      return begin(ListPosition(epoch: "e", revision: revision))
    case .stranger:
      return begin(
        number(0...1) == 0 ? ListPosition(epoch: "x", revision: number(0...9)) : .init(epoch: "e", revision: 1_000))
    case .read:
      guard let id = connections.keys.sorted().randomElement(using: &random) else { return false }
      return ask(id)
    case .readAll: return connections.keys.sorted().reduce(false) { ask($1) || $0 }
    case .drop:
      guard let id = connections.keys.sorted().randomElement(using: &random) else { return false }
      connections.removeValue(forKey: id)?.request?.task.cancel()
    case .pass: try await pass(number(1...4))
    }
    return true
  }

  private func edit() async throws {
    nextRow += 1
    let row = TestRow(nextRow)
    let others = lists[lists.count - 1].allRows.map(\.id).filter { $0 >= 0 }
    guard let other = others.randomElement(using: &random) else { return }
    switch number(0...3) {
    case 0: try await change { try $0.append(row, to: "a") }
    case 1 where others.count > 20: try await change { try $0.remove(other) }
    default: try await change { try $0.update(other) { $0.text = "\(row.id)" } }
    }
  }

  private func change(_ body: @Sendable (inout TestEditor) throws -> Void) async throws {
    try await store.edit(body)
    lists.append(await store.snapshot)
    times.append(now)
  }

  private func pass(_ seconds: Int) async throws {
    for _ in 0..<seconds {
      now += 1
      await clock.advance(by: .seconds(1))
      try await settle(since: lists.count - 1)
    }
  }

  private func begin(_ position: ListPosition?) -> Bool {
    guard let list, connections.count < 5 else { return false }
    begun += 1
    var connection = Connection(
      lines: list.lines(since: position, heartbeat: isBeating ? .seconds(Self.heartbeat) : nil))
    if let position {
      connection.isStranger = position.epoch != "e" || position.revision >= lists.count
      let former = connection.isStranger ? TestSnapshot() : lists[position.revision]
      connection.mirror = WireReader(former, at: position)
    }
    connections[begun] = connection
    return true
  }

  private func ask(_ id: Int) -> Bool {
    guard let connection = connections[id], connection.request == nil, !connection.hasEnded else { return false }
    let task = Task { [lines = connection.lines] in
      var iterator = lines.makeAsyncIterator()
      do { answers[id] = .success(try await iterator.next(isolation: #isolation)) } catch {
        answers[id] = .failure(error)
      }
    }
    connections[id]?.request = (task, now, lists.count - 1)
    return true
  }

  /// Mends the list, and reads all connections to their end. Nothing is left of them.
  private func end() async throws {
    if isRefused, !isFinished { _ = try await perform(.mend) }
    _ = try await perform(.finish)
    for _ in 0..<4 {
      _ = try await perform(.readAll)
      try await settle(since: lists.count - 1)
      try await pass(Self.pace)
    }
    try Mismatch.unless(connections.values.allSatisfy(\.hasEnded), "a connection does not end")
    (connections, list) = ([:], nil)
    try await Schedule.settle()
    let (waiters, sleepers) = await (store.waiterCount, clock.sleeperCount)
    try Mismatch.unless(waiters == 0 && sleepers == 0, "\(waiters) tasks wait for the list, and \(sleepers) for a time")
  }

  // MARK: - Checks

  /// The revision of the list some time ago.
  private func revision(at time: Int) -> Int { max(0, (times.lastIndex { $0 <= time } ?? 0)) }

  /// Waits until nothing happens any more, and judges. A line has no older list than there was before the step.
  private func settle(since revision: Int) async throws {
    try await Schedule.settle()
    for (id, answer) in answers.sorted(by: { $0.key < $1.key }) {
      if connections[id] != nil { try take(answer.get(), id, since: revision) }
    }
    answers = [:]
    for (id, connection) in connections { try judgeOpen(connection, id) }
    guard let figures = await list?.figures else { return }
    let sent = connections.values.compactMap(\.sent)
    let oldest = sent.min { $0.revision < $1.revision }
    try Mismatch.unless(
      figures.connections == connections.count && figures.lines == lineCount && figures.newest == newest
        && figures.oldest == oldest && figures.encodings >= endCount,
      "the figures are \(figures), not \(connections.count), \(lineCount), \(newest as Any), \(oldest as Any)")
    if !isPaced, !wasRefused {
      try Mismatch.unless(
        encodings.value - endCount <= different.count, "\(encodings.value) encodings of \(different.count) lines")
    }
  }

  private func take(_ message: Message?, _ id: Int, since revision: Int) throws {
    guard var connection = connections[id], let request = connection.request else { return }
    func require(_ holds: Bool, _ what: String) throws {
      if !holds { throw Mismatch("connection \(id), \(what): \(message as Any), at \(connection.mirror.state)") }
    }
    connection.request = nil
    defer { connections[id] = connection }
    guard let message else { return try require(false, "no line") }
    lineCount += 1
    if case .end(let last, let updates, _) = message {
      (endCount, connection.hasEnded) = (endCount + 1, true)
      try require(
        isFinished && lists[last] == lists[lists.count - 1] && updates == connection.count,
        "the end after \(connection.count)")
      // What could not be encoded is missing.
      if !isRefused {
        _ = try connection.mirror.fold(message)
        try require(connection.mirror.state == .ended(message.position), "no end")
      }
      return
    }
    let (before, isFirst) = (connection.mirror.position, connection.count == 0)
    connection.count += 1
    connection.sent = message.position
    different.insert("\(message.isWhole ? "all" : "\(message.start as Any)") \(message.position)")
    if newest.map({ $0.revision < message.revision }) ?? true { newest = message.position }
    let waited = now - request.time
    if case .progress(let position, let start) = message, position == start, isBeating, waited >= Self.heartbeat {
      return try require(position == before, "a heartbeat elsewhere")
    }
    if isFirst, message.isWhole { connection.mirror = WireReader() }
    _ = try connection.mirror.fold(message)
    try require(connection.mirror.position == message.position, "not there")
    try require(connection.mirror.snapshot == lists[message.revision], "another list")
    try require(isFirst || message.revision > before?.revision ?? -1, "no news")
    try require(!isFirst || before != nil && !connection.isStranger || message.isWhole, "not the whole list")
    // How old a list may be.
    let due = isPaced ? self.revision(at: now - Self.pace) : revision
    try require(message.revision >= due || lists[message.revision] == lists[due], "older than revision \(due)")
    try require(!connection.isStranger || !isFirst || message.revision >= request.revision, "older than at the request")
  }

  /// A request is open if there is nothing to say.
  private func judgeOpen(_ connection: Connection, _ id: Int) throws {
    guard let request = connection.request else { return }
    let waited = now - request.time
    func require(_ holds: Bool, _ what: String) throws {
      if !holds { throw Mismatch("connection \(id) at \(connection.mirror.state) waits for \(waited) s, and \(what)") }
    }
    try require(!isBeating || connection.count == 0 || waited < Self.heartbeat, "has no heartbeat")
    if isPaced, waited < Self.pace { return }
    try require(!isFinished, "has no end")
    if isRefused { return }
    let (list, last) = (lists[lists.count - 1], lists.count - 1)
    let isNewest =
      isPaced || isPlain ? connection.mirror.snapshot == list : connection.mirror.position?.revision == last
    try require(connection.count > 0 && isNewest, "is not at revision \(last)")
  }
}

extension WireMessage {
  fileprivate var isWhole: Bool { if case .initial = self { true } else { false } }
}

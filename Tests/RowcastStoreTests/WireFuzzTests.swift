@testable import RowcastModel

/// All that can happen to messages between a writer and mirrors of its list.
@Suite(.watched) struct WireFuzzTests {
  /// Cases that failed before.
  static let found: [String] = []

  @Test func `whatever a line and its ends do, a mirror is at a state of its writer, then the newest`() async throws {
    try await FeaturePairs<WireFeature>.drive("wire", runs: 60, long: 100_000, steps: 40, found: Self.found) {
      try await WireFuzz.play($0)
    }
  }
}

/// What happens between a writer and the mirrors of its list.
enum WireFeature: String, DrivenFeature {
  /// Messages are texts; the mirror was saved by a former program; the writer repeats the whole list at times.
  case text, saved, keyframes
  case edit, burst, unsent, keyframe, progress, finish
  case lose, double, shuffle, deliver, deliverAll, replay
  /// The newest is one of a writer that names no epoch, as in lines from before there were epochs.
  case restart, fork, otherList, unnamedList
  case mirrorRestart, mirrorForgets, request, connect, relay
  case wrong, impossible

  static let settings: Set<Self> = [.text, .saved, .keyframes]
}

/// A writer, a line that loses, doubles, delays and reorders, a `WireReader`, a mirror that is a list, and a mirror of that list.
///
/// What is known of a mirror's list is that the writer had it.
final class WireFuzz {

  private let run: FuzzRun<WireFeature>
  private var random: SeededGenerator
  private let isText: Bool
  private let policy: KeyframePolicy
  private var writer: Writer
  /// All states that the list had in any run, and the runs of each epoch when it was the newest.
  private var history: [ListPosition: TestSnapshot] = [:]
  private var lineages: [String: Lineage] = [:]
  private var epochs = 0
  private var line: [TestMessage] = []
  private var delivered: [TestMessage] = []

  /// A mirror that takes the same messages as the list, until a reconnection.
  private var reader: TestReader? = TestReader()
  private var mirror = TestMirror()
  private var relayed = TestMirror()
  private var followers: [(task: Task<Follower, any Error>, mirror: TestMirror)] = []
  /// The epochs that the mirror may know, and the newest revision of each that it may have heard of.
  private var heard: [String: Int] = [:]
  /// The runs of the mirror's list, as far as it knows them.
  private var known: Set<String> = []

  private init(_ run: FuzzRun<WireFeature>) throws {
    self.run = run
    random = run.random
    isText = run.has(.text)
    policy = run.has(.keyframes) ? KeyframePolicy(everyUpdates: 3) : .never
    writer = Writer(try .random(sections: 3, rows: 8, using: &random), epoch: "e0", keyframes: policy)
    note()
    _ = writer.wire.messages(for: writer.update(from: nil))
    if run.has(.saved) {
      mirror = TestMirror(writer.list, at: writer.position)
      reader = TestReader(writer.list, at: writer.position)
      heard[writer.position.epoch] = 0
      known = [writer.position.epoch]
    } else {
      line.append(writer.whole)
    }
    follow()
  }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private func note() {
    history[writer.position] = writer.list
    lineages[writer.lineage.epoch] = writer.lineage
  }

  private func follow() {
    let stream = mirror.updates()
    followers.append((Task { try await Follower.following(stream) }, mirror))
  }

  static func play(_ run: FuzzRun<WireFeature>) async throws {
    let fuzz = try WireFuzz(run)
    try await run.playSteps {
      fuzz.random = $1
      let isUsed = try await fuzz.perform($0)
      try await fuzz.check()
      return isUsed
    }
    try await fuzz.end()
  }

  // MARK: - Steps

  private func perform(_ feature: WireFeature) async throws -> Bool {
    switch feature {
    case .text, .saved, .keyframes: return false
    case .edit: return try edit(sending: true)
    case .burst: return try (0...number(1...3)).reduce(false) { isUsed, _ in try edit(sending: true) || isUsed }
    case .unsent: return try edit(sending: false)
    case .keyframe:
      if writer.isFinished { return false }
      line.append(writer.whole)
    case .progress:
      guard !writer.isFinished, writer.sent.position == writer.position else { return false }
      line.append(.progress(writer.position, since: writer.position))
    case .finish:
      guard !writer.isFinished, writer.sent.position == writer.position else { return false }
      writer.isFinished = true
      line.append(.end(revision: writer.revision, updates: 1, epoch: writer.lineage.epoch))
    case .lose:
      guard let index = line.indices.randomElement(using: &random) else { return false }
      line.remove(at: index)
    case .double:
      guard let message = line.randomElement(using: &random) else { return false }
      line.insert(message, at: number(0...line.count))
    case .shuffle:
      if line.count < 2 { return false }
      line.shuffle(using: &random)
    case .deliver, .deliverAll:
      if line.isEmpty { return false }
      let count = feature == .deliver ? min(line.count, number(1...2)) : line.count
      for _ in 0..<count { try await deliver(line.removeFirst()) }
    case .replay:
      guard let message = delivered.randomElement(using: &random) else { return false }
      try await deliver(message)
    case .restart, .fork: return restart(isFork: feature == .fork)
    case .otherList, .unnamedList:
      // Without an epoch, two lists could not be told apart.
      let isUnnamed = feature == .unnamedList
      if isUnnamed && lineages[""] != nil { return false }
      epochs += 1
      let list = number(0...1) == 0 ? writer.list : try TestSnapshot.random(sections: 3, rows: 8, using: &random)
      writer = Writer(list, epoch: isUnnamed ? "" : "e\(epochs)", keyframes: policy)
      note()
      line += writer.wire.messages(for: writer.update(from: nil))
    case .mirrorRestart:
      // Nothing is known but the list and its position.
      let (list, position) = await (mirror.snapshot, mirror.position)
      try await exchange(TestMirror(list, at: position), TestReader(list, at: position), at: position)
    case .mirrorForgets: try await exchange(TestMirror(), TestReader(), at: nil)
    case .request: try await request()
    case .connect: try await connect()
    case .relay: try await relay()
    case .wrong: return try await deliverWrong()
    case .impossible: try await deliverImpossible()
    }
    return true
  }

  private func edit(sending: Bool) throws -> Bool {
    if writer.isFinished { return false }
    var next = writer.list
    if number(0...2) == 0 {
      next = try .random(sections: 3, rows: 8, using: &random)
    } else {
      var parts = NaiveList(next).parts
      if let part = parts.indices.randomElement(using: &random) {
        if let row = parts[part].rows.indices.randomElement(using: &random) {
          switch number(0...2) {
          case 0: parts[part].rows.remove(at: row)
          case 1: parts[part].rows[row].text = "\(number(0...99))"
          default: parts[part].rows.shuffle(using: &random)
          }
        } else {
          parts[part].section.content.title = "\(number(0...99))"
        }
      }
      next = try TestSnapshot(parts.map { ListSection($0.section, rows: $0.rows) })
    }
    if next == writer.list { return false }
    (writer.list, writer.revision) = (next, writer.revision + 1)
    note()
    if sending {
      line += writer.wire.messages(for: writer.update(from: writer.sent))
      writer.sent = (writer.list, writer.position)
    }
    return true
  }

  /// The writer begins a run that continues from its newest state, or from a former one, like a file that lost its newest lines.
  private func restart(isFork: Bool) -> Bool {
    if writer.lineage.epoch.isEmpty { return restartWithEpoch(isFork: isFork) }
    let starts = history.keys.filter { writer.lineage.contains($0, upTo: writer.revision) && $0 != writer.position }
      .sorted { ($0.revision, $0.epoch) < ($1.revision, $1.epoch) }
    guard let start = isFork ? starts.randomElement(using: &random) : writer.position, let list = history[start],
      let last = writer.lineage.runs.firstIndex(where: { $0.epoch == start.epoch }),
      var lineage = Lineage(Array(writer.lineage.runs[...last]))
    else { return false }
    epochs += 1
    lineage.begin("e\(epochs)", at: start.revision)
    (writer.list, writer.revision, writer.lineage, writer.isFinished) = (list, start.revision, lineage, false)
    writer.sent = (list, start)
    note()
    if number(0...1) == 0 { line.append(writer.whole) }
    return true
  }

  /// A writer without an epoch begins to name one. Nobody knows that its list is the one before: the whole of it is sent.
  private func restartWithEpoch(isFork: Bool) -> Bool {
    if isFork { return false }
    epochs += 1
    writer.lineage = Lineage(of: "e\(epochs)", since: writer.revision)
    writer.isFinished = false
    writer.sent = (writer.list, writer.position)
    note()
    line.append(writer.whole)
    return true
  }

  private func exchange(_ next: TestMirror, _ reader: TestReader, at position: ListPosition?) async throws {
    await mirror.store.finish()
    (mirror, self.reader) = (next, reader)
    heard = position.map { [$0.epoch: $0.revision] } ?? [:]
    known = Set(position.map { [$0.epoch] } ?? [])
    follow()
  }

  // MARK: - Messages

  private func name(_ position: ListPosition?) -> String { position.map { "\($0)" } ?? "nowhere" }

  private func overLine(_ message: TestMessage) throws -> TestMessage {
    if !isText { return message }
    return try JSONDecoder().decode(TestMessage.self, from: JSONEncoder().encode(message))
  }

  /// What a message must bring about, as far as the rules alone say it.
  private func deliver(_ sent: TestMessage) async throws {
    let message = try overLine(sent)
    try Mismatch.unless(message == sent, "a message is \(message) after its way, not \(sent)")
    let (before, state) = await (mirror.position, mirror.state)
    let target = message.position
    let result = try await mirror.receive(message)
    if let update = try reader?.receive(message) {
      try Mismatch.unless(update.position == target, "the update leads to \(update.position)")
    }
    let after = await mirror.position
    func require(_ holds: Bool, _ what: String) throws {
      if !holds { throw Mismatch("\(what): \(message), from \(name(before)), \(state), to \(name(after)), \(result)") }
    }
    let hasEnded = if case .ended = state { true } else { false }
    switch message {
    case .initial:
      let isUnheard = heard[target.epoch] == nil
      let former = before.flatMap { $0.epoch == target.epoch ? nil : $0.epoch }
      let isLaterRun = former.map { lineages[target.epoch]?.contains($0) ?? false } ?? false
      let isLater = before.map { $0.epoch == target.epoch && target.revision > $0.revision } ?? true
      // Without an epoch, it may be a restarted writer's.
      let isUnnamed = target.epoch.isEmpty
      if isUnheard || isLaterRun || isLater || isUnnamed { try require(after == target, "a whole list is not taken") }
    case .changes, .progress:
      if let before, before.epoch == target.epoch, message.start == before, !hasEnded || target == before {
        try require(after == target, "changes that follow are not taken")
      }
      if let before, message.start == before, before.epoch != target.epoch, heard[target.epoch] == nil,
        !target.epoch.isEmpty
      {
        try require(after == target, "changes of the next run are not taken")
      }
    case .end:
      if before == target, state == .following(target) {
        try require(result == .ended(target), "the end is not noticed")
      }
    case .run: break
    }
    // A list that was left does not return.
    if let before, let after, before != after {
      let isUnnamed = after.epoch.isEmpty
      if before.epoch == after.epoch {
        try require(after.revision > before.revision || isUnnamed && message.kind == "initial", "the mirror went back")
      } else if isUnnamed {
        try require(message.kind == "initial", "a step has led to a list without an epoch")
      }
      try require(
        after == target && (before.epoch == after.epoch || isUnnamed || !known.contains(after.epoch)),
        "the mirror went back to a former run")
    }
    noteRuns(of: message, from: before, to: after)
    if let after, target.epoch == after.epoch, target.revision > after.revision {
      let isWaiting = result == .waiting(for: .changes(since: after)) || result == .waiting(for: .wholeList)
      try require(isWaiting, "nothing is missed")
    }
    heard[target.epoch] = max(heard[target.epoch] ?? 0, target.revision)
    for run in message.runs { heard[run.epoch] = max(heard[run.epoch] ?? 0, run.revision) }
    delivered.append(sent)
  }

  /// Notes what a mirror knows of its list.
  private func noteRuns(of message: TestMessage, from before: ListPosition?, to after: ListPosition?) {
    guard let after, after == message.position, before != after else { return }
    if case .initial = message { known = [] }
    known.formUnion(message.runs.map(\.epoch) + [after.epoch])
  }

  /// The answer of the writer to a mirror at a position.
  private func answer(_ position: ListPosition?) -> TestMessage? {
    if position == writer.position { return nil }
    guard let position, writer.lineage.contains(position, upTo: writer.revision), let list = history[position] else {
      return writer.whole
    }
    return TestMessage(shortest: writer.update(from: (list, position)))
  }

  private func request() async throws {
    let position: ListPosition? =
      switch await mirror.state {
      case .waiting(.wholeList): nil
      case .waiting(.changes(let since)): since
      case .following(let position), .ended(let position): position
      }
    if let message = answer(position) { line.append(message) }
  }

  /// A connection whose messages arrive in order. It begins with the answer to the mirror's position.
  private func connect() async throws {
    let position = await mirror.beginStream()
    reader = nil
    let message = try overLine(answer(position) ?? .progress(writer.position, since: writer.position))
    let step = try await mirror.applyNext(message)
    let (now, list, state) = await (mirror.position, mirror.snapshot, mirror.state)
    try Mismatch.unless(
      now == writer.position && list == writer.list,
      "after \(step), connected at \(name(position)): at \(name(now)), \(state), not at \(writer.position)")
    heard[writer.position.epoch] = max(heard[writer.position.epoch] ?? 0, writer.revision)
    noteRuns(of: message, from: position, to: now)
    for run in writer.lineage.runs { heard[run.epoch] = max(heard[run.epoch] ?? 0, run.revision) }
    if writer.isFinished {
      _ = try await mirror.applyNext(.end(revision: writer.revision, updates: 1, epoch: writer.lineage.epoch))
    }
  }

  /// A mirror of the mirror asks it for what it misses.
  private func relay() async throws {
    guard await mirror.position != nil else { return }
    if let message = await mirror.store.message(since: relayed.position) { try await relayed.receive(message) }
    let (list, copy) = await (mirror.snapshot, relayed.snapshot)
    try Mismatch.unless(list == copy, "the mirror of the mirror has another list")
  }

  private func expectRefusal(of message: TestMessage, by take: () async throws -> Void) async throws {
    do { try await take() } catch is WireError { return }
    throw Mismatch("\(message) is taken")
  }

  /// Changes that start where the mirror is, and do not fit its list: as from a writer with another list at that position.
  private func deliverWrong() async throws -> Bool {
    guard let position = await mirror.position, case .following = await mirror.state else { return false }
    let list = await mirror.snapshot
    let changes = ListChanges(rows: Changeset(deletes: [RowPath(section: list.sectionCount, row: 7)]))
    let message = TestMessage(
      TestUpdate(
        revision: position.revision + 1, previous: position.revision, changes: changes, snapshot: list,
        epoch: position.epoch))
    try await expectRefusal(of: message) { _ = try await self.mirror.receive(message) }
    if reader != nil { try await expectRefusal(of: message) { _ = try self.reader?.receive(message) } }
    let (state, now, kept) = await (mirror.state, mirror.position, mirror.snapshot)
    try Mismatch.unless(
      state == .waiting(for: .wholeList) && now == nil && kept == list, "after changes that do not fit: \(state)")
    return true
  }

  /// A message that no writer sends.
  private func deliverImpossible() async throws {
    let before = await (mirror.state, mirror.position, mirror.snapshot)
    let messages: [TestMessage] = [
      .initial(revision: -1, snapshot: writer.list, epoch: writer.lineage.epoch),
      .progress(writer.position, since: ListPosition(epoch: writer.lineage.epoch, revision: writer.revision + 1)),
      .end(revision: -3, updates: 0, epoch: writer.lineage.epoch),
    ]
    let message = messages[number(0...2)]
    try await expectRefusal(of: message) { _ = try await self.mirror.receive(message) }
    let after = await (mirror.state, mirror.position, mirror.snapshot)
    try Mismatch.unless(before == after, "\(message) has changed something")
  }

  // MARK: - Checks

  private func check() async throws {
    let (position, list, state) = await (mirror.position, mirror.snapshot, mirror.state)
    if let position {
      try Mismatch.unless(history[position] == list, "the writer was never at \(position) with this list")
    }
    switch state {
    case .following(let at), .ended(let at), .waiting(.changes(let at)):
      try Mismatch.unless(at == position, "\(state) at \(String(describing: position))")
    case .waiting(.wholeList): break
    }
    if let reader {
      try Mismatch.unless(
        reader.position == position && reader.snapshot == list && reader.state == state,
        "\(state), and the reader \(reader.state)")
    }
  }

  /// The line is quiet: what was on its way arrives, and then a whole list gets through.
  private func end() async throws {
    while !line.isEmpty { try await deliver(line.removeFirst()) }
    try await check()
    // A list that the mirror has left, because an older whole list arrived too late, is believed again when it advances.
    writer.isFinished = false
    while try !edit(sending: false) {}
    try await deliver(writer.whole)
    try await check()
    let state = await mirror.state
    try Mismatch.unless(state == .following(writer.position), "\(state), but the writer is at \(writer.position)")
    try await relay()
    await mirror.store.finish()
    await relayed.store.finish()
    for (task, mirror) in followers {
      let (follower, last) = (try await task.value, NaiveList(await mirror.snapshot))
      try Mismatch.unless(follower.list == last, "who follows the mirror has another list")
    }
  }
}

extension WireMessage {
  /// The runs that the message names.
  fileprivate var runs: [ListPosition] {
    if case .initial(_, _, _, let lineage) = self { lineage.runs } else { [] }
  }
}

extension WireFuzz {
  /// A writer of a list.
  struct Writer {
    var list: TestSnapshot
    var revision = 0
    var lineage: Lineage
    var sent: (list: TestSnapshot, position: ListPosition)
    var position: ListPosition { ListPosition(epoch: lineage.epoch, revision: revision) }
    var isFinished = false
    var wire: WireWriter<TestSection, TestRow>

    init(_ list: TestSnapshot, epoch: String, keyframes: KeyframePolicy) {
      (self.list, lineage) = (list, epoch.isEmpty ? Lineage() : Lineage(of: epoch))
      sent = (list, ListPosition(epoch: epoch, revision: 0))
      wire = WireWriter(keyframes: keyframes)
    }

    func update(from former: (list: TestSnapshot, position: ListPosition)?) -> TestUpdate {
      guard let former else {
        return TestUpdate(initial: list, revision: revision, epoch: lineage.epoch, lineage: lineage)
      }
      return TestUpdate(
        revision: revision, previous: former.position.revision, changes: former.list.changes(to: list), snapshot: list,
        epoch: lineage.epoch, previousEpoch: former.position.epoch, lineage: lineage)
    }
    var whole: TestMessage { TestMessage(update(from: nil)) }
  }
}

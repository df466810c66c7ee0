@testable import RowcastStore

/// A list that is not a store.
struct PlainList: LiveList {
  let store: TestStore
  var snapshot: TestSnapshot { get async { await store.snapshot } }
  var revision: Int { get async { await store.revision } }
  func updates() -> AsyncStream<TestUpdate> { store.updates() }
}

/// Lines between common revisions, for connections that read at any moment.
@Suite(.watched) struct PacedLinesTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private typealias Encoded = EncodedList<TestSection, TestRow, TestMessage>
  private typealias Lines = AsyncThrowingStream<TestMessage, any Error>

  private static let pace = Duration.milliseconds(50)

  /// The messages of a list, each a line, with a count of how many were made.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func encoded(
    _ list: some LiveList<TestSection, TestRow>, on clock: ManualClock
  ) -> (list: Encoded, encodings: CallCount) {
    let encodings = CallCount()
    return (Encoded(list, every: pace, clock: clock) { encodings.note($0) }, encodings)
  }

  /// A connection that reads in a task of its own: a line for each permit.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private final class Reader: Sendable {
    private let permit: AsyncStream<Void>.Continuation
    let task: Task<[TestMessage], any Error>

    init(_ list: Encoded, since position: ListPosition? = nil, heartbeat: Duration? = nil) {
      let (permits, permit) = AsyncStream.makeStream(of: Void.self)
      self.permit = permit
      task = Task {
        var messages: [TestMessage] = []
        var lines = list.lines(since: position, heartbeat: heartbeat).makeAsyncIterator()
        for await _ in permits {
          guard let line = try await lines.next() else { break }
          messages.append(line)
        }
        // No more permits are needed to the end.
        while let line = try await lines.next() { messages.append(line) }
        return messages
      }
    }

    func read() { permit.yield() }
    func readAll() { permit.finish() }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `all connections get the lines between common revisions, each encoded once`() async throws {
    let (store, clock) = (try TestStore.with([]), ManualClock())
    let (list, encodings) = Self.encoded(store, on: clock)
    let connections = (0..<50).map { _ in list.lines() }
    for lines in connections { #expect(try await lines.next()?.revision == 0) }
    for tick in 1...5 {
      for id in 0..<10 { try await store.edit { try $0.append(TestRow(10 * tick + id), to: "a") } }
      let first = Task { try await connections[0].next() }
      await clock.waitForSleepers(1)
      await clock.advance(by: Self.pace)
      #expect(try await first.value?.revision == 10 * tick)
      // The others read while the list changes again.
      for lines in connections.dropFirst() { #expect(try await lines.next()?.revision == 10 * tick) }
    }
    #expect(encodings.value == 6)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `mirrors behind lines with paces and heartbeats have the list, whatever cannot be encoded`() async throws {
    var random = SeededGenerator.forFuzzing("lines")
    for round in 0..<SeededGenerator.rounds(24, long: 4_000) { try await Self.play("round \(round)", using: &random) }
  }

  /// Readers that are late, slow or reconnect, at lines of a changing list.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func play(_ round: String, using random: inout SeededGenerator) async throws {
    let note = Comment(rawValue: "seed \(random.seed), \(round)")
    let history = ListHistory.last([3, 30].randomElement(using: &random) ?? 0)
    let (store, clock, encodings) = (TestStore(epoch: "e", history: history), ManualClock(), CallCount())
    let (isStore, refuses) = (Int.random(in: 0..<4, using: &random) > 0, Bool.random(using: &random))
    let every = Bool.random(using: &random) ? pace : .zero
    let encode: @Sendable (TestMessage) throws -> TestMessage = { message in
      if refuses, message.revision % 3 == 2, message.kind != "end" { throw CancellationError() }
      return encodings.note(message)
    }
    let list =
      isStore
      ? Encoded(store, every: every, clock: clock, encode: encode)
      : Encoded(PlainList(store: store), every: every, clock: clock, encode: encode)
    var states = [await store.snapshot]
    var readers: [Reader] = []
    // Where each begins, and the revision of the list then.
    var starts: [(position: ListPosition?, newest: Int)] = []
    for step in 0..<80 {
      switch step == 0 ? 5 : Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        if step < 9 || Int.random(in: 0..<4, using: &random) == 0 {
          try await store.replace(with: try .random(sections: 3, rows: 30, using: &random))
        } else if let id = Array(states[states.count - 1].allRows).randomElement(using: &random)?.id {
          try await store.edit { try $0.update(id) { $0.text += "x" } }
        }
        if await store.revision < states.count { continue }
        states.append(await store.snapshot)
        if Int.random(in: 0..<4, using: &random) > 0 { continue }
        // A list with its former content, at a later revision.
        states += [states[states.count - 2], states[states.count - 1]]
        for state in states.suffix(2) { try await store.replace(with: state) }
      case 2...4: if await clock.sleeperCount > 0 { await clock.advance(by: pace / 2) }
      case 5:
        let newest = await store.revision
        // A position of the list, which it may no longer know, no position, or one that it never had.
        let epoch = ["e", "e", nil, "x"].randomElement(using: &random) ?? nil
        let start = epoch.map { ListPosition(epoch: $0, revision: Int.random(in: 0...newest + 2, using: &random)) }
        starts.append((start, newest))
        let heartbeat = Bool.random(using: &random) ? pace / 2 : nil
        readers.append(Reader(list, since: start, heartbeat: heartbeat))
      case 6: readers.randomElement(using: &random)?.read()
      default: for reader in readers where Bool.random(using: &random) { reader.read() }
      }
      for _ in 0..<Int.random(in: 1..<40, using: &random) { await Task.yield() }
    }
    try await store.edit { try $0.append(TestSection("end")) }
    states.append(await store.snapshot)
    let isCut = refuses && states.count % 3 == 0
    await store.finish()
    for reader in readers { reader.readAll() }
    // The pace passes whenever a task waits for it.
    let ticking = Task {
      while !Task.isCancelled {
        if await clock.sleeperCount > 0 { await clock.advance(by: pace) }
        await Task.yield()
      }
    }
    defer { ticking.cancel() }
    var all: [[TestMessage]] = []
    for reader in readers { all.append(try await reader.task.value) }
    let ticks = Set(all.joined().map(\.revision)).sorted()
    // The ends are made by each connection for itself.
    var others = readers.count
    for ((start, newest), lines) in zip(starts, all) {
      let messages = lines.prefix { $0.kind != "end" }
      // Another way may have led a mirror to the newest list. A position of later may be known when the connection begins.
      let isPosition = start.map { $0.epoch == "e" && $0.revision <= newest } ?? false
      let least = start.map { isPosition ? $0.revision : newest } ?? 0
      let first = try #require(lines.first)
      #expect(first.revision >= least, note)
      var mirror = TestReader()
      if let start, start.epoch == "e", start.revision < states.count, first.kind != "initial" {
        mirror = TestReader(states[start.revision], at: start)
      }
      for (index, message) in messages.enumerated() {
        let before = mirror.snapshot
        // Heartbeats, too, are at what the mirror has.
        do { _ = try mirror.fold(message) } catch {
          throw Mismatch("\(note), since \(start as Any): \(error), in \(lines.map(\.summary))")
        }
        #expect(mirror.snapshot == states[message.revision], note)
        if case .changes(let changes) = message, let tick = ticks.firstIndex(of: changes.position.revision), tick > 0,
          ticks[tick - 1] == changes.previous
        {
          continue
        }
        others += 1
        if message.kind != "initial" || index == 0 || start != nil { continue }
        let changes = before.changes(to: mirror.snapshot)
        let update = TestUpdate(revision: 1, previous: 0, changes: changes, snapshot: mirror.snapshot)
        #expect(update.isLongerThanList, "\(note): the whole list is sent again")
      }
      #expect(isCut || mirror.snapshot == states.last, note)
      let end = TestMessage.end(revision: states.count - 1, updates: messages.count, epoch: "e")
      #expect(Array(lines.dropFirst(messages.count)) == [end], note)
    }
    if every == .zero { return }
    #expect(pace * (ticks.count - 1) <= ManualClock().now.duration(to: clock.now), note)
    if !refuses { #expect(encodings.value <= ticks.count + others, note) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `no clock runs, and no connection is left, while nobody waits`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    var list: Encoded? = Self.encoded(store, on: clock).list
    #expect(await store.core.waiterCount == 0)
    var lines = list?.lines()
    if let lines { _ = try await lines.next() }
    for id in 2...5 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
    // Nobody waits for the next line.
    for _ in 0..<100 { await Task.yield() }
    #expect(await clock.sleeperCount == 0)
    #expect(await store.core.waiterCount == 0)
    let waiting = Task { [lines] in try await #require(lines).next() }
    await clock.waitForSleepers(1)
    await clock.advance(by: Self.pace)
    #expect(try await waiting.value?.revision == 4)
    // What reads waits for the list, without a clock.
    let cancelled = Task { [lines] in try await #require(lines).next() }
    await clock.waitForSleepers(1)
    await clock.advance(by: Self.pace)
    await eventually { await store.core.waiterCount == 1 }
    #expect(await clock.sleeperCount == 0)
    cancelled.cancel()
    #expect(try await cancelled.value == nil)
    (list, lines) = (nil, nil)
    await eventually { await store.core.waiterCount == 0 }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection gets the newest list after a rest, or is told that it is up to date`() async throws {
    let (store, clock) = (TestStore(try .of(("a", [1])), epoch: "e", history: .last(10)), ManualClock())
    let (list, _) = Self.encoded(store, on: clock)
    let first = list.lines()
    #expect(try await first.next()?.revision == 0)
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    // Within the pace the state is not older than that.
    let second = list.lines()
    #expect(try await second.next()?.revision == 0)
    await clock.advance(by: .seconds(60))
    for _ in 0..<3 {
      let late = list.lines()
      #expect(try await late.next()?.revision == 1)
      let known = list.lines(since: ListPosition(epoch: "e", revision: 1))
      let position = await store.position
      #expect(try await known.next() == .progress(position, since: position))
      await clock.advance(by: .seconds(60))
    }
    // Many that begin at once look at the list once.
    try await store.edit { try $0.append(TestRow(3), to: "a") }
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<50 { group.addTask { try await list.lines().next()?.revision } }
      for try await revision in group { #expect(revision == 2) }
    }
    await clock.advance(by: .seconds(60))
    // A mirror that was further already waits for the next revision.
    let newest = list.lines()
    #expect(try await newest.next()?.revision == 2)
    try await store.edit { try $0.append(TestRow(4), to: "a") }
    let ahead = Task { try await list.lines(since: ListPosition(epoch: "e", revision: 3)).next() }
    await clock.waitForSleepers(1)
    await clock.advance(by: Self.pace)
    let position = await store.position
    #expect(try await ahead.value == .progress(position, since: position))
  }

  /// A list whose updates from a revision on are read, and not delivered until the gate is open.
  private struct HeldList: LiveList {
    let store: TestStore
    let revisionOfGate: Int
    let gate = Gate()
    let arrivals = CallCount()

    var snapshot: TestSnapshot { get async { await store.snapshot } }
    var revision: Int { get async { await store.revision } }
    func updates() -> AsyncStream<TestUpdate> {
      let updates = store.updates()
      return AsyncStream {
        let isHeld = await store.revision >= revisionOfGate
        var iterator = updates.makeAsyncIterator()
        let update = await iterator.next()
        if isHeld {
          arrivals.note(())
          await gate.pass()
        }
        return update
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a connection that begins while an old state is being replaced waits for the new one`() async throws {
    let (held, clock) = (HeldList(store: try TestStore.with([1]), revisionOfGate: 1), ManualClock())
    let (list, _) = Self.encoded(held, on: clock)
    let first = list.lines()
    #expect(try await first.next()?.revision == 0)
    try await held.store.edit { try $0.append(TestRow(2), to: "a") }
    await clock.advance(by: .seconds(3_600))
    let second = Task { try await first.next()?.revision }
    await eventually { held.arrivals.value == 1 }
    let late = Task { try await list.lines().next()?.revision }
    for _ in 0..<1_000 { await Task.yield() }
    await held.gate.open()
    #expect(try await second.value == 1)
    #expect(try await late.value == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.enabled(if: Schedule.canSettle))
  func `mirrors that a list does not know get no list read before they came, and share the next`() async throws {
    for seed in 0..<20 as Range<UInt64> {
      let (result, _) = await Schedule.run(seed: seed, settles: true) { () -> [Int?]? in
        guard let store = try? TestStore.with([1]) else { return nil }
        let (held, clock) = (HeldList(store: store, revisionOfGate: 0), ManualClock())
        let (list, _) = Self.encoded(held, on: clock)
        let first = Task { try await list.lines().next()?.revision }
        await eventually { held.arrivals.value == 1 }
        try? await store.edit { try $0.append(TestRow(2), to: "a") }
        let strangers = (0..<20).map { number in
          Task { try await list.lines(since: ListPosition(epoch: "x", revision: number)).next()?.revision }
        }
        // All of them have arrived.
        try? await Schedule.settle()
        await held.gate.open()
        var revisions = [try? await first.value]
        await clock.waitForSleepers(1)
        await clock.advance(by: Self.pace)
        for stranger in strangers { revisions.append(try? await stranger.value) }
        // A slow list would be read for no reader, if each of them restarted the read.
        return revisions + [held.arrivals.value]
      }
      #expect(result == [0] + Array(repeating: 1, count: 20) + [2], "seed \(seed)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [Duration.nanoseconds(1), .seconds(Int64.max)])
  func `a pace may be any duration`(_ pace: Duration) async throws {
    let store = try TestStore.with([1])
    #expect(try await Encoded(store, every: pace) { $0 }.lines().next()?.revision == 0)
  }

  @Test(arguments: ["a", "b"])
  func `an update that is made to start elsewhere names the run of its start if that is another`(epoch: String) throws {
    let (former, list) = (try TestSnapshot.of(("a", [1])), try TestSnapshot.of(("a", [1, 2])))
    var update = TestUpdate(revision: 5, previous: 4, changes: ListChanges(), snapshot: list, epoch: "b")
    let start = ListPosition(epoch: epoch, revision: 3)
    update.start(at: start, former)
    #expect(update.start == start && update.previousEpoch == (epoch == "b" ? nil : "a"))
    #expect(update.changes == former.changes(to: list))
  }
}

import Foundation
import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// A list that is no store.
struct PlainList: LiveList {
  let store: TestStore
  var snapshot: TestSnapshot { get async { await store.snapshot } }
  var revision: Int { get async { await store.revision } }
  func updates() -> AsyncStream<TestUpdate> { store.updates() }
}

/// Lines between common revisions, for connections that read at any moment.
@Suite(.watched) struct PacedLinesTests {
  private typealias Message = WireMessage<TestSection, TestRow>
  private typealias Mirror = WireReader<TestSection, TestRow>
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private typealias Encoded = EncodedList<TestSection, TestRow, Message>
  private typealias Lines = AsyncThrowingStream<Message, any Error>

  private static let pace = Duration.milliseconds(50)

  /// The messages of a list, each a line, with a count of how many were made.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func encoded(
    _ list: some LiveList<TestSection, TestRow>, on clock: ManualClock, every pace: Duration = pace
  ) -> (list: Encoded, encodings: CallCount) {
    let encodings = CallCount()
    return (Encoded(list, every: pace, clock: clock) { encodings.note($0) }, encodings)
  }

  private static func next(of lines: Lines) async throws -> Message? {
    var iterator = lines.makeAsyncIterator()
    return try await iterator.next()
  }

  /// A connection that reads in a task of its own: a line for each permit.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private final class Reader: Sendable {
    private let permit: AsyncStream<Void>.Continuation
    let task: Task<[Message], any Error>

    init(_ list: Encoded, since position: ListPosition? = nil) {
      let (permits, permit) = AsyncStream.makeStream(of: Void.self)
      self.permit = permit
      task = Task {
        var messages: [Message] = []
        var lines = list.lines(since: position).makeAsyncIterator()
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

  /// Edits a store, and moves the clock when somebody waits for it, until all have read to its end.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func finish(_ store: TestStore, _ readers: [Reader], _ clock: ManualClock) async throws -> [[Message]]
  {
    await store.finish()
    for reader in readers { reader.readAll() }
    let ticking = Task {
      while !Task.isCancelled {
        if await clock.sleeperCount > 0 { await clock.advance(by: pace) }
        await Task.yield()
      }
    }
    var messages: [[Message]] = []
    for reader in readers { messages.append(try await reader.task.value) }
    ticking.cancel()
    return messages
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `all connections get the lines between common revisions, each encoded once`() async throws {
    let (store, clock) = (try TestStore.with([]), ManualClock())
    let (list, encodings) = Self.encoded(store, on: clock)
    let connections = (0..<50).map { _ in list.lines() }
    for lines in connections { #expect(try await Self.next(of: lines)?.revision == 0) }
    for tick in 1...5 {
      for id in 0..<10 { try await store.edit { try $0.append(TestRow(10 * tick + id), to: "a") } }
      let first = Task { try await Self.next(of: connections[0]) }
      await clock.waitForSleepers(1)
      await clock.advance(by: Self.pace)
      #expect(try await first.value?.revision == 10 * tick)
      // The others read while the list changes again.
      for lines in connections.dropFirst() { #expect(try await Self.next(of: lines)?.revision == 10 * tick) }
    }
    #expect(encodings.value == 6)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `no more is encoded than ticks and beginnings, however many connections there are`() async throws {
    let (store, clock) = (try TestStore.with(Array(0..<20)), ManualClock())
    let (list, encodings) = Self.encoded(store, on: clock)
    let readers = (0..<200).map { _ in Reader(list) }
    for reader in readers { reader.readAll() }
    await eventually { await list.figures.lines >= readers.count }
    for number in 0..<400 {
      try await store.edit { try $0.update(number % 20) { $0.text = "\(number)" } }
      if number % 20 != 19 { continue }
      let sent = await list.figures.revisions
      await clock.waitForSleepers(1)
      await clock.advance(by: Self.pace)
      await eventually { await list.figures.revisions > sent }
    }
    let messages = try await Self.finish(store, readers, clock)
    let revisions = Set(messages.joined().map(\.revision))
    for messages in messages {
      var mirror = Mirror()
      for message in messages { _ = try mirror.fold(message) }
      #expect(await mirror.snapshot == store.snapshot)
      #expect(await mirror.state == .ended(store.position))
    }
    // The ends are made by each connection for itself.
    let ends = messages.count
    #expect(encodings.value - ends <= revisions.count + readers.count, "\(encodings.value), \(revisions.count)")
    #expect(revisions.count > 10)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `mirrors of connections that come late, are slow or come back have the list`() async throws {
    var random = SeededGenerator.forFuzzing("paced lines")
    for round in 0..<SeededGenerator.rounds(30, long: 2_000) {
      let (store, clock) = (TestStore(epoch: "e", history: .last(30)), ManualClock())
      let (list, encodings) = Self.encoded(store, on: clock)
      var naive = [store.epoch: [await store.snapshot]]
      var readers: [Reader] = [Reader(list)]
      // Where each begins, and the revision of the list then.
      var starts: [(position: ListPosition?, newest: Int)] = [(nil, 0)]
      for _ in 0..<60 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          try await store.replace(with: try .random(sections: 3, rows: 8, using: &random))
          if await store.revision == naive["e"]?.count { naive["e"]?.append(await store.snapshot) }
        case 2: if await clock.sleeperCount > 0 { await clock.advance(by: Self.pace / 2) }
        case 3:
          let newest = await store.revision
          let revision = Int.random(in: 0...newest, using: &random)
          // A position of the list, none, or one that it does not know.
          let epoch = ["e", "e", nil, "x"].randomElement(using: &random) ?? nil
          let start = epoch.map { ListPosition(epoch: $0, revision: revision) }
          starts.append((start, newest))
          readers.append(Reader(list, since: start))
        case 4: readers.randomElement(using: &random)?.read()
        default: for reader in readers where Bool.random(using: &random) { reader.read() }
        }
        await Task.yield()
      }
      let all = try await Self.finish(store, readers, clock)
      let ticks = Set(all.joined().map(\.revision))
      let sorted = ticks.sorted()
      var others = 0
      let time = ManualClock().now.duration(to: clock.now)
      #expect(Self.pace * (ticks.count - 1) <= time, "seed \(random.seed), round \(round)")
      for ((start, newest), messages) in zip(starts, all) {
        let states = try #require(naive["e"])
        let known = start.flatMap { $0.epoch == "e" ? $0 : nil }
        var mirror = known.map { Mirror(states[$0.revision], at: $0) } ?? Mirror()
        // Another way may have led a mirror with a position of its own to the newest list.
        if start != known { #expect(try #require(messages.first).revision >= newest, "seed \(random.seed)") }
        for message in messages {
          _ = try mirror.fold(message)
          #expect(mirror.snapshot == states[message.revision], "seed \(random.seed), round \(round)")
          if case .changes(let changes) = message,
            let index = sorted.firstIndex(of: changes.revision), index > 0, sorted[index - 1] == changes.previous
          {
            continue
          }
          others += 1
        }
        #expect(await mirror.state == .ended(store.position), "seed \(random.seed), round \(round)")
      }
      #expect(encodings.value <= ticks.count + others, "seed \(random.seed), round \(round)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `no clock runs, and no connection is left, while nobody waits`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    var list: Encoded? = Self.encoded(store, on: clock).list
    #expect(await store.core.waiterCount == 0)
    var lines = list?.lines()
    if let lines { _ = try await Self.next(of: lines) }
    for id in 2...5 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
    // Nobody waits for the next line.
    for _ in 0..<100 { await Task.yield() }
    #expect(await clock.sleeperCount == 0)
    #expect(await store.core.waiterCount == 0)
    let waiting = Task { [lines] in try await Self.next(of: #require(lines)) }
    await clock.waitForSleepers(1)
    await clock.advance(by: Self.pace)
    #expect(try await waiting.value?.revision == 4)
    // What reads waits for the list, without a clock.
    let cancelled = Task { [lines] in try await Self.next(of: #require(lines)) }
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
  @Test func `a connection that begins after a rest gets the newest list, and one that is up to date is told so`()
    async throws
  {
    let (store, clock) = (TestStore(try .of(("a", [1])), epoch: "e", history: .last(10)), ManualClock())
    let (list, _) = Self.encoded(store, on: clock)
    let first = list.lines()
    #expect(try await Self.next(of: first)?.revision == 0)
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    // Within the pace the state is not older than that.
    let second = list.lines()
    #expect(try await Self.next(of: second)?.revision == 0)
    await clock.advance(by: .seconds(60))
    for _ in 0..<3 {
      let late = list.lines()
      #expect(try await Self.next(of: late)?.revision == 1)
      let known = list.lines(since: ListPosition(epoch: "e", revision: 1))
      let position = await store.position
      #expect(try await Self.next(of: known) == .progress(position, since: position))
      await clock.advance(by: .seconds(60))
    }
    // Many that begin at once look at the list once.
    try await store.edit { try $0.append(TestRow(3), to: "a") }
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<50 { group.addTask { try await Self.next(of: list.lines())?.revision } }
      for try await revision in group { #expect(revision == 2) }
    }
    await clock.advance(by: .seconds(60))
    // A mirror that was further already waits for the next revision.
    let newest = list.lines()
    #expect(try await Self.next(of: newest)?.revision == 2)
    try await store.edit { try $0.append(TestRow(4), to: "a") }
    let ahead = Task { try await Self.next(of: list.lines(since: ListPosition(epoch: "e", revision: 3))) }
    await clock.waitForSleepers(1)
    await clock.advance(by: Self.pace)
    let position = await store.position
    #expect(try await ahead.value == .progress(position, since: position))
  }

  /// Lets the pace pass whenever somebody waits for it.
  private static func ticking(_ clock: ManualClock) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        if await clock.sleeperCount > 0 { await clock.advance(by: pace) }
        await Task.yield()
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a mirror whose position the list does not know gets no older list than the list has`() async throws {
    let (store, clock) = (TestStore(try .of(("a", [1])), epoch: "e"), ManualClock())
    let (list, _) = Self.encoded(store, on: clock)
    let first = list.lines()
    #expect(try await Self.next(of: first)?.revision == 0)
    let ticking = Self.ticking(clock)
    // Another way to the list has led the mirror to the first of them. The others are of another list, or invented.
    for (epoch, revision) in [("e", 1), ("f", 3), ("e", 1_000_000)] {
      for _ in 0..<2 {
        let id = await store.revision + 2
        try await store.edit { try $0.append(TestRow(id), to: "a") }
      }
      let position = ListPosition(epoch: epoch, revision: revision)
      let whole = await Message.initial(revision: store.revision, snapshot: store.snapshot, epoch: "e")
      #expect(try await Self.next(of: list.lines(since: position)) == whole)
      // Nothing has changed since.
      #expect(try await Self.next(of: list.lines(since: position)) == whole)
    }
    ticking.cancel()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a mirror whose position the list does not know gets the list also where only its revision has changed`()
    async throws
  {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let (list, _) = Self.encoded(PlainList(store: store), on: clock)
    let first = list.lines()
    #expect(try await Self.next(of: first)?.revision == 0)
    let ticking = Self.ticking(clock)
    defer { ticking.cancel() }
    // Nobody waits, and the stream of such a list has no update for this.
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    try await store.edit { try $0.remove(2) }
    let stranger = ListPosition(epoch: "x", revision: 1)
    #expect(try await Self.next(of: list.lines(since: stranger))?.revision == 2)
    #expect(try await Self.next(of: first)?.revision == 2)
    // The list is waited for.
    let waiting = Task { try await Self.next(of: first)?.revision }
    await eventually { await store.waiterCount == 1 }
    for _ in 0..<3 { #expect(try await Self.next(of: list.lines(since: stranger))?.revision == 2) }
    try await store.edit { try $0.append(TestRow(3), to: "a") }
    #expect(try await waiting.value == 3)
  }

  /// A list of which each update from a revision on is read, and not delivered until the gate is open.
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
    #expect(try await Self.next(of: first)?.revision == 0)
    try await held.store.edit { try $0.append(TestRow(2), to: "a") }
    await clock.advance(by: .seconds(3_600))
    let second = Task { try await Self.next(of: first)?.revision }
    await eventually { held.arrivals.value == 1 }
    let late = Task { try await Self.next(of: list.lines())?.revision }
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
        let first = Task { try await Self.next(of: list.lines())?.revision }
        await eventually { held.arrivals.value == 1 }
        try? await store.edit { try $0.append(TestRow(2), to: "a") }
        let strangers = (0..<20).map { number in
          Task { try await Self.next(of: list.lines(since: ListPosition(epoch: "x", revision: number)))?.revision }
        }
        // All of them are there.
        try? await Schedule.settle()
        await held.gate.open()
        var revisions = [try? await first.value]
        await clock.waitForSleepers(1)
        await clock.advance(by: Self.pace)
        for stranger in strangers { revisions.append(try? await stranger.value) }
        // A list that is slow would be read for nobody, if each of them began the reading anew.
        return revisions + [held.arrivals.value]
      }
      #expect(result == [0] + Array(repeating: 1, count: 20) + [2], "seed \(seed)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the last state is sent after the pace, then the end`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let (list, _) = Self.encoded(store, on: clock)
    let reader = Reader(list)
    reader.read()
    await eventually { await clock.sleeperCount == 0 }
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    let messages = try await Self.finish(store, [reader], clock)[0]
    #expect(messages.last == .end(revision: 1, updates: messages.count - 1, epoch: store.epoch))
    #expect(messages.dropLast().last?.revision == 1)
    // One that comes afterwards gets the list and the end, too.
    let late = try await Self.finish(store, [Reader(list)], clock)[0]
    let whole = await Message.initial(revision: 1, snapshot: store.snapshot, epoch: store.epoch)
    #expect(late == [whole, .end(revision: 1, updates: 1, epoch: store.epoch)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list that is not a store has a pace, too`() async throws {
    let (store, clock) = (try TestStore.with([1]), ManualClock())
    let (list, encodings) = Self.encoded(PlainList(store: store), on: clock)
    let readers = (0..<20).map { _ in Reader(list) }
    for id in 2...30 {
      try await store.edit { try $0.append(TestRow(id), to: "a") }
      for reader in readers { reader.read() }
      if await clock.sleeperCount > 0 { await clock.advance(by: Self.pace) }
    }
    let messages = try await Self.finish(store, readers, clock)
    for messages in messages {
      var mirror = Mirror()
      for message in messages { _ = try mirror.fold(message) }
      #expect(await mirror.snapshot == store.snapshot)
    }
    let revisions = Set(messages.joined().map(\.revision))
    #expect(encodings.value <= revisions.count + 2 * readers.count)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `without a pace connections that drift apart encode no line more than once for each`() async throws {
    let store = try TestStore.with(Array(0..<20))
    let encodings = CallCount()
    let list = Encoded(store) { encodings.note($0) }
    let readers = (0..<100).map { _ in Reader(list) }
    for number in 0..<300 {
      try await store.edit { try $0.update(number % 20) { $0.text = "\(number)" } }
      for reader in readers where (number + readers.count) % 7 != 0 { reader.read() }
    }
    let messages = try await Self.finish(store, readers, ManualClock())
    for messages in messages {
      var mirror = Mirror()
      for message in messages { _ = try mirror.fold(message) }
      #expect(await mirror.snapshot == store.snapshot)
    }
    #expect(encodings.value <= messages.joined().count)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [Duration.nanoseconds(1), .seconds(Int64.max)])
  func `a pace may be any duration`(_ pace: Duration) async throws {
    let store = try TestStore.with([1])
    #expect(try await Self.next(of: Encoded(store, every: pace) { $0 }.lines())?.revision == 0)
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

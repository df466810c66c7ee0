@testable import RowcastStore

@Suite(.watched) struct ConcurrencyTests {
  private typealias Core = StoreCore<TestSection, TestRow>

  @Test func `a writer wakes few of ten thousand waiting subscribers, and a task wakes the others`() async throws {
    let core = try Core()
    let waiting = (0..<10_000).map { _ in Task { await core.delivery(after: 0)?.state.revision } }
    await eventually { await core.waiterCount == 10_000 }
    /// Edits, and looks around before any other task can enter.
    func edit(_ core: isolated Core) throws {
      for id in 1...2 {
        try core.edit { try $0.append(TestRow(id), to: "a") }
        #expect(core.waiterCount == 10_000 - 8 * id && core.waiters.current.dueCount == core.waiterCount)
      }
    }
    try await edit(core)
    for task in waiting { #expect(await task.value == 2) }
    #expect(await core.waiterCount == 0)
  }

  @Test func `the task that wakes subscribers ends when all are woken, and keeps no store`() async throws {
    weak var former: Core?
    do {
      let core = try Core()
      former = core
      let waiting = (0..<100).map { _ in Task { await core.delivery(after: 0)?.state.revision } }
      await eventually { await core.waiterCount == 100 }
      try await core.edit { try $0.append(TestRow(1), to: "a") }
      for task in waiting { #expect(await task.value == 1) }
    }
    await eventually { former == nil }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an edit does not wait until all subscribers of its own priority are woken`() async throws {
    let (count, store) = (4_000, try TestStore.with([0]))
    let updates = CallCount()
    let subscribers = (0..<count).map { _ in Task { for await update in store.updates() { _ = updates.note(update) } } }
    await eventually { await store.waiterCount == count }
    // The numbers of subscribers that had their turn during an edit: all, if the system suspends the writer's thread for a while.
    var turns: [Int] = []
    for edit in 1...20 {
      let before = updates.value
      try await store.edit { try $0.update(0) { $0.text = "\(edit)" } }
      turns.append(updates.value - before)
    }
    #expect(turns.count { $0 >= count / 4 } <= 4, "\(turns)")
    await store.finish()
    for subscriber in subscribers { await subscriber.value }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `who waits for a turn wakes none of those who have the newest list`() async throws {
    let core = try Core()
    func poll(_ core: isolated Core, _ revision: Int) -> Signal? {
      if case .waiting(let signal, _, _) = core.poll(after: revision, isCalled: false) { signal } else { nil }
    }
    try await core.edit { try $0.append(TestRow(1), to: "a") }
    // Each turn belongs to one revision.
    for _ in 0..<8 { #expect(await poll(core, 0) == nil) }
    try await core.edit { try $0.append(TestRow(2), to: "a") }
    var current: [Signal] = []
    for _ in 0..<100 { current.append(try #require(await poll(core, 2))) }
    // Few get the list at once; the next one waits, and has a turn.
    var turns = 0
    var late = await poll(core, 0)
    while late == nil {
      turns += 1
      late = await poll(core, 0)
    }
    #expect(turns == 8)
    #expect(await late?.wait() == true)
    await eventually { await core.waiterCount == 100 }
    #expect(current.allSatisfy { $0.send() })
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a store that is finished wakes those who wait for their turn`() async throws {
    let core = try Core()
    /// Finishes before a task that wakes can enter.
    func finish(_ core: isolated Core) throws -> [Signal] {
      try core.edit { try $0.append(TestRow(1), to: "a") }
      let polls = (0..<20).map { _ in core.poll(after: 0, isCalled: false) }
      let signals = polls.compactMap { if case .waiting(let signal, _, _) = $0 { signal } else { nil } }
      core.finish()
      return signals
    }
    let signals = try await finish(core)
    #expect(signals.count == 12 && signals.allSatisfy { !$0.send() })
    #expect(await core.waiterCount == 0)
  }
}

/// A list of waiters against a plain array that is sorted by priority.
@Suite(.watched) struct WaiterListTests {
  private struct Model {
    var token: WaiterList.Token
    var signal: Signal
    var priority: TaskPriority
    var isDue = false
  }

  private static let priorities: [TaskPriority] = [.background, .low, .medium, .high]

  @Test func `tasks are woken by priority, then in the order of their arrival, and a task that left is not woken`() {
    var random = SeededGenerator.forFuzzing("waiter list")
    for round in 0..<SeededGenerator.rounds(60, long: 20_000) {
      var list = WaiterList()
      var model: [Model] = []
      var former: [WaiterList.Token] = []
      // Some are long enough for the list to give back the places of tasks that left.
      for _ in 0..<(round % 30 == 0 ? 2_000 : 60) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
          let priority = Self.priorities[Int.random(in: 0..<4, using: &random)]
          let signal = Signal()
          let token = list.add(signal, priority: priority)
          let place = model.firstIndex { $0.priority < priority } ?? model.count
          model.insert(Model(token: token, signal: signal, priority: priority), at: place)
        case 4:
          if let index = model.indices.randomElement(using: &random) {
            former.append(model[index].token)
            list.remove(model.remove(at: index).token)
          }
        case 5: if let token = former.randomElement(using: &random) { list.remove(token) }
        case 6:
          list.markAllDue()
          for index in model.indices { model[index].isDue = true }
        default:
          let limit = Int.random(in: 0..<4, using: &random)
          let woken = model.filter(\.isDue).prefix(limit)
          model.removeAll { waiter in woken.contains { $0.token == waiter.token } }
          let isMoreDue = list.wake(atMost: limit)
          #expect(isMoreDue == model.contains(where: \.isDue))
          for waiter in woken { #expect(!waiter.signal.send(), "a task was woken that is not the next") }
          former += woken.map(\.token)
        }
        #expect(list.count == model.count && list.dueCount == model.count(where: \.isDue))
      }
      list.wakeAll()
      #expect(list.isEmpty)
      for waiter in model { #expect(!waiter.signal.send()) }
    }
  }

  @Test func `a signal that was sent is received, also if the task is cancelled before it waits`() async {
    let signal = Signal()
    #expect(signal.send())
    #expect(!signal.send())
    let task = Task {
      await eventually { Task.isCancelled }
      return await signal.wait()
    }
    task.cancel()
    #expect(await task.value)
  }
}

extension StoreCore<TestSection, TestRow> {
  /// A list of one section, "a", without rows.
  fileprivate init() throws { self.init(ListDraft(try .of(("a", [])))) }
}

extension WaiterList {
  /// The number of waiters that are due and were not woken yet.
  var dueCount: Int { queues.reduce(0) { $0 + $1.waiters.count { $0.signal != nil && $0.token < dueBefore } } }
}

#if ROWCAST_HOOKS
  import RowcastSchedules

  /// Things happen in another order than they were asked for.
  extension ConcurrencyFault {
    static let orders = [
      ConcurrencyFault(name: "an older answer replaces a newer one") { run, isMended in
        let search = Search(isMended: isMended)
        let first = await search.type("a")
        let second = await search.type("ab")
        await first.value
        await second.value
        let shown = await search.shown
        try run.expect(shown == "ab", "the answer to “\(shown)” is shown")
      },
      // A delegate's callback that forwards each event in a task of its own.
      ConcurrencyFault(name: "events that are forwarded in tasks of their own overtake each other") { run, isMended in
        let log = Log()
        if isMended {
          await Task { for event in 1...3 { await log.add(event) } }.value
        } else {
          let tasks = (1...3).map { event in Task.detached { await log.add(event) } }
          for task in tasks { await task.value }
        }
        let events = await log.events
        try run.expect(events == [1, 2, 3], "the order is \(events)")
      },
      ConcurrencyFault(name: "a merge ends with the first of its sources") { run, isMended in
        let (merged, output) = AsyncStream.makeStream(of: Int.self)
        let open = OpenSources(isMended ? 2 : 1)
        for source in 1...2 {
          Task {
            output.yield(source)
            await Task.yield()
            if await open.close() { output.finish() }
          }
        }
        var received: Set<Int> = []
        for await element in merged { received.insert(element) }
        try run.expect(received == [1, 2], "only \(received.sorted()) came through")
      },
      ConcurrencyFault(name: "a throttle lets two through in one interval") { run, isMended in
        let throttle = Throttle(isMended: isMended)
        await withTaskGroup { group in
          for _ in 0..<2 { group.addTask { await throttle.fire() } }
        }
        let count = await throttle.count
        try run.expect(count == 1, "\(count) in one interval")
      },
    ]
  }

  private actor Search {
    private let isMended: Bool
    private var newest = ""
    private(set) var shown = ""

    init(isMended: Bool) { self.isMended = isMended }

    func type(_ text: String) -> Task<Void, Never> {
      newest = text
      return Task { await answer(text) }
    }

    private func answer(_ text: String) async {
      await Task.yield()  // the network
      if !isMended || text == newest { shown = text }
    }
  }

  private actor Log {
    private(set) var events: [Int] = []

    func add(_ event: Int) { events.append(event) }
  }

  private actor OpenSources {
    private var count: Int

    init(_ count: Int) { self.count = count }

    /// Whether this was the last.
    func close() -> Bool {
      count -= 1
      return count == 0
    }
  }

  private actor Throttle {
    private let isMended: Bool
    private var isOpen = true
    private(set) var count = 0

    init(isMended: Bool) { self.isMended = isMended }

    func fire() async {
      guard isOpen else { return }
      if isMended { isOpen = false }
      await Task.yield()  // reads the clock of another actor
      isOpen = false
      count += 1
    }
  }
#endif

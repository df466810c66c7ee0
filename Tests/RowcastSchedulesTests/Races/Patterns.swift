#if ROWCAST_HOOKS
  /// Faults that many projects had, each in a form that no twin of ``Race/all`` has.
  extension Race {
    /// A fault that random choice does not find: one task is far ahead of another.
    static let distant =
      Race("an observer that is late misses all that happened") { isFixed in
        let events = Events()
        if isFixed { await events.observe() }
        await together(
          { if !isFixed { await events.observe() } },
          { for number in 0..<12 { await events.add(number) } })
        let seen = await events.seen
        try check(!seen.isEmpty, "nothing was seen")
      }

    static let patterns = [
      // Needs one task to be far ahead of another, and then the other.
      Race("a lease runs out while its holder is slow, and is taken twice") { isFixed in
        let lease = Lease(isFixed: isFixed)
        await together(
          {
            guard await lease.take(1) else { return }
            await pause(1)
            await lease.use(1)
          },
          {
            for _ in 0..<8 { await lease.tick() }
            if await lease.take(2) { await lease.use(2) }
          })
        let isBroken = await lease.isBroken
        try check(!isBroken, "a lease that had run out was used")
      },
      Race("two locks are taken in opposite orders") { isFixed in
        let (a, b) = (Slot(), Slot())
        let lockBoth: @Sendable (Slot, Slot) async -> Void = { first, second in
          await first.put(0)
          await second.put(0)
          _ = await (second.take(), first.take())
        }
        await together({ await lockBoth(a, b) }, { await lockBoth(isFixed ? a : b, isFixed ? b : a) })
      },
      // A delegate's callback that forwards each event in a task of its own.
      Race("events that are forwarded in tasks of their own overtake each other") { isFixed in
        let log = Shared([Int]())
        if isFixed {
          await Task { for event in 1...3 { log.update { $0.append(event) } } }.value
        } else {
          let tasks = (1...3).map { event in Task.detached { log.update { $0.append(event) } } }
          for task in tasks { await task.value }
        }
        try check(log.value == [1, 2, 3], "the order is \(log.value)")
      },
      Race("a merge ends with the first of its sources") { isFixed in
        let (merged, output) = AsyncStream.makeStream(of: Int.self)
        let open = Shared(isFixed ? 2 : 1)
        for source in 1...2 {
          Task {
            output.yield(source)
            await Task.yield()
            let isLast = open.update {
              $0 -= 1
              return $0 == 0
            }
            if isLast { output.finish() }
          }
        }
        var received: Set<Int> = []
        for await element in merged { received.insert(element) }
        try check(received == [1, 2], "only \(received.sorted()) came through")
      },
      // apple/swift-async-algorithms: a debounce whose upstream ends inside the interval.
      Race("a debounce drops the last element at the end of its source") { isFixed in
        let debounce = Debounce(isFixed: isFixed)
        for element in 1...2 {
          await debounce.receive(element)
          try await ContinuousClock().sleep(for: .milliseconds(100))
        }
        await debounce.finish()
        let last = await debounce.output.last
        try check(last == 2, "the last element is \(last.map(String.init) ?? "missing")")
      },
      Race("a time limit drops the element that came in time") { isFixed in
        let queue = Queue()
        async let sent: Void = queue.send(1)
        let first = await queue.next(isFixed: isFixed)
        await sent
        let kept = await queue.elements
        try check(first == 1 || kept == [1], "nobody has the element")
      },
    ]
  }

  /// Holds one element: putting waits while it is full, taking while it is empty.
  private actor Slot {
    private var element: Int?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func put(_ new: Int) async {
      while element != nil { await withCheckedContinuation { waiting.append($0) } }
      element = new
      wake()
    }

    func take() async -> Int {
      while true {
        if let taken = element {
          element = nil
          wake()
          return taken
        }
        await withCheckedContinuation { waiting.append($0) }
      }
    }

    private func wake() {
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private actor Debounce {
    private let isFixed: Bool
    private(set) var output: [Int] = []
    private var pending: Int?
    private var timer: Task<Void, Never>?

    init(isFixed: Bool) { self.isFixed = isFixed }

    func receive(_ element: Int) {
      pending = element
      timer?.cancel()
      timer = Task {
        guard (try? await ContinuousClock().sleep(for: .milliseconds(100))) != nil else { return }
        emit()
      }
    }

    private func emit() {
      guard let element = pending else { return }
      pending = nil
      output.append(element)
    }

    func finish() {
      timer?.cancel()
      if isFixed { emit() }
    }
  }

  private actor Queue {
    private(set) var elements: [Int] = []

    func send(_ element: Int) { elements.append(element) }

    private func take() async -> Int? {
      for _ in 0..<3 {
        if !elements.isEmpty { return elements.removeFirst() }
        await Task.yield()
      }
      return nil
    }

    /// The next element, or `nil` after a second.
    nonisolated func next(isFixed: Bool) async -> Int? {
      await withTaskGroup { group in
        group.addTask { await self.take() }
        group.addTask {
          try? await ContinuousClock().sleep(for: .seconds(1))
          return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        guard isFixed else { return first }
        let second = await group.next() ?? nil
        return first ?? second
      }
    }
  }

  private actor Events {
    private(set) var seen: [Int] = []
    private var isObserved = false

    func observe() { isObserved = true }
    func add(_ number: Int) { if isObserved { seen.append(number) } }
  }

  private actor Lease {
    private let isFixed: Bool
    private var holder: Int?
    private var age = 0
    private(set) var isBroken = false

    init(isFixed: Bool) { self.isFixed = isFixed }

    func tick() { age += 1 }

    func take(_ task: Int) -> Bool {
      guard holder == nil || age >= 8 else { return false }
      (holder, age) = (task, 0)
      return true
    }

    func use(_ task: Int) {
      if holder != task, !isFixed { isBroken = true }
    }
  }
#endif

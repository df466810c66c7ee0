#if ROWCAST_HOOKS
  import RowcastSchedules

  /// Something ends while something else is on its way.
  extension ConcurrencyFault {
    static let ends = [
      // apple/swift-async-algorithms: a debounce whose upstream ends inside the interval.
      ConcurrencyFault(name: "a debounce drops the last element at the end of its source") { run, isMended in
        let debounce = Debounce(isMended: isMended)
        for element in 1...2 {
          await debounce.receive(element)
          try await ContinuousClock().sleep(for: .milliseconds(100))
        }
        await debounce.finish()
        let last = await debounce.output.last
        try run.expect(last == 2, "the last element is \(last.map(String.init) ?? "missing")")
      },
      ConcurrencyFault(name: "a request is resumed by its answer and by its time limit") { run, isMended in
        let request = Request(isMended: isMended)
        async let answer: Void = {
          await Task.yield()
          await request.resume()
        }()
        async let limit: Void = {
          try? await ContinuousClock().sleep(for: .seconds(1))
          await request.resume()
        }()
        _ = await (answer, limit)
        let resumptions = await request.resumptions
        try run.expect(resumptions == 1, "resumed \(resumptions) times")
      },
      ConcurrencyFault(name: "a time limit drops the element that came in time") { run, isMended in
        let queue = Queue()
        async let sent: Void = queue.send(1)
        let first = await queue.next(isMended: isMended)
        await sent
        let kept = await queue.elements
        try run.expect(first == 1 || kept == [1], "nobody has the element")
      },
      ConcurrencyFault(name: "the end of an earlier subscription removes a later one") { run, isMended in
        let hub = Hub(isMended: isMended)
        let first = await hub.subscribe("reader")
        let leaving = Task { await hub.unsubscribe("reader", number: first) }
        _ = await hub.subscribe("reader")
        await leaving.value
        let isSubscribed = await hub.isSubscribed("reader")
        try run.expect(isSubscribed, "the later subscription is gone")
      },
      ConcurrencyFault(name: "a service that is stopped while it starts goes on") { run, isMended in
        let service = Service(isMended: isMended)
        async let starting: Void = service.start()
        await service.stop()
        await starting
        let isRunning = await service.isRunning
        let wasStarted = await service.startedBeforeStop
        try run.expect(!isRunning || !wasStarted, "it runs after it was stopped")
      },
    ]
  }

  private actor Debounce {
    private let isMended: Bool
    private(set) var output: [Int] = []
    private var pending: Int?
    private var timer: Task<Void, Never>?

    init(isMended: Bool) { self.isMended = isMended }

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
      if isMended { emit() }
    }
  }

  /// Counts what would stop the process: the second resumption of a continuation.
  private actor Request {
    private let isMended: Bool
    private var isDone = false
    private(set) var resumptions = 0

    init(isMended: Bool) { self.isMended = isMended }

    func resume() async {
      if isDone { return }
      if isMended { isDone = true }
      await Task.yield()  // the log
      isDone = true
      resumptions += 1
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
    nonisolated func next(isMended: Bool) async -> Int? {
      await withTaskGroup { group in
        group.addTask { await self.take() }
        group.addTask {
          try? await ContinuousClock().sleep(for: .seconds(1))
          return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        guard isMended else { return first }
        let second = await group.next() ?? nil
        return first ?? second
      }
    }
  }

  private actor Hub {
    private let isMended: Bool
    private var subscribers: [String: Int] = [:]
    private var last = 0

    init(isMended: Bool) { self.isMended = isMended }

    func subscribe(_ name: String) -> Int {
      last += 1
      subscribers[name] = last
      return last
    }

    func unsubscribe(_ name: String, number: Int) {
      if !isMended || subscribers[name] == number { subscribers[name] = nil }
    }

    func isSubscribed(_ name: String) -> Bool { subscribers[name] != nil }
  }

  private actor Service {
    private let isMended: Bool
    private var isStopped = false
    private(set) var isRunning = false
    private(set) var startedBeforeStop = false

    init(isMended: Bool) { self.isMended = isMended }

    func start() async {
      startedBeforeStop = !isStopped
      await Task.yield()  // opens its socket
      if isMended, isStopped { return }
      isRunning = true
    }

    func stop() {
      isStopped = true
      isRunning = false
    }
  }
#endif

#if ROWCAST_HOOKS
  import RowcastSchedules

  /// What one task read is not true any more when it writes: an actor lets others in at each `await`.
  extension ConcurrencyFault {
    static let lostState = [
      // The image cache of the talk “Protect mutable state with Swift actors” (2021).
      ConcurrencyFault(name: "a re-entrant cache loads a page twice") { run, isMended in
        let cache = PageCache(sharesLoads: isMended)
        async let first = cache.page(1)
        async let second = cache.page(1)
        _ = await (first, second)
        let loads = await cache.loads
        try run.expect(loads == 1, "the page was loaded \(loads) times")
      },
      ConcurrencyFault(name: "two increments, each a read and a write, count one") { run, isMended in
        let counter = Counter()
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              if isMended { await counter.increment() } else { await counter.set(await counter.value + 1) }
            }
          }
        }
        let value = await counter.value
        try run.expect(value == 2, "the count is \(value)")
      },
      ConcurrencyFault(name: "an account is checked before and charged after an audit") { run, isMended in
        let account = Account(isMended: isMended)
        async let first = account.withdraw(80)
        async let second = account.withdraw(80)
        _ = await (first, second)
        let balance = await account.balance
        try run.expect(balance >= 0, "the balance is \(balance)")
      },
      ConcurrencyFault(name: "a flush forgets what came while it was sending") { run, isMended in
        let batch = Batch(isMended: isMended)
        await withTaskGroup { group in
          group.addTask {
            for item in 1...3 { await batch.add(item) }
            await batch.flush()
          }
          group.addTask { await batch.flush() }
        }
        await batch.flush()
        let sent = await batch.sent
        try run.expect(Set(sent) == [1, 2, 3], "sent was \(sent)")
      },
      ConcurrencyFault(name: "a limiter counts a job after it waited for permission") { run, isMended in
        let limiter = Limiter(limit: 1, isMended: isMended)
        await withTaskGroup { group in
          for _ in 0..<3 { group.addTask { await limiter.work() } }
        }
        let most = await limiter.most
        try run.expect(most <= 1, "\(most) jobs at once")
      },
      ConcurrencyFault(name: "a pool lends one connection to two clients") { run, isMended in
        let pool = Pool(isMended: isMended)
        async let first = pool.take()
        async let second = pool.take()
        let (one, other) = await (first, second)
        try run.expect(one != other, "both have connection \(one)")
      },
      ConcurrencyFault(name: "two refused requests both renew the token") { run, isMended in
        let session = Session(isMended: isMended)
        async let first = session.request()
        async let second = session.request()
        let accepted = await [first, second]
        try run.expect(accepted == [true, true], "a request was sent with a token that another had replaced")
      },
    ]
  }

  private actor PageCache {
    private let sharesLoads: Bool
    private var pages: [Int: String] = [:]
    private var loading: [Int: Task<String, Never>] = [:]
    private(set) var loads = 0

    init(sharesLoads: Bool) { self.sharesLoads = sharesLoads }

    func page(_ number: Int) async -> String {
      if let page = pages[number] { return page }
      if sharesLoads, let task = loading[number] { return await task.value }
      let task = Task { await load(number) }
      loading[number] = task
      let page = await task.value
      pages[number] = page
      return page
    }

    private func load(_ number: Int) async -> String {
      loads += 1
      await Task.yield()
      return "page \(number)"
    }
  }

  private actor Counter {
    private(set) var value = 0

    func set(_ value: Int) { self.value = value }
    func increment() { value += 1 }
  }

  private actor Account {
    private let isMended: Bool
    private(set) var balance = 100

    init(isMended: Bool) { self.isMended = isMended }

    func withdraw(_ amount: Int) async -> Bool {
      guard balance >= amount else { return false }
      if isMended { balance -= amount }
      await Task.yield()  // the audit
      if !isMended { balance -= amount }
      return true
    }
  }

  private actor Batch {
    private let isMended: Bool
    private var items: [Int] = []
    private(set) var sent: [Int] = []

    init(isMended: Bool) { self.isMended = isMended }

    func add(_ item: Int) { items.append(item) }

    func flush() async {
      let batch = items
      if isMended { items = [] }
      await Task.yield()  // the network
      sent += batch
      if !isMended { items = [] }
    }
  }

  private actor Limiter {
    private let limit: Int
    private let isMended: Bool
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var most = 0

    init(limit: Int, isMended: Bool) {
      self.limit = limit
      self.isMended = isMended
    }

    func work() async {
      while running >= limit { await withCheckedContinuation { waiting.append($0) } }
      if !isMended { await Task.yield() }  // permission
      running += 1
      most = max(most, running)
      await Task.yield()
      running -= 1
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private actor Pool {
    private let isMended: Bool
    private var idle = [1, 2]

    init(isMended: Bool) { self.isMended = isMended }

    func take() async -> Int {
      guard let connection = idle.last else { return 0 }
      if isMended { idle.removeLast() }
      await Task.yield()  // is it still open?
      if !isMended { idle.removeAll { $0 == connection } }
      return connection
    }
  }

  private actor Session {
    private let isMended: Bool
    private var token = 0
    private var valid = 1
    private var renewal: Task<Int, Never>?

    init(isMended: Bool) { self.isMended = isMended }

    /// Whether the server took the request.
    func request() async -> Bool {
      if token == valid { return true }
      if isMended, let renewal { return await renewal.value == valid }
      let task = Task { await renew() }
      renewal = task
      let renewed = await task.value
      return renewed == valid
    }

    /// A new token makes all older ones invalid.
    private func renew() async -> Int {
      valid += 1
      let new = valid
      await Task.yield()
      token = new
      return new
    }
  }
#endif

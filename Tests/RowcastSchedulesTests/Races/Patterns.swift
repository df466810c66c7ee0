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

    /// Needs one task to be far ahead of another, and then the other.
    static let lease =
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

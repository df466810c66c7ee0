import Rowcast

/// A directory and all that is in it, as it changes.
///
/// The first elements arrive while the directory is read. Changes are noticed when the system reports them. If it does not,
/// because it watches no more directories or changes arrived faster than it records them, everything is read again, from time to
/// time.
struct FileTree: AsyncSequence, Sendable {
  /// Changes of rows in their order, and how the directory is doing after them.
  struct Change: Sendable {
    var steps: [TreeStep]
    var phase: SectionPhase
  }

  let root: String
  /// True to end when everything was read once.
  var isOnce = false
  /// The most directories that are watched.
  var watchLimit = Int.max
  /// Tells a person.
  let report: @Sendable (String) async -> Void

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  struct AsyncIterator: AsyncIteratorProtocol {
    private let tree: FileTree
    private let clock = ContinuousClock()
    private var scanner: TreeScanner
    private var phase: SectionPhase?
    /// The maximum number of rows in the next change: few for the first, which arrives soon, then as many as all before it, so
    /// that there are few changes.
    private var limit = Self.firstLimit
    private static let firstLimit = 128
    private var lastChange: ContinuousClock.Instant
    /// The moment when everything had been read, `nil` until then, and the time that reading took.
    private var end: ContinuousClock.Instant?
    private var reading = Duration.zero
    private var (hasLost, hasUnwatched) = (false, false)

    fileprivate init(_ tree: FileTree) {
      self.tree = tree
      scanner = TreeScanner(root: tree.root, watchLimit: tree.isOnce ? 0 : tree.watchLimit)
      lastChange = clock.now
    }

    mutating func next() async throws -> Change? {
      while true {
        try Task.checkCancellation()
        if scanner.isDone {
          if tree.isOnce, phase != nil { return nil }
          try await waitForChanges()
        } else {
          // Few: neither too many notifications nor the unread entries have to wait.
          for _ in 0..<16 { guard try await scanner.wait(within: .zero) else { break } }
        }
        let steps = scan()
        await report()
        let change = Change(steps: steps, phase: currentPhase)
        guard !steps.isEmpty || phase != change.phase else { continue }
        (phase, lastChange) = (change.phase, clock.now)
        return change
      }
    }

    private var currentPhase: SectionPhase {
      if let reason = scanner.failure { return .failed(message: reason, retry: .automatic) }
      if phase == nil || phase == .loading, !scanner.isDone { return .loading }
      return scanner.isEmpty ? .empty : .loaded
    }

    private mutating func scan() -> [TreeStep] {
      let start = clock.now
      let steps = scanner.scan(limit)
      limit = Swift.min(2 * limit, 1 << 30)
      if end == nil { reading += start.duration(to: clock.now) }
      if scanner.isDone, end == nil { end = clock.now }
      return steps
    }

    /// Waits until something is to be read.
    private mutating func waitForChanges() async throws {
      limit = Self.firstLimit
      let time = timeToRestart
      // Also if changes never stop.
      guard time.map({ $0 > .zero }) ?? true, try await scanner.wait(within: time) else {
        (reading, end) = (.zero, nil)
        return scanner.restart()
      }
      // Changes arrive in bursts.
      let deadline = lastChange.advanced(by: .milliseconds(50))
      while clock.now < deadline { _ = try await scanner.wait(within: clock.now.duration(to: deadline)) }
    }

    /// The time until everything is to be read again: soon if changes were lost; otherwise reading takes a small part of the time.
    private var timeToRestart: Duration? {
      guard scanner.hasLost || scanner.hasUnwatched, let end else { return nil }
      let pause = Swift.max(.milliseconds(500), reading * (scanner.hasLost ? 1 : 20))
      return clock.now.duration(to: end.advanced(by: pause))
    }

    /// Tells, once, if everything must be read again.
    private mutating func report() async {
      guard !tree.isOnce else { return }
      if scanner.hasUnwatched, !hasUnwatched, scanner.failure == nil {
        hasUnwatched = true
        await tree.report("not all directories can be watched, so everything is read again from time to time")
      }
      if scanner.hasLost, !hasLost {
        hasLost = true
        await tree.report("changes arrived faster than the system records them, so everything is read again")
      }
    }
  }
}

import Rowcast

/// A directory and all that is in it, as it changes.
///
/// The first elements come while the directory is read. Changes are noticed when the system tells of them. Where it does not, as it
/// watches no more directories, or changes came faster than it keeps them, everything is read again, from time to time.
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
    /// The most rows of the next change: few for the first, which comes soon, then as many as came before it, so that they are
    /// few changes.
    private var limit = Self.firstLimit
    private static let firstLimit = 128
    private var lastChange: ContinuousClock.Instant
    /// The time when the last reading of everything began, and when the next one is due; `nil` while it goes on.
    private var start: ContinuousClock.Instant
    private var due: ContinuousClock.Instant?
    private var (hasLost, hasUnwatched) = (false, false)

    fileprivate init(_ tree: FileTree) {
      self.tree = tree
      scanner = TreeScanner(root: tree.root, watchLimit: tree.isOnce ? 0 : tree.watchLimit)
      (lastChange, start) = (clock.now, clock.now)
    }

    mutating func next() async throws -> Change? {
      while true {
        try Task.checkCancellation()
        if scanner.isDone {
          if tree.isOnce, phase != nil { return nil }
          try await waitForChanges()
        } else {
          // So that not too many wait.
          while try await scanner.wait(within: .zero) {}
        }
        let steps = scanner.scan(limit)
        limit = Swift.min(2 * limit, 1 << 30)
        await finishReading()
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

    /// Waits until something is to be read.
    private mutating func waitForChanges() async throws {
      limit = Self.firstLimit
      let isIncomplete = scanner.hasLost || scanner.hasUnwatched
      guard try await scanner.wait(within: isIncomplete ? due.map { clock.now.duration(to: $0) } : nil) else {
        (start, due) = (clock.now, nil)
        return scanner.restart()
      }
      // Changes come in bursts.
      let end = lastChange.advanced(by: .milliseconds(50))
      while clock.now < end { _ = try await scanner.wait(within: clock.now.duration(to: end)) }
    }

    /// Notes the time if everything was read, and tells if it must be read again.
    private mutating func finishReading() async {
      if due == nil, scanner.isDone {
        // Reading takes a small part of the time.
        let now = clock.now
        due = now.advanced(by: Swift.max(.milliseconds(500), start.duration(to: now) * 20))
      }
      guard !tree.isOnce else { return }
      if scanner.hasUnwatched, !hasUnwatched, scanner.failure == nil {
        hasUnwatched = true
        await tree.report("not all directories can be watched, so everything is read again from time to time")
      }
      if scanner.hasLost, !hasLost {
        hasLost = true
        await tree.report("changes came faster than the system keeps them, so everything is read again")
      }
    }
  }
}

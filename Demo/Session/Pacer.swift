import Rowcast
import RowcastConsole

/// Keeps events and updates in step, and measures how far apart they are.
///
/// Sources report to it between two events, the session with each update.
actor Pacer {
  nonisolated let lockstep: Bool
  /// Whether the steps of events are measured, for the bench.
  nonisolated let measuresSteps: Bool
  /// Waits long enough for more events to arrive, and so briefly that nobody notices.
  private let pause: @Sendable () async -> Void
  private let clock = ContinuousClock()
  /// The newest revision that was taken.
  private var delivered = -1
  private var isStopped = false
  /// Sources that wait until their last revision was delivered.
  private(set) var waiters: [(revision: Int, continuation: CheckedContinuation<Void, Never>)] = []
  /// The creation times of revisions that were not shown yet, oldest first. Empty in lockstep.
  private var pending: [(revision: Int, instant: ContinuousClock.Instant)] = []
  private(set) var latencies = Latencies()
  /// The number of events that the sources brought.
  private(set) var events = 0 {
    didSet { if events != oldValue { note.yield() } }
  }
  /// An element when more events are counted, for one reader. One that is slow gets a single one for all.
  nonisolated let eventNotes: AsyncStream<Void>
  private let note: AsyncStream<Void>.Continuation
  /// The time that each step took, once its task has ended.
  private(set) var steps = StepTimes()

  init(
    lockstep: Bool, measuresSteps: Bool = false,
    pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .microseconds(500)) }
  ) {
    self.lockstep = lockstep
    self.measuresSteps = measuresSteps
    self.pause = pause
    (eventNotes, note) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The outcome of the events, as far as it is known here.
  var figures: FlowFigures {
    var figures = FlowFigures(events: events)
    if let p50 = latencies.percentile(0.5), let p99 = latencies.percentile(0.99) {
      figures.latency = (.microseconds(p50), .microseconds(p99))
    }
    return figures
  }

  /// Called when an event is done and the next may be asked for.
  ///
  /// In lockstep this waits until the revision that the event led to was delivered.
  ///
  /// - Parameters:
  ///   - revision: What the last event led to.
  ///   - count: The number of events that the source has brought and not told of.
  func settle(at revision: Int, events count: Int = 0) async {
    events += count
    guard lockstep else {
      if revision > max(delivered, pending.last?.revision ?? -1) { pending.append((revision, clock.now)) }
      // One entry for each revision that an update may end at; the oldest tells the longest wait.
      if pending.count > 1_024 { pending.removeSubrange(1..<512) }
      return
    }
    guard revision > delivered, !isStopped else { return }
    await withCheckedContinuation { waiters.append((revision, $0)) }
  }

  /// Called when a task ends that has measured its steps.
  func add(_ times: StepTimes) { steps.merge(times, uniquingKeysWith: +) }

  /// Called for each update, before it is taken: sources that wait for it continue, and the next update is requested after that.
  ///
  /// An update costs as much as several events. When the output is slower than the events, so that one update has several
  /// of them, a pause lets more of them into the next one.
  func deliver(_ revision: Int) async {
    let isBehind = revision > delivered + 1
    delivered = revision
    release { $0 <= revision }
    if isBehind, !lockstep { await pause() }
  }

  /// Called when a revision can be seen.
  func shown(_ revision: Int) {
    let now = clock.now
    let seen = pending.prefix { $0.revision <= revision }
    for entry in seen { latencies.add(entry.instant.duration(to: now)) }
    pending.removeFirst(seen.count)
  }

  /// Lets all sources continue, as nothing else will be shown.
  func stop() {
    isStopped = true
    release { _ in true }
  }

  private func release(where isReady: (Int) -> Bool) {
    let ready = waiters.filter { isReady($0.revision) }
    waiters.removeAll { isReady($0.revision) }
    for waiter in ready { waiter.continuation.resume() }
  }
}

/// A source that delivers its next event when the pacer allows it.
struct Paced<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
  typealias Element = Base.Element

  let base: Base
  let shown: any LiveList<Group, Item>
  let pacer: Pacer
  /// Notes the list after each event, also while nothing is shown, so that each event can be undone.
  var undo: ListUndo<Group, Item>?
  /// Whether, in lockstep, one event is read ahead while the update before it is delivered. False where requesting an event has
  /// an effect.
  var readsAhead = false

  struct AsyncIterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let shown: any LiveList<Group, Item>
    let pacer: Pacer
    let undo: ListUndo<Group, Item>?
    let readsAhead: Bool
    let watch: StepWatch?
    /// The events that the pacer was not told of.
    private var untold = 0

    fileprivate init(_ source: Paced) {
      base = source.base.makeAsyncIterator()
      (shown, pacer, undo) = (source.shown, source.pacer, source.undo)
      readsAhead = source.readsAhead && pacer.lockstep
      watch = pacer.measuresSteps ? StepWatch() : nil
    }

    mutating func next() async throws -> Base.Element? {
      watch?.lap(.edit)
      await undo?.note()
      let revision = await shown.revision
      if !readsAhead { await settle(at: revision) }
      watch?.lap(nil)
      let event = try await base.next()
      watch?.lap(.decode)
      untold = event == nil ? 0 : 1
      if readsAhead { await settle(at: revision) }
      if event == nil, let watch { await pacer.add(watch.times) }
      return event
    }

    private mutating func settle(at revision: Int) async {
      await pacer.settle(at: revision, events: untold)
      untold = 0
      watch?.lap(nil)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

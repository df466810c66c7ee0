import RowcastDiff
public import RowcastModel
import RowcastStore

/// Brings the updates of a list to a view that is changed in batches and refuses batches that do not add up.
///
///     let driver = BatchDriver<Channel, Message>(tableView)
///     for await update in store.updates() { driver.apply(update) }
///
/// The view's data source answers with ``snapshot``: the driver swaps it inside each batch, which is the moment at which
/// the view expects it to change. Content updates are made after the batches; the cell of a row that got another
/// `reuseIdentifier` is replaced. The view is loaded anew, without animation,
/// by the first update, while it is in no window, and if more changes than ``animationLimit``.
///
/// Updates that come while the view still animates, or from inside a batch, wait. They are applied as one, net of all
/// that they change, when the view has come to rest.
///
/// A view may never say that it has: because it left its window, or is gone. A completion that it lets go of counts as
/// called. A view that has left its window is not waited for, nor for more than five seconds one that is in it: the next
/// list is loaded anew.
///
/// The driver does not keep its view alive.
@MainActor
public final class BatchDriver<Section: SectionViewModel, Row: RowViewModel> {
  /// What the driver is doing.
  private enum Phase {
    /// The view is at rest.
    case idle
    /// The view is being called.
    case updating
    /// The view animates: so many batches of it have not come to rest.
    case animating(batches: Int)
  }

  /// A list that waits to be shown, and what leads to it from the list before it; `nil` if that is still to be found.
  private typealias Waiting = (snapshot: ListSnapshot<Section, Row>, changes: ListChanges?)

  /// The list that the view shows: what its data source answers with.
  public private(set) var snapshot: ListSnapshot<Section, Row>

  /// How many changes the view animates at most in one update. More of them load it anew.
  public var animationLimit = 1_000

  /// Measures how long a view is waited for.
  var clock: any Clock<Duration> = ContinuousClock()
  private let sink: any BatchSink
  private var phase = Phase.idle
  /// Counts the updates that were animated, so that a completion that comes late is told from the current one.
  private var turn = 0
  /// The last update whose end is waited for, for a limited time.
  private var limitedTurn = 0
  /// Whether the view knows a list, so that batches can follow.
  private var hasLoaded = false
  private var waiting: Waiting?
  /// The position of the newest list, if it came from a stream of updates.
  private var position: ListPosition?
  /// The calls of ``settled()`` that wait.
  private(set) var waiters = WaiterList()

  private init(sink: any BatchSink, showing snapshot: ListSnapshot<Section, Row>) {
    self.sink = sink
    self.snapshot = snapshot
  }

  /// Drives a view of sections.
  ///
  /// - Parameters:
  ///   - view: The view. Its data source reads ``snapshot``.
  ///   - snapshot: What the view shows when it loads itself for the first time.
  public convenience init(_ view: some BatchView, showing snapshot: ListSnapshot<Section, Row> = .init()) {
    self.init(sink: SectionedSink(view: view), showing: snapshot)
  }

  /// Drives a view of rows alone.
  ///
  /// - Parameters:
  ///   - view: The view. Its data source reads ``snapshot`` through a ``FlatLayout``.
  ///   - hasHeaders: Whether each section begins with a row of its own.
  ///   - snapshot: What the view shows when it loads itself for the first time.
  public convenience init(
    flat view: some FlatBatchView, hasHeaders: Bool, showing snapshot: ListSnapshot<Section, Row> = .init()
  ) {
    self.init(sink: FlatSink(view: view, hasHeaders: hasHeaders), showing: snapshot)
  }

  /// Whether the view shows the newest list and is at rest.
  public var isSettled: Bool {
    if case .idle = phase { return waiting == nil }
    return false
  }

  /// The newest list: the one that waits to be shown, or else the one that the view shows.
  var newest: ListSnapshot<Section, Row> { waiting?.snapshot ?? snapshot }

  /// Shows the list after an update, now or as soon as the view is at rest.
  ///
  /// Updates of one list that follow each other are taken as they are. For any other one, such as the first of another
  /// list, the difference from what is shown is made here.
  ///
  /// - Parameter update: An update of any stream.
  /// - Complexity: That of the view; O(s + k) for s sections and k changes besides.
  public func apply(_ update: ListUpdate<Section, Row>) {
    show(update.snapshot, update.follows(position) ? update.changes : nil, at: update.position)
  }

  /// Shows a list, now or as soon as the view is at rest.
  ///
  /// - Parameter snapshot: The list.
  /// - Complexity: That of `ListSnapshot.changes(to:)`, and that of the view.
  public func apply(_ snapshot: ListSnapshot<Section, Row>) { show(snapshot, nil) }

  /// Waits until the view shows the newest list and is at rest, or the calling task is cancelled.
  public func settled() async {
    goOn()
    if isSettled { return }
    let signal = Signal()
    let token = waiters.add(signal)
    if await !signal.wait() { waiters.remove(token) }
  }

  /// Shows a list, which changes lead to from ``newest``, if they are known; at a position, if it came from a stream of updates.
  func show(_ list: ListSnapshot<Section, Row>, _ changes: ListChanges?, at position: ListPosition? = nil) {
    self.position = position
    waiting = (list, waiting == nil ? changes : nil)
    goOn()
  }

  /// Shows the list that waits, now or as soon as the view is at rest or need not be waited for.
  private func goOn() {
    guard case .animating = phase else { return showWaiting() }
    // A view that has left its window may never come to rest.
    if sink.isInWindow != true { return giveUp(turn) }
    if limitedTurn == turn { return }
    limitedTurn = turn
    Task { [weak self, clock, turn] in
      try? await clock.sleep(for: .seconds(5))
      self?.giveUp(turn)
    }
  }

  /// Waits no longer for the batches of an update. As nobody knows what became of them, the next list is loaded anew.
  private func giveUp(_ turn: Int) {
    guard turn == self.turn, case .animating = phase else { return }
    (phase, hasLoaded) = (.idle, false)
    showWaiting()
  }

  /// Shows the list that waits, if the view is at rest.
  private func showWaiting() {
    defer { checkInvariants() }
    while case .idle = phase, let next = waiting {
      waiting = nil
      phase = .updating
      turn += 1
      let batches = bring(to: next)
      phase = batches == 0 ? .idle : .animating(batches: batches)
    }
    if isSettled { waiters.wakeAll() }
  }

  /// Checks, in debug builds, that a view at rest shows the newest list, and that one that animates has batches.
  private func checkInvariants() {
    switch phase {
    case .idle: assert(waiting == nil && waiters.isEmpty, "\(waiters.count) tasks wait for a view at rest")
    case .updating: break
    case .animating(let batches): assert(batches > 0, "A view animates \(batches) batches")
    }
  }

  /// Makes the calls that lead to a list. Returns how many batches have not come to rest yet.
  private func bring(to next: Waiting) -> Int {
    guard hasLoaded, sink.isInWindow == true else { return load(next.snapshot) }
    let changes = next.changes ?? snapshot.changes(to: next.snapshot)
    guard sink.operationCount(of: changes, from: snapshot, limit: animationLimit) <= animationLimit else {
      return load(next.snapshot)
    }
    let (before, batches) = (snapshot, BatchCount())
    if changes.sections.hasStructure || changes.rows.hasStructure {
      for stage in changes.stages(from: before, to: next.snapshot) { perform(stage, batches) }
    }
    snapshot = next.snapshot
    sink.reconfigure(changes, from: before, to: snapshot)
    batches.isCounting = false
    return batches.open
  }

  private func load(_ list: ListSnapshot<Section, Row>) -> Int {
    snapshot = list
    hasLoaded = true
    sink.reload()
    return 0
  }

  private func perform(_ stage: ListStage<Section, Row>, _ batches: BatchCount) {
    batches.open += 1
    let completion = BatchCompletion { [weak self, turn] in
      if batches.isCounting { batches.open -= 1 } else { self?.batchEnded(turn) }
    }
    sink.perform(
      stage, from: snapshot, swap: { self.snapshot = stage.snapshot }, completion: { completion.call() })
  }

  /// Takes note that a batch has come to rest.
  private func batchEnded(_ turn: Int) {
    guard turn == self.turn, case .animating(let batches) = phase else { return }
    phase = batches == 1 ? .idle : .animating(batches: batches - 1)
    showWaiting()
  }
}

/// The batches of an update that have not come to rest. A view that does not animate completes them during the update.
@MainActor
private final class BatchCount {
  var open = 0
  var isCounting = true
}

/// What a view says with that a batch has come to rest. It is said once: by a call, or when the view lets go of it.
@MainActor
private final class BatchCompletion {
  private var end: (@MainActor @Sendable () -> Void)?

  init(_ end: @escaping @MainActor @Sendable () -> Void) { self.end = end }

  deinit {
    if let end { Task { @MainActor in end() } }
  }

  func call() {
    let end = end
    self.end = nil
    end?()
  }
}

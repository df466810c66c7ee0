import RowcastDiff
import RowcastModel
import RowcastTestSupport

/// A small store that keeps the promises, or breaks one of them in a way that stores have broken them.
actor PlantedStore: Subject {
  enum Flaw: CaseIterable {
    /// Between looking for news and starting to wait, news is missed.
    case lostWakeUp
    /// The first list and its revision are read in two steps.
    case subscribingInTwoSteps
    /// A cancelled subscriber gets what was on its way to it.
    case deliveryAfterCancellation
    /// The end overtakes the last state.
    case lostLastState
    /// A transaction that throws leaves its edits behind.
    case tornTransaction

    /// The promise that it breaks.
    var promise: String {
      switch self {
      case .lostWakeUp, .deliveryAfterCancellation, .lostLastState: "T5"
      case .subscribingInTwoSteps: "T3"
      case .tornTransaction: "T2"
      }
    }
  }

  private let flaw: Flaw?
  private var list: NaiveList<TestSection, TestRow>
  private var revision = 0
  private var isFinished = false
  private var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastWaiter = 0

  init(_ flaw: Flaw?, _ snapshot: TestSnapshot) {
    self.flaw = flaw
    list = NaiveList(snapshot)
  }

  private var snapshot: TestSnapshot {
    (try? TestSnapshot(list.parts.map { ListSection($0.section, rows: $0.rows) })) ?? TestSnapshot()
  }

  var final: (snapshot: TestSnapshot, revision: Int) { (snapshot, revision) }

  func run(_ transaction: Transaction) throws {
    var edited = list
    for edit in transaction.edits { _ = edit.apply(to: &edited) }
    if transaction.aborts && flaw != .tornTransaction { throw Transaction.Abort() }
    list = edited
    revision += 1
    wake()
    if transaction.aborts { throw Transaction.Abort() }
  }

  func finish() {
    isFinished = true
    wake()
  }

  private func wake() {
    for bell in waiting.values { bell.finish() }
    waiting = [:]
  }

  nonisolated func updates() -> AsyncStream<TestUpdate> {
    let subscriber = Subscriber(store: self)
    let flaw = flaw
    return AsyncStream {
      let update = await subscriber.next()
      return Task.isCancelled && flaw != .deliveryAfterCancellation ? nil : update
    }
  }

  fileprivate func state(after seen: Int?) async -> (snapshot: TestSnapshot, revision: Int)? {
    while revision == seen || (isFinished && flaw == .lostLastState && seen != nil) {
      if isFinished { return nil }
      if flaw == .lostWakeUp { await Task.yield() }
      lastWaiter += 1
      let waiter = lastWaiter
      let (rings, bell) = AsyncStream.makeStream(of: Void.self)
      waiting[waiter] = bell
      for await _ in rings {}
      waiting[waiter] = nil
      if Task.isCancelled { return nil }
    }
    guard flaw == .subscribingInTwoSteps, seen == nil else { return (snapshot, revision) }
    let snapshot = snapshot
    await Task.yield()
    return (snapshot, revision)
  }

  private actor Subscriber {
    private let store: PlantedStore
    private var delivered: (snapshot: TestSnapshot, revision: Int)?

    init(store: PlantedStore) {
      self.store = store
    }

    func next() async -> TestUpdate? {
      guard let state = await store.state(after: delivered?.revision) else { return nil }
      defer { delivered = state }
      guard let before = delivered else { return TestUpdate(initial: state.snapshot, revision: state.revision) }
      return TestUpdate(
        revision: state.revision, previous: before.revision,
        changes: before.snapshot.changes(to: state.snapshot), snapshot: state.snapshot)
    }
  }
}

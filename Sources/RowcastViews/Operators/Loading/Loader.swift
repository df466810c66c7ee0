import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Loads values for the rows of a list, some at a time, in the order of the requests.
///
/// A value is *wanted* until its load has ended, another key is requested, or the row leaves. Its load waits in the queue, then
/// it runs in a task of its own. A result that is not wanted any more is dropped. A cancelled task counts until it returns. The
/// list that makes the requests owns the loader: all loads are cancelled when it is released.
@usableFromInline
final actor Loader<ID: Hashable & Sendable, Key: Equatable & Sendable, Value: Sendable>: Upstream {
  /// The state of a row: the request that was answered last, the key of the load that ended last, its error if it failed, and the
  /// value of the last load that did not fail.
  @usableFromInline typealias Loaded = Labelled<ID, (number: Int, key: Key, value: Value?, error: (any Error)?)>
  /// The values of rows, the number of requests that were taken up to them, and true if nothing is wanted.
  @usableFromInline typealias Reading = (list: ListSnapshot<SoleSection, Loaded>, requestCount: Int, isIdle: Bool)

  /// The rows that need no value any more, and those that have arrived or have another key.
  typealias Request = (leaving: [ID], current: [(id: ID, key: Key)])

  /// The number of a request, and the task that loads its value; without one it waits for its turn.
  private typealias Load = (number: Int, key: Key, task: Task<Void, Never>?)

  private let limit: Int
  private let load: @Sendable (Key) async throws -> Value
  /// The requests that were not taken yet, in order.
  private let requests: AsyncStream<Request>.Continuation
  private var values = ListDraft<SoleSection, Loaded>(ListSnapshot(unchecked: [ListSection(SoleSection())]))
  private var wanted: [ID: Load] = [:]
  /// The loads that wait for their turn, and some loads that are not wanted any more.
  private var queue: [(id: ID, number: Int)] = []
  private var firstInQueue = 0
  private var runningCount = 0
  /// The number of the last request.
  private var requestCount = 0
  private var revision = 0
  private var waiters = WaiterList()

  @usableFromInline
  init(atMost limit: Int, _ load: @escaping @Sendable (Key) async throws -> Value) {
    let (stream, requests) = AsyncStream<Request>.makeStream()
    (self.limit, self.load, self.requests) = (limit, load, requests)
    Task.detached { [weak self] in for await request in stream { await self?.take(request) } }
  }

  deinit {
    requests.finish()
    // The cancellation handlers of the app do not run on the caller that releases the list.
    let tasks = wanted.values.compactMap(\.task)
    if !tasks.isEmpty { Task.detached { for task in tasks { task.cancel() } } }
  }

  // MARK: - Requests

  /// Asks for values, after all requests before.
  @usableFromInline
  nonisolated func send(leaving: [ID], current: [(id: ID, key: Key)]) { requests.yield((leaving, current)) }

  func take(_ request: Request) {
    requestCount += 1
    for id in request.leaving { drop(id) }
    var isAnswered = false
    for (id, key) in request.current where !want(id, key) { isAnswered = true }
    start()
    // Other readers wait for values that are still wanted.
    if isAnswered || wanted.isEmpty { publish() }
  }

  private func drop(_ id: ID) {
    cancel(id)
    if let found = values.locate(id) { values.removeRow(at: found.path) }
  }

  private func cancel(_ id: ID) { wanted.removeValue(forKey: id)?.task?.cancel() }

  /// Asks for a value. Returns false if it is known: the key changed back before another value was loaded.
  private func want(_ id: ID, _ key: Key) -> Bool {
    cancel(id)
    if let (path, row) = values.locate(id), row.label.error == nil, areUnchanged(row.label.key, key) {
      var label = row.label
      label.number = requestCount
      values.replaceRow(at: path, with: Loaded(id: id, label))
      return false
    }
    wanted[id] = (requestCount, key, nil)
    queue.append((id, requestCount))
    return true
  }

  // MARK: - Loads

  /// Starts the loads whose turn it is.
  private func start() {
    while runningCount < limit, firstInQueue < queue.count {
      let (id, number) = queue[firstInQueue]
      firstInQueue += 1
      guard let next = wanted[id], next.number == number else { continue }
      runningCount += 1
      wanted[id]?.task = Task { [load, weak self] in
        let result: Result<Value, any Error>
        do { result = .success(try await load(next.key)) } catch { result = .failure(error) }
        await self?.end(id, number, result)
      }
    }
    if queue.count > 2 * wanted.count + 32 {
      queue.removeFirst(firstInQueue)
      queue.removeAll { wanted[$0.id]?.number != $0.number }
      firstInQueue = 0
    }
    assert(runningCount <= limit, "\(runningCount) loads run in place of \(limit)")
  }

  private func end(_ id: ID, _ number: Int, _ result: Result<Value, any Error>) {
    runningCount -= 1
    let isWanted = wanted[id]?.number == number
    if isWanted, let load = wanted.removeValue(forKey: id) {
      let former = values.locate(id)
      let (value, error): (Value?, (any Error)?) =
        switch result {
        case .success(let value): (value, nil)
        case .failure(let error): (former?.row.label.value, error)
        }
      let row = Loaded(id: id, (number, load.key, value, error))
      if let former {
        values.replaceRow(at: former.path, with: row)
      } else {
        values.insertRow(row, at: RowPath(section: 0, row: values.list.rowCount))
      }
    }
    start()
    if isWanted { publish() }
  }

  private func publish() {
    values.commit()
    revision += 1
    waiters.wakeAll()
  }

  // MARK: - Being read

  @usableFromInline
  func value(after revision: Int?) -> UpstreamValue<Reading>? {
    if self.revision == revision { return nil }
    return ((values.snapshot, requestCount, wanted.isEmpty), self.revision, false)
  }

  @usableFromInline
  func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    guard self.revision == revision else { return nil }
    let token = waiters.add(signal)
    return { await self.step { $0.waiters.remove(token) } }
  }

  /// The number of loads that wait for their turn, and of some loads that are not wanted any more; for tests.
  var queueLength: Int { queue.count - firstInQueue }
}

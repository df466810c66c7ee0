/// The rules of `Paging`, and of attached sources, over arrays: a state that a list may have, and the states of its sources.
///
/// What is done is an action. It may leave jobs: calls that were woken, loads that have an answer. Any order of actions and jobs
/// may come to pass.
struct PagingModel: Hashable {
  /// The errors of servers, of the list, of pagings and of bindings. A server throws it.
  enum Fault: String, Error { case down, busy, refused, cancelled, list, finished, own, ended, missingEnd, rejected }

  enum Phase: Hashable {
    case idle, loading, loaded, empty
    case failed(Fault, isAutomatic: Bool)
  }

  struct Part: Hashable {
    let id: String
    var phase = Phase.idle
    var rows: [TestRow] = []
  }

  enum Op: Hashable {
    case put(TestRow, String)
    case update(TestRow)
    case remove(Int)
    case move(Int, String)
    case removeSection(String)
    case addSection(String)
  }

  enum Kind: Hashable {
    case demand, reload
    case change(String)
  }

  /// Who asks for a page. A deaf load continues when it is cancelled.
  struct Caller: Hashable {
    let id: Int
    let isDeaf: Bool
  }

  /// A load of a caller, which makes one load after the other.
  struct LoadKey: Hashable {
    let caller: Int
    let number: Int
  }

  struct Request: Hashable {
    let query: String
    let cursor: Int?
  }

  struct Page: Hashable {
    let rows: [TestRow]
    let next: Int?
  }

  typealias Answer = Result<Page, Fault>

  enum Action: Hashable {
    case call(Caller, Kind, isCancelled: Bool)
    /// A load asks, and waits or does not.
    case ask(LoadKey, Caller, Kind, isAwaited: Bool)
    case cancel(Int)
    case answer(LoadKey, Answer)
    case edit([Op])
    case finish
    case line(Int, Line.Action)
    case pass(Int)
  }

  /// The observable state when nothing else happens.
  struct Seen: Hashable {
    var parts: [Part]
    var query: String
    var isComplete: Bool
    var failure: Fault?
    var waiting: Int
    var done: Set<Int>
    var loads: [LoadKey: Request]
    var lines: [Line.Seen?]
  }

  private struct Call: Hashable {
    enum State: Hashable { case waiting, woken, loading }
    let caller: Caller
    var isCancelled: Bool
    /// The page that is waited for has a greater number; `nil` if only a first page is loaded.
    var after: Int?
    var state = State.loading
    var loads = 0
    /// The load that waits for the call.
    var load: LoadKey?
  }

  private struct Load: Hashable {
    let number: Int
    let request: Request
    let requested: [Part]
    let isDeaf: Bool
    var isCancelled = false
    var answer: Answer?
    var isBusy = false
  }

  private enum Job: Hashable {
    case wake(Int)
    case end(LoadKey)
  }

  let isAtTop: Bool
  var parts: [Part]
  var isFinished = false
  var now = 0
  /// The source of a section, and the mirror.
  var lines: [Line?] = [nil, nil]
  /// The newest revision that was news for the mirror.
  var mirrored = -1
  private(set) var query = "x"
  private var (hasLast, replaces, hasRefused) = (false, false, false)
  private var cursor: Int?
  private var failure: Fault?
  private var (requests, latest) = (0, 0)
  private var flight: LoadKey?
  private var calls: [Int: Call] = [:]
  private var loads: [LoadKey: Load] = [:]
  private var done: Set<Int> = []

  init(isAtTop: Bool, parts: [Part]) { (self.isAtTop, self.parts) = (isAtTop, parts) }

  // MARK: - What drivers ask

  var seen: Seen {
    Seen(
      parts: parts, query: query, isComplete: hasLast, failure: failure,
      waiting: calls.values.count { $0.state == .waiting }, done: done, loads: loads.mapValues(\.request),
      lines: lines.map { $0?.seen })
  }

  /// The calls that have not returned.
  var openCalls: [Int] { calls.keys.sorted() }
  /// The load that counts, and the loads whose answers are too late, as far as they can be answered.
  var currentLoad: LoadKey? { flight.flatMap { loads[$0]?.isBusy == false ? $0 : nil } }
  var lateLoads: [LoadKey] { openLoads.filter { $0 != flight } }
  private var openLoads: [LoadKey] {
    loads.keys.filter { loads[$0]?.isBusy == false }.sorted { ($0.caller, $0.number) < ($1.caller, $1.number) }
  }
  /// True if a load continues when it is cancelled.
  func isDeaf(_ load: LoadKey) -> Bool { loads[load]?.isDeaf ?? false }
  /// The rows that were edited since the page was requested.
  var editedRows: [Int] {
    guard let flight, let load = loads[flight] else { return [] }
    let (before, after) = (Self.rows(load.requested), Self.rows(parts))
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
  var hasPages: Bool { parts.contains { $0.id == "a" } }

  /// All states after some actions, in any order.
  static func explore(_ models: [PagingModel], _ actions: [Action]) -> [PagingModel] {
    struct State: Hashable {
      var model: PagingModel
      var actions: [Action]
    }
    var (open, visited): ([State], Set<State>) = (models.map { State(model: $0, actions: actions) }, [])
    var ends: [PagingModel] = []
    while let state = open.popLast() {
      guard visited.insert(state).inserted else { continue }
      let jobs = state.model.jobs
      if jobs.isEmpty, state.actions.isEmpty { ends.append(state.model) }
      for job in jobs {
        var next = state
        next.model.run(job)
        open.append(next)
      }
      for index in state.actions.indices {
        var next = state
        next.model.perform(next.actions.remove(at: index))
        open.append(next)
      }
    }
    return ends
  }

  private var jobs: [Job] {
    openCalls.filter { calls[$0]?.state == .woken }.map { .wake($0) }
      + openLoads.filter { loads[$0]?.answer != nil }.map { .end($0) }
  }

  // MARK: - Actions

  private mutating func perform(_ action: Action) {
    switch action {
    case .call(let caller, let kind, let isCancelled):
      calls[caller.id] = Call(caller: caller, isCancelled: isCancelled)
      request(caller.id, kind)
    case .ask(let key, let caller, let kind, let isAwaited):
      // A load that has ended asks for nothing.
      guard let load = loads[key], load.answer == nil else { return }
      calls[caller.id] = Call(caller: caller, isCancelled: isAwaited && load.isCancelled)
      if isAwaited, key == flight {
        (failure, hasRefused) = (.own, true)
        return end(caller.id)
      }
      if isAwaited {
        calls[caller.id]?.load = key
        loads[key]?.isBusy = true
      }
      request(caller.id, kind)
    case .cancel(let id):
      guard let call = calls[id] else { return }
      calls[id]?.isCancelled = true
      if call.state == .waiting { calls[id]?.state = .woken }
      for key in loads.keys where key.caller == id { cancelLoad(key) }
    case .answer(let key, let answer): if loads[key]?.answer == nil { loads[key]?.answer = answer }
    case .edit(let ops): try? edit { $0.apply(ops) }
    case .finish: isFinished = true
    case .line(let index, let action): perform(action, on: index)
    case .pass(let seconds): pass(seconds)
    }
  }

  private mutating func request(_ id: Int, _ kind: Kind) {
    switch kind {
    case .demand:
      calls[id]?.after = requests
      wait(id)
    case .reload: loadFirst(id)
    case .change(query):
      if !replaces { return end(id) }
      calls[id]?.after = latest
      wait(id)
    case .change(let other):
      query = other
      loadFirst(id)
    }
  }

  /// A call has returned.
  private mutating func end(_ id: Int) {
    if let load = calls.removeValue(forKey: id)?.load { loads[load]?.isBusy = false }
    done.insert(id)
  }

  private mutating func wait(_ id: Int) {
    guard let call = calls[id], let after = call.after, !call.isCancelled else { return end(id) }
    if flight != nil {
      calls[id]?.state = .waiting
    } else if latest > after || hasLast {
      end(id)
    } else {
      load(id)
    }
  }

  private mutating func loadFirst(_ id: Int) {
    if let flight { cancelLoad(flight) }
    (flight, cursor, hasLast, replaces) = (nil, nil, false, true)
    load(id)
  }

  private mutating func load(_ id: Int) {
    guard let call = calls[id] else { return }
    requests += 1
    hasRefused = false
    do {
      try edit { try $0.setPhase(.loading, of: "a") }
    } catch {
      (failure, latest) = (error as? Fault, requests)
      wakeAll()
      return wait(id)
    }
    let key = LoadKey(caller: id, number: call.loads)
    calls[id]?.loads += 1
    calls[id]?.state = .loading
    loads[key] = Load(
      number: requests, request: Request(query: query, cursor: cursor), requested: parts, isDeaf: call.caller.isDeaf)
    flight = key
    if call.isCancelled { cancelLoad(key) }
  }

  private mutating func cancelLoad(_ key: LoadKey) {
    guard let load = loads[key] else { return }
    loads[key]?.isCancelled = true
    if !load.isDeaf, load.answer == nil { loads[key]?.answer = .failure(.cancelled) }
  }

  private mutating func wakeAll() {
    for (id, call) in calls where call.state == .waiting { calls[id]?.state = .woken }
  }

  // MARK: - Jobs

  private mutating func run(_ job: Job) {
    switch job {
    case .wake(let id): wait(id)
    case .end(let key):
      guard let load = loads.removeValue(forKey: key), let answer = load.answer else { return }
      if flight == key {
        flight = nil
        insert(answer, load, isCancelled: calls[key.caller]?.isCancelled ?? true)
        wakeAll()
      }
      wait(key.caller)
    }
  }

  private mutating func insert(_ answer: Answer, _ load: Load, isCancelled: Bool) {
    if isCancelled {
      let isFirst = cursor == nil
      do {
        try edit { if isFirst { try $0.setPhase(.idle, of: "a") } else { try $0.markLoaded("a") } }
      } catch {
        failure = failure ?? error as? Fault
      }
      return
    }
    do {
      let page = try answer.get()
      let (isReplaced, isAtTop) = (replaces, isAtTop)
      try edit { try $0.insert(page.rows, load.requested, replaces: isReplaced, isAtTop: isAtTop) }
      (cursor, hasLast, replaces) = (page.next, page.next == nil, false)
      if !hasRefused { failure = nil }
    } catch {
      let fault = error as? Fault ?? .list
      failure = fault
      try? edit { try $0.setPhase(.failed(fault, isAutomatic: false), of: "a") }
    }
    latest = requests
  }

  // MARK: - The list

  /// All of it happens, or nothing.
  mutating func edit(_ body: (inout [Part]) throws -> Void) throws {
    if isFinished { throw Fault.finished }
    var next = parts
    try body(&next)
    parts = next
  }

  static func rows(_ parts: [Part]) -> [Int: TestRow] {
    Dictionary(uniqueKeysWithValues: parts.flatMap(\.rows).map { ($0.id, $0) })
  }
}

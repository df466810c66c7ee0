@testable import RowcastSources
@testable import RowcastStore

/// What pages, sources and people do to one list.
enum PagingFeature: String, DrivenFeature {
  /// Pages are inserted at the top; sources have a window, and their ends are failures.
  case top, window, endsAreFailures
  /// Who asks for pages: several things at once, and by tasks that are cancelled later, or before.
  case demand, reload, change, sameQuery, early, cancel, burst
  /// Answers: with rows edited during the load, with a row twice, and after another load has begun.
  case page, edited, lastPage, emptyPage, wrongPage, fails, late
  /// A load asks for a page, and waits for it or does not.
  case own, spawn
  case edit, move, removeSection, addSection, finish
  /// A source and a mirror, with their connections.
  case attach, follow, accept, refuse, event, refusedEvent, deliver, breaks, ends, pass, retry, detach, drop

  static let settings: Set<Self> = [.top, .window, .endsAreFailures]
}

/// A list whose section "a" is paged, whose section "b" has a source, and which a mirror follows.
///
/// The driver waits until nothing else happens, and compares; after a burst, with the results of all orders.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor final class PagingFuzz {
  typealias Model = PagingModel
  typealias Message = WireMessage<PagedSection, TestRow>

  let store = ListStore<PagedSection, TestRow>()
  let desk: PageDesk
  private let paging: PageDesk.Pages
  let clock = ManualClock()
  let mirror = MirroredList<PagedSection, TestRow>()
  private(set) var source = LineDesk<Model.Line.Event>()
  private(set) var connection = LineDesk<Message>()
  private var attached: [AttachedLine?] = [nil, nil]
  var random: SeededGenerator
  private let (hasWindow, endsAreFailures): (Bool, Bool)
  /// The possible states of the list and its sources, as far as is known; and the actions since.
  private var models: [Model]
  private(set) var pending: [Model.Action] = []
  private var burst = 0
  private var texts = 0
  private var callers = 0
  /// The tasks that ask for pages.
  private(set) var calls: [Int: Task<Void, Never>] = [:]
  private var used: Set<PagingFeature> = []

  private init(_ fuzzCase: FuzzCase<PagingFeature>) {
    random = SeededGenerator(seed: fuzzCase.seed)
    let settings = fuzzCase.settings
    used = Set(settings)
    (hasWindow, endsAreFailures) = (settings.contains(.window), settings.contains(.endsAreFailures))
    let desk = PageDesk()
    self.desk = desk
    paging = PageDesk.Pages(store, section: "a", at: settings.contains(.top) ? .top : .bottom, query: "x") {
      try await desk.load($0, $1)
    }
    models = [Model(isAtTop: settings.contains(.top), parts: [])]
  }

  /// Plays a case. Returns the features used, and the fault.
  static func play(_ fuzzCase: FuzzCase<PagingFeature>) async -> (used: Set<PagingFeature>, fault: String?) {
    let fuzz = PagingFuzz(fuzzCase)
    do {
      await fuzz.desk.set(fuzz.paging)
      try await fuzz.act(.edit([.addSection("a"), .addSection("b")]))
      try await fuzz.act(.edit([0, 1, 2, 3].map { .put(fuzz.row($0), $0 < 3 ? "a" : "b") }))
      for (number, step) in fuzzCase.steps.enumerated() {
        fuzz.random = SeededGenerator(seed: step.seed)
        do {
          if try await fuzz.perform(step.feature) { fuzz.used.insert(step.feature) }
        } catch {
          throw Mismatch("step \(number), \(step.feature): \(error)")
        }
      }
      try await fuzz.end()
    } catch { return (fuzz.used, "\(error)") }
    return (fuzz.used, nil)
  }

  func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// A row that no other one is equal to.
  func row(_ id: Int) -> TestRow {
    texts += 1
    return TestRow(id, "\(texts)")
  }

  /// A state that the list may have had before the burst.
  var known: Model { models[0] }
  /// True if something was done that has not been compared.
  var isBusy: Bool { !pending.isEmpty }

  /// The next two or three things happen at once.
  func beginBurst() async throws {
    try await settle()
    burst = number(2...3)
  }

  // MARK: - Actions

  /// Does something, in the models as well.
  func act(_ action: Model.Action) async throws {
    // What happens to one line has an order, which is not tried in all ways.
    if action.isOfLine, pending.contains(where: \.isOfLine) { try await settle() }
    // A source that ends, or that fails, with an event edits the list twice. A load that is cancelled may ask before it notices.
    let isAlone =
      if case .ask(let key, _, _, _) = action { !known.isDeaf(key) } else {
        action.isRefusal || action.isOfLine && known.lines[0]?.held.isEmpty == false
      }
    if isAlone, isBusy { try await settle() }
    pending.append(action)
    switch action {
    case .call(let caller, let kind, let isCancelled):
      let task = Task { [desk] in await desk.call(caller, kind) }
      calls[caller.id] = task
      // The task begins on this actor.
      if isCancelled { task.cancel() }
    case .ask(let key, let caller, let kind, let isAwaited):
      await desk.tell(key, .ask(caller, kind, isAwaited: isAwaited))
    case .cancel(let call): calls[call]?.cancel()
    case .answer(let key, let answer): await desk.tell(key, .answer(answer))
    case .edit(let ops):
      do { try await store.edit { try Self.apply(ops, to: &$0) } } catch ListStoreError.finished {}
    case .finish: await store.finish()
    case .pass(let seconds): await clock.advance(by: .seconds(seconds))
    case .line(let index, let action): try await act(action, on: index)
    }
    burst -= 1
    if burst <= 0 || isAlone { try await settle() }
  }

  private func act(_ action: Model.Line.Action, on index: Int) async throws {
    switch action {
    case .accept: if index == 0 { await source.accept() } else { await connection.accept() }
    case .refuse(let fault):
      if index == 0 { await source.refuse(fault.thrown) } else { await connection.refuse(fault.thrown) }
    case .event(let event): await source.send(event)
    case .breaks(let fault):
      if index == 0 { await source.finish(fault.thrown) } else { await connection.finish(fault.thrown) }
    case .ends: if index == 0 { await source.finish(nil) } else { await connection.finish(nil) }
    case .deliver(let revision, let isEnd):
      let newest = await store.position
      let message = await store.message(since: mirror.position) ?? .progress(newest, since: newest)
      await connection.send(message)
      if isEnd { await connection.send(.end(revision: revision, updates: 1, epoch: newest.epoch)) }
    case .retry: await attached[index]?.binding?.retry()
    case .cancel: attached[index]?.binding?.cancel()
    }
  }

  /// Drops a binding, which is the end of its line.
  func drop(_ index: Int) async throws {
    try await settle()
    attached[index]?.binding = nil
    try await act(.line(index, .cancel))
  }

  func newCaller() -> Model.Caller {
    callers += 1
    return Model.Caller(id: callers, isDeaf: number(0...1) == 0)
  }

  private nonisolated static func apply(_ ops: [Model.Op], to list: inout ListEditor<PagedSection, TestRow>) throws {
    for op in ops {
      switch op {
      case .put(let row, let id): if list.index(ofSection: id) != nil { try list.upsert(row, to: id) }
      case .update(let row): if list.path(ofRow: row.id) != nil { try list.update(row.id) { $0 = row } }
      case .remove(let row): if list.path(ofRow: row) != nil { try list.remove(row) }
      case .move(let row, let id):
        if list.path(ofRow: row) != nil, list.index(ofSection: id) != nil { try list.move(row, toEndOf: id) }
      case .removeSection(let id): if list.index(ofSection: id) != nil { try list.removeSection(id) }
      case .addSection(let id): if list.index(ofSection: id) == nil { try list.append(PagedSection(id: id)) }
      }
    }
  }

  // MARK: - Lines

  private var policy: RetryPolicy {
    .backOff(
      BackOff(first: .seconds(1), longest: .seconds(4), attempts: 3, jitter: 0, endsAreFailures: endsAreFailures) {
        switch $0 as? Model.Fault {
        case .busy: .wait(.seconds(3))
        case .refused: .stop
        default: .backOff
        }
      })
  }

  /// Attaches a source; returns `false` if there is one, or the list no longer changes.
  func attach() async throws -> Bool {
    try await settle()
    guard known.lines[0]?.status.isFinal ?? true, !known.isFinished else { return false }
    let window: Model.Line.Window? = !hasWindow ? nil : number(0...1) == 0 ? .throttle(2) : .debounce(2, atMost: 3)
    let coalescing: Coalescing =
      switch window {
      case nil: .none
      case .throttle(let period): .throttle(every: .seconds(period))
      case .debounce(let quiet, let limit): .debounce(for: .seconds(quiet), atMost: .seconds(limit))
      }
    source = LineDesk()
    let bindings = try await store.attach([
      SectionSource(PagedSection(id: "b"), retrying: policy, coalescing: coalescing, clock: clock) { [source] in
        try await source.connect()
      } onRejection: { event, _ in
        event.proceeds ? .proceed : .stop
      } apply: { list, event in
        try Self.apply(event.ops, to: &list)
        if event.isRefused { throw Model.Fault.rejected }
      }
    ])
    attached[0] = AttachedLine(bindings[0])
    for index in models.indices {
      models[index].lines[0] = Model.Line(window: window, endsAreFailures: endsAreFailures)
      try models[index].edit {
        $0.apply([.addSection("b")])
        try $0.setPhase(.loading, of: "b")
      }
    }
    try await settle()
    return true
  }

  /// Lets the mirror follow the list; returns `false` if it does already, or the list no longer changes.
  func follow() async throws -> Bool {
    try await settle()
    guard known.lines[1]?.status.isFinal ?? true, !known.isFinished else { return false }
    connection = LineDesk()
    attached[1] = AttachedLine(
      mirror.follow(retrying: policy, clock: clock) { [connection] _ in try await connection.connect() })
    for index in models.indices { models[index].lines[1] = Model.Line(isMirror: true) }
    try await settle()
    return true
  }

  // MARK: - Checks

  /// Waits until nothing else happens, and compares.
  func settle() async throws {
    try await Schedule.settle()
    if pending.count > 1 { used.insert(.burst) }
    let seen = try await observe()
    let expected = Model.explore(models, pending)
    models = expected.filter { $0.seen == seen }
    try Mismatch.unless(
      !models.isEmpty, "after \(pending):\nis \(seen)\nnot \(expected.map(\.seen))".replacing(/\w+\.(\w+\.)*/, with: "")
    )
    (pending, burst) = ([], 0)
  }

  private func observe() async throws -> Model.Seen {
    let list = await store.snapshot
    let parts = (0..<list.sectionCount).map { index in
      let section = list.section(at: index)
      return Model.Part(id: section.id, phase: Model.Phase(section.phase), rows: list.rows(inSection: index).map { $0 })
    }
    var lines: [Model.Line.Seen?] = []
    for (index, line) in attached.enumerated() {
      let asks = await index == 0 ? source.asks : connection.asks
      lines.append(try await line?.seen(asks: asks))
    }
    if case .deliver = pending.last?.ofLine {
      let copy = await mirror.snapshot
      try Mismatch.unless(copy == list, "the mirror has another list")
    }
    return Model.Seen(
      parts: parts, query: await paging.query, isComplete: await paging.isComplete,
      failure: await paging.failure.map(Model.Fault.init), waiting: await paging.waitingCount, done: await desk.done,
      loads: await desk.loads, lines: lines)
  }

  /// Lets all loads end, and detaches everything.
  private func end() async throws {
    try await settle()
    while let load = known.currentLoad ?? known.lateLoads.first {
      try await act(.answer(load, .success(Model.Page(rows: [], next: nil))))
    }
    try Mismatch.unless(known.openCalls.isEmpty, "calls \(known.openCalls) do not return")
    for index in attached.indices where attached[index] != nil { try await drop(index) }
    await desk.set(nil)
  }
}

extension PagingModel.Action {
  /// True if its order among others of a line is not free.
  fileprivate var isOfLine: Bool { if case .pass = self { true } else { ofLine != nil } }
  /// True if an event is refused.
  fileprivate var isRefusal: Bool { if case .event(let event) = ofLine { event.isRefused } else { false } }
  fileprivate var ofLine: PagingModel.Line.Action? { if case .line(_, let action) = self { action } else { nil } }
}

/// What models can do, and what happens to them.
enum ModelFeature: String, DrivenFeature {
  /// A model of an arranged list, two models, and a list to start with that is as it is, or other.
  case arranged, second, start, otherStart
  case edit, small, back, content, modelEdit, failingEdit
  case newest, finish, settle, release
  case swipe, drag, change, moveRows, removeRows
  case readRows, read, refresh
  case fails, works

  static let settings: Set<Self> = [.arranged, .second, .start, .otherStart]
  static let impossible: [(Self, Self, because: String)] = [
    (.start, .otherStart, because: "a model starts with one list")
  ]
}

/// A store, models of it, and a person.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor
final class ModelFuzz: ScheduledFuzz {
  private struct Refused: Error {}
  private struct Former { weak var model: TestModel? }

  private let store: TestStore
  private var models: [CheckedModel] = []
  private var random: SeededGenerator
  private var last: NaiveList<TestSection, TestRow>
  private var states: [NaiveList<TestSection, TestRow>]
  /// An edit of a model, or a look at the newest list, that has not returned.
  private var pending: (task: Task<Void, any Error>, model: CheckedModel, state: Int, edits: Int)?
  private(set) var used: Set<ModelFeature> = []
  private var failure: (any Error)?
  /// The failures that no working source has replaced, and the bindings of the sources.
  private var failures: [String] = []
  private var bindings: [SourceBinding] = []
  private var ends: [AsyncStream<Int>.Continuation] = []

  init(_ fuzzCase: FuzzCase<ModelFeature>) throws {
    random = SeededGenerator(seed: fuzzCase.seed)
    let list = try TestSnapshot.random(sections: 4, rows: 14, using: &random)
    (store, last) = (TestStore(list), NaiveList(list))
    states = [last]
    for number in 0..<(fuzzCase.settings.contains(.second) ? 2 : 1) {
      let start: TestSnapshot? =
        fuzzCase.settings.contains(.start)
        ? list : fuzzCase.settings.contains(.otherStart) ? try .random(sections: 4, rows: 14, using: &random) : nil
      let followsStore = number == 1 || !fuzzCase.settings.contains(.arranged)
      add(followsStore: followsStore, startingWith: start)
    }
    used.formUnion(fuzzCase.settings.filter { $0 != .otherStart || !fuzzCase.settings.contains(.start) })
  }

  private func add(followsStore: Bool, startingWith start: TestSnapshot?) {
    let model =
      followsStore
      ? TestModel(store, startingWith: start)
      : TestModel(store.arranged { $0.filter { $0.id % 5 != 0 } }, startingWith: start)
    models.append(CheckedModel(model, followsStore: followsStore, states: states, startingWith: start))
  }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  func step(_ feature: ModelFeature, seed: UInt64) async throws {
    random = SeededGenerator(seed: seed)
    // Nothing else retains the released model.
    let isUsed = feature == .release ? try await release() : try await perform(feature)
    if isUsed { used.insert(feature) }
    for model in models { try model.check() }
    for _ in 0..<max(0, number(-2...4)) {
      await Task.yield()
      for model in models { try model.checkNews() }
    }
    if let failure { throw Mismatch("a change of the store failed: \(failure)") }
  }

  /// Returns false if there was nothing to do.
  private func perform(_ feature: ModelFeature) async throws -> Bool {
    let model = models[number(0...models.count - 1)]
    switch feature {
    case .arranged, .second, .start, .otherStart, .release: return false
    case .edit, .small, .back, .content:
      guard let next = try next(feature) else { return false }
      try await finish()
      expect(next)
      try await store.replace(with: Self.snapshot(next))
    case .modelEdit:
      guard model.followsStore, let next = try next([.edit, .small, .back, .content][number(0...3)]) else {
        return try await refusesEdits(model)
      }
      try await finish()
      expect(next)
      let list = try Self.snapshot(next)
      wait(for: model, state: states.count - 1) { try await model.model.edit { $0.replace(with: list) } }
    case .failingEdit:
      guard model.followsStore else { return false }
      try await finish()
      do {
        try await model.model.edit {
          $0.removeAll()
          throw Refused()
        }
        throw Mismatch("an edit that throws returns")
      } catch is Refused {}
    case .newest:
      try await finish()
      wait(for: model, state: model.followsStore ? states.count - 1 : 0) { await model.model.showNewest() }
    case .finish:
      if pending == nil { return false }
      try await finish()
    case .settle: try await end()
    case .swipe, .drag, .change: return try model.perform(feature, &random)
    case .moveRows, .removeRows:
      try await finish()
      let made = try model.performInStore(store, of: last, moves: feature == .moveRows, &random) { [weak self] in
        self?.failure = $0
      }
      guard let (task, next) = made else { return false }
      if next != last { expect(next) }
      wait(for: model, state: model.followsStore ? states.count - 1 : 0) { await task.value }
    case .readRows: for model in models { model.readRows() }
    case .read: for model in models { try model.read() }
    case .refresh: try model.refresh((0...number(0...3)).map { _ in number(0...13) })
    case .fails: return try await attachFailing()
    case .works: try await attachWorking()
    }
    return true
  }

  // MARK: - Lists

  private static func snapshot(_ list: NaiveList<TestSection, TestRow>) throws -> TestSnapshot {
    try TestSnapshot(list.parts.map { ListSection($0.section, rows: $0.rows) })
  }

  /// Another list, or `nil`.
  private func next(_ feature: ModelFeature) throws -> NaiveList<TestSection, TestRow>? {
    var next = last
    switch feature {
    case .edit: next = NaiveList(try TestSnapshot.random(sections: 4, rows: 14, using: &random))
    case .back: next = states[max(0, states.count - 4)...].randomElement(using: &random) ?? last
    case .content:
      for part in next.parts.indices {
        if number(0...2) == 0 { next.parts[part].section.content.title = "\(number(0...9))" }
        for row in next.parts[part].rows.indices where number(0...3) == 0 {
          next.parts[part].rows[row].text = "\(number(0...9))"
        }
      }
    default:
      guard let part = next.parts.indices.randomElement(using: &random) else { return nil }
      let free = (0..<14).filter { id in !next.parts.contains { $0.rows.contains { $0.id == id } } }
      if let id = free.randomElement(using: &random), number(0...1) == 0 {
        next.parts[part].rows.append(TestRow(id, "new"))
      } else if !next.parts[part].rows.isEmpty {
        next.parts[part].rows.removeFirst()
      }
    }
    return next == last ? nil : next
  }

  /// A state that the store is about to have.
  private func expect(_ next: NaiveList<TestSection, TestRow>) {
    last = next
    states.append(next)
    for model in models { model.expect(next) }
  }

  /// A list that is made of others is not edited.
  private func refusesEdits(_ model: CheckedModel) async throws -> Bool {
    if model.followsStore { return false }
    do {
      try await model.model.edit { $0.removeAll() }
    } catch ListModelError.notAStore {
      return true
    }
    throw Mismatch("a list that is made of others was edited")
  }

  // MARK: - What has not returned

  private func wait(
    for model: CheckedModel, state: Int, _ operation: @escaping @MainActor @Sendable () async throws -> Void
  ) {
    pending = (Task { try await operation() }, model, state, model.editCount)
  }

  /// Waits for what has not returned.
  private func finish() async throws {
    guard let (task, model, state, edits) = pending else { return }
    pending = nil
    try await task.value
    try model.mustHave(state, editsThen: edits)
  }

  func end() async throws {
    try await finish()
    for model in models { try await model.settle() }
    try await settlePhase()
  }

  /// A model is released, and another one is made.
  private func release() async throws -> Bool {
    guard failures.isEmpty, bindings.isEmpty else { return false }
    try await finish()
    let followsStore = models[0].followsStore
    let former = Former(model: models[0].model)
    models.removeFirst()
    add(followsStore: followsStore, startingWith: number(0...1) == 0 ? try Self.snapshot(last) : nil)
    // A model that stays hangs here.
    await eventually { former.model == nil }
    return true
  }

  // MARK: - Sources

  private func watch(_ binding: SourceBinding) {
    bindings.append(binding)
    for model in models {
      model.mayHaveFailed = true
      model.model.watch(binding)
    }
  }

  /// A source that fails for good.
  private func attachFailing() async throws -> Bool {
    // Another failing source may have taken the place of the first, or not.
    if !failures.isEmpty { return false }
    let binding = store.attach(AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Refused()) }) { _, _ in }
    watch(binding)
    _ = await binding.outcome
    failures.append("Refused()")
    // On a schedule time stops otherwise, and the source that is attached next follows this one.
    try await ContinuousClock().sleep(for: .nanoseconds(1))
    try await settlePhase()
    return true
  }

  /// A working source takes the place of a failed one.
  private func attachWorking() async throws {
    let (events, more) = AsyncStream.makeStream(of: Int.self)
    ends.append(more)
    watch(store.attach(events) { _, _ in })
    if !failures.isEmpty { failures.removeFirst() }
    try await settlePhase()
  }

  private func settlePhase() async throws {
    for model in models where model.mayHaveFailed {
      var isRight = false
      for _ in 0..<2_000 where !isRight {
        try model.checkNews()
        let rows = model.model.snapshot.rowCount
        let phase = model.model.phase
        isRight =
          failures.isEmpty
          ? phase == (rows == 0 ? .empty : .loaded)
            || model.mayLoad && phase == .loading && model.model.base.position == nil
          : phase == .failed(message: "Refused()", retry: .never)
        if !isRight { await Task.yield() }
      }
      try Mismatch.unless(isRight, "the phase stays \(model.model.phase), with \(failures.count) failures")
    }
  }
}

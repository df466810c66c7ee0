import Dispatch
import Foundation
import RowcastDiff
import RowcastModel
import RowcastSchedules
import RowcastSources
import RowcastStore
import RowcastTestSupport
import RowcastTesting
import RowcastViews
import Testing

/// The promises that all live lists share, for each of ours. A new list joins by a line of `makers`.
@Suite(.watched) struct LiveListPromiseTests {
  typealias Subject = LiveListSubject<AnyTestList>
  typealias Model = NaiveList<TestSection, TestRow>

  /// A list by what it is made of.
  struct Maker: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The list that two others make.
    let definition: @Sendable (Model, Model) -> Model
    let make: @Sendable () async throws -> Made
  }

  /// A list, and the stores that it is made of. Each has the row 1.
  struct Made: Sendable {
    let list: AnyTestList
    let store: TestStore
    let other: TestStore
    /// Brings what was edited to the list.
    var update: @Sendable () async throws -> Void = {}
    let end: @Sendable () async throws -> Void
    /// Updates from a position on; `nil` for a list that cannot be resumed.
    var resumed: (@Sendable (ListPosition) -> AsyncStream<TestUpdate>)?
    /// The store in which readers of the list wait: its first one, unless it has another.
    var waitingRoom: TestStore?
    /// True if a task of its own follows the sources: what it does may count as work of the edit.
    var hasTask = false

    /// The number of tasks that wait for the list.
    @Sendable func waiterCount() async -> Int { await (waitingRoom ?? store).waiterCount }

    var subject: Subject {
      Subject(list) { [store, update] number in
        try await LiveListPromiseTests.edit(store, number)
        try await update()
      } end: { [end] in
        try await end()
      }
    }
  }

  /// Changes the row with the id 1.
  fileprivate static func edit(_ store: TestStore, _ number: Int) async throws {
    try await store.edit { try $0.update(1) { $0.text = "\(number)" } }
  }

  @Test(arguments: makers) func `T3 to T7 hold for all lists`(_ maker: Maker) async throws {
    try await LiveListChecks.run { try await maker.make().subject }
  }

  @Test func `checks whose task is cancelled accuse no list`() async throws {
    let checks = Task {
      try await LiveListChecks.run {
        while !Task.isCancelled { await Task.yield() }
        let store = try TestStore.with([1])
        return LiveListSubject(store) {
          try await Self.edit(store, $0)
        } end: {
          await store.finish()
        }
      }
    }
    checks.cancel()
    await #expect(throws: CancellationError.self) { try await checks.value }
  }

  #if ROWCAST_HOOKS
    @Test func `checks whose task is cancelled at some moment accuse no list`() async throws {
      try await Schedules.explore(SeededGenerator.rounds(60, long: 20_000), cancels: .ofBody) { _ in
        try await LiveListChecks.run {
          let store = try TestStore.with([1])
          return LiveListSubject(store) {
            try await Self.edit(store, $0)
          } end: {
            await store.finish()
          }
        }
      }
    }

    /// Checks a list that breaks a promise only where its reader is cancelled.
    private static func checkWithCancellation(_ count: Int, _ cancels: Schedules.Cancellation) async throws {
      try await Schedules.explore(count, cancels: cancels) { _ in
        try await LiveListChecks.run {
          let store = try TestStore.with([1])
          return LiveListSubject(BrokenList(store, .changesForTheCancelled)) {
            try await Self.edit(store, $0)
          } end: {
            await store.finish()
          }
        }
      }
    }

    @Test func `a wrong update is found, also if the checks are cancelled before it is delivered`() async throws {
      try await Self.checkWithCancellation(20, .never)
      // One schedule in about seven finds it.
      let failure = try await #require(throws: ScheduleFailure.self) {
        try await Self.checkWithCancellation(1_000, .ofBody)
      }
      guard case .threw(let error as LiveListFailure) = failure.kind else { throw failure }
      #expect(error.isCertain, "\(error)")
    }

    @Test func `an update for a cancelled task is found, also if the checks are cancelled before it`() async throws {
      try await Schedules.explore(20) { run in
        var found: [String] = []
        for number in 1...7 {
          let made = CallCount()
          let checks = Task {
            try await LiveListChecks.run {
              let store = try TestStore.with([1])
              made.note(())
              guard made.value == number else {
                return LiveListSubject(AnyTestList(store)) {
                  try await Self.edit(store, $0)
                } end: {
                  await store.finish()
                }
              }
              unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
              let list = BrokenList(store, .queues)
              return LiveListSubject(AnyTestList(list)) {
                try await Self.edit(store, $0)
                await list.wasEdited()
              } end: {
                await store.finish()
              }
            }
          }
          do { try await checks.value } catch let failure as LiveListFailure {
            found.append("\(failure.promise): \(failure.reason)")
          } catch is CancellationError {}
        }
        try run.expect(found == ["T5: an update was delivered to a task that was cancelled"], "\(found)")
      }
    }
  #endif

  @Test(arguments: BrokenList.Fault.allCases.filter { $0 != .changesForTheCancelled })
  func `a list that breaks a promise is found`(_ fault: BrokenList.Fault) async throws {
    let (begun, ended) = (CallCount(), CallCount())
    let failure = await #expect(throws: LiveListFailure.self) {
      try await LiveListChecks.run {
        let store = try TestStore.with([1])
        let list = BrokenList(store, fault)
        return LiveListSubject(list) { number in
          begun.note(())
          defer { ended.note(()) }
          try await Self.edit(store, number)
          await list.wasEdited()
        } end: {
          await list.end()
          await store.finish()
        }
      }
    }
    #expect(failure?.promise == fault.promise, "\(String(describing: failure))")
    if let reason = fault.reason { #expect(failure?.reason == reason) }
    // Nothing of it continues in the tests after this one.
    await eventually { begun.value == ended.value }
    #expect(failure?.location == "RowcastTestingTests/LiveListPromiseTests.swift:\(#line - 19)")
  }

  /// Set on the main queue: an assertion of isolation may be left out of optimised code.
  private static let mainQueue = DispatchSpecificKey<Bool>()

  @Test(arguments: makers) @MainActor
  func `T9 holds for all lists: who calls from the main actor is there again afterwards`(_ maker: Maker) async throws {
    DispatchQueue.main.setSpecific(key: Self.mainQueue, value: true)
    func check(_ call: String) {
      #expect(DispatchQueue.getSpecific(key: Self.mainQueue) == true, "not on the main actor after \(call)")
    }
    let subject = try await maker.make().subject
    check("making the list")
    var number = 0
    var updates = subject.list.updates().makeAsyncIterator()
    while number < 3 {
      // The first update is ready. The others are waited for: one of an edit before, and one of an edit during the wait.
      if number == 1 { try await subject.edit(number) }
      if number == 2 { Task.detached { try await subject.edit(2) } }
      check("edit \(number)")
      _ = await updates.next(isolation: #isolation)
      check("update \(number)")
      _ = await subject.list.snapshot
      check("a snapshot")
      _ = await subject.list.revision
      check("a revision")
      number += 1
    }
    try await subject.end?()
    check("the end")
    while await updates.next(isolation: #isolation) != nil {}
    check("the last update")
  }

  @Test(arguments: makers) func `a list whose stream nobody reads any more is freed`(_ maker: Maker) async throws {
    let subject = try await maker.make().subject
    weak let list = subject.list.object
    do {
      let subject = consume subject
      var updates = subject.list.updates().makeAsyncIterator()
      _ = await updates.next()
      try await subject.edit(1)
      _ = await updates.next()
      try await subject.end?()
    }
    await eventually { list == nil }
  }

  @Test(arguments: makers) func `a list ends when the app lets go of what it is made of`(_ maker: Maker) async throws {
    weak var store: TestStore?
    weak var other: TestStore?
    var updates = try await {
      let made = try await maker.make()
      (store, other) = (made.store, made.other)
      var updates = made.list.updates().makeAsyncIterator()
      #expect(await updates.next() != nil)
      return updates
    }()
    while await updates.next() != nil {}
    await eventually { store == nil && other == nil }
  }

  @Test(arguments: makers) func `a list that nobody reads any more keeps no store of the app`(
    _ maker: Maker
  ) async throws {
    // It has a store of its own.
    if maker.testDescription == Self.archive { return }
    weak var store: TestStore?
    weak var other: TestStore?
    let list = try await {
      let made = try await maker.make()
      (store, other) = (made.store, made.other)
      _ = await made.list.snapshot
      return made.list
    }()
    if list.object === store { return }
    await eventually { store == nil && other == nil }
    withExtendedLifetime(list) {}
  }

  @Test(arguments: makers) func `who waits for a list and is cancelled leaves nothing behind in its sources`(
    _ maker: Maker
  ) async throws {
    let made = try await maker.make()
    // They wait for the content of the file, which the store does not know.
    if maker.testDescription == Self.archive { return try await made.end() }
    let readers = (0..<3).map { _ in Task { try await Follower.following(made.list.updates()) } }
    for number in 1...3 {
      await eventually { await made.waiterCount() >= readers.count }
      try await made.subject.edit(number)
    }
    await eventually { await made.waiterCount() >= readers.count }
    for reader in readers { reader.cancel() }
    for reader in readers { #expect(2...4 ~= (try await reader.value.updates)) }
    // A task leaves its place before it ends.
    #expect(await made.waiterCount() == 0)
    try await made.end()
  }

  @Test(arguments: makers) func `two streams of a list have the same updates, whoever reads first`(_ maker: Maker)
    async throws
  {
    let subject = try await maker.make().subject
    var streams = [subject.list.updates().makeAsyncIterator(), subject.list.updates().makeAsyncIterator()]
    for number in 0...6 {
      if number > 0 { try await subject.edit(number) }
      let first = number % 2
      let update = await streams[first].next()
      let other = await streams[1 - first].next()
      #expect(update?.position == other?.position && update?.changes == other?.changes && update != nil)
    }
  }
}

/// A list of any type.
struct AnyTestList: LiveList {
  private let list: any LiveList<TestSection, TestRow>

  init(_ list: some LiveList<TestSection, TestRow>) { self.list = list }

  var object: AnyObject? { list as AnyObject }
  var snapshot: TestSnapshot { get async { await list.snapshot } }
  var revision: Int { get async { await list.revision } }
  func updates() -> AsyncStream<TestUpdate> { list.updates() }
}

/// A list that breaks a promise.
actor BrokenList: LiveList {
  enum Fault: String, CaseIterable {
    case startsWithoutTheList, repeatsTheList, skipsAnUpdate, staysBehind, queues, endsTooEarly, losesTheLastList,
      neverEnds, isGoneAfterTheEnd, ignoresCancellation, waitsForFirstReads, delaysEdits, endsAfterACatchUp,
      changesAtTheEnd, changesTheLastUpdate, hasAnotherList, endsWhereItIsEdited, keepsOneEdit, cancelsWhoEdits,
      changesForTheCancelled

    var promise: String {
      switch self {
      // An edit that waits for a reader hangs in the first check.
      case .startsWithoutTheList, .repeatsTheList, .skipsAnUpdate, .staysBehind, .endsTooEarly, .delaysEdits,
        .hasAnotherList, .cancelsWhoEdits, .changesForTheCancelled:
        "T3"
      case .queues, .endsAfterACatchUp: "T4"
      case .losesTheLastList, .neverEnds, .isGoneAfterTheEnd, .ignoresCancellation: "T5"
      case .changesAtTheEnd, .changesTheLastUpdate: "T5"
      case .endsWhereItIsEdited: "T6"
      case .waitsForFirstReads, .keepsOneEdit: "T7"
      }
    }

    /// What is said of a list that lets a reader wait.
    var reason: String? {
      switch self {
      case .startsWithoutTheList: "expected the whole list, but there was no update within 1.0 seconds"
      case .skipsAnUpdate: "expected an update for edit 2, but there was no update within 1.0 seconds"
      case .changesTheLastUpdate: "the last update has another list than there was before the end"
      case .hasAnotherList: "the list of revision 0 is another one than that of its update"
      case .cancelsWhoEdits: "expected an update for edit 1, but the waiting task was cancelled"
      case .neverEnds: "expected the end of the stream behind the last list, but it was still open after 1.0 seconds"
      default: nil
      }
    }
  }

  private let store: TestStore
  private let fault: Fault
  /// The number of updates that were asked for.
  private var asked = 0
  /// The number of streams, and the number of streams that were read.
  private let streams = CallCount()
  private var readStreams = 0
  private var hasEnded = false
  private var isEdited = false
  /// The task that made the last edit, and the number of edits since an update was asked for.
  private var (editor, unreadEdits) = (Int?.none, 0)
  /// The number of readers that wait for the second update.
  private var waiting = 0
  /// The streams that have had several edits in one update.
  private var caughtUp: Set<ObjectIdentifier> = []

  init(_ store: TestStore, _ fault: Fault) { (self.store, self.fault) = (store, fault) }

  var snapshot: TestSnapshot { get async { fault == .hasAnotherList ? .init() : await store.snapshot } }
  var revision: Int { get async { fault == .staysBehind ? 0 : await store.revision } }

  private static var currentTask: Int? { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } }

  /// Waits, if the fault is to delay edits, until some stream was read to the newest update, or each was read once, or until a
  /// stream that was read before has room for one more edit.
  func wasEdited() async {
    isEdited = true
    if fault == .cancelsWhoEdits { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
    (editor, unreadEdits) = (Self.currentTask, unreadEdits + 1)
    let before = asked
    while fault == .delaysEdits && asked == before || fault == .waitsForFirstReads && readStreams < streams.value
      || fault == .keepsOneEdit && readStreams > 0 && unreadEdits > 1, !Task.isCancelled
    {
      await Task.yield()
    }
    // Each queue has the update, also without a reader, when it waits for the next one.
    while fault == .queues, await store.waiterCount < streams.value, !Task.isCancelled { await Task.yield() }
  }

  nonisolated func updates() -> AsyncStream<TestUpdate> {
    let (store, fault) = (store, fault)
    streams.note(())
    if fault == .queues {
      // Each update is kept while nobody reads.
      return AsyncStream { stream in
        Task {
          for await update in store.updates() { stream.yield(update) }
          stream.finish()
        }
      }
    }
    let (source, count) = (store.updates(), CallCount())
    return AsyncStream { await self.next(source, count) }
  }

  /// The next update of a stream, from which some were requested before.
  private func next(_ source: AsyncStream<TestUpdate>, _ count: CallCount) async -> TestUpdate? {
    let number = count.note(count.value + 1)
    asked += 1
    unreadEdits = 0
    if fault == .endsWhereItIsEdited, number > 1, editor == Self.currentTask { return nil }
    if number == 1 {
      readStreams += 1
      if hasEnded, fault == .isGoneAfterTheEnd { return nil }
    }
    // A task of its own is not cancelled with the task that waits for it.
    if fault == .ignoresCancellation { return await Task { await source.first { _ in true } }.value }
    var updates = source.makeAsyncIterator()
    if fault == .endsAfterACatchUp, caughtUp.contains(ObjectIdentifier(count)) { return nil }
    let isWaiting = number > 1 && !hasEnded
    if isWaiting { waiting += 1 }
    guard let update = await updates.next(isolation: self) else {
      if fault == .changesAtTheEnd && isWaiting || fault == .changesForTheCancelled && Task.isCancelled {
        let revision = await store.revision
        return await lastChange(from: revision, to: revision + 1)
      }
      return fault == .neverEnds ? await AsyncStream { _ in }.first { _ in true } : nil
    }
    switch fault {
    case .startsWithoutTheList where number == 1: return await updates.next(isolation: self)
    case .skipsAnUpdate where number == 3: return await updates.next(isolation: self)
    case .repeatsTheList:
      return TestUpdate(
        revision: update.revision, previous: nil, changes: update.changes, snapshot: update.snapshot,
        epoch: update.epoch)
    case .endsTooEarly where number == 4: return nil
    case .losesTheLastList where hasEnded: return nil
    case .changesTheLastUpdate where hasEnded && number > 1:
      return await lastChange(from: update.revision - 1, to: update.revision)
    case .endsAfterACatchUp where update.revision > (update.previous ?? update.revision) + 1:
      caughtUp.insert(ObjectIdentifier(count))
      return update
    default: return update
    }
  }

  /// A change for the readers of a stream only: the list loses its rows.
  private func lastChange(from previous: Int, to revision: Int) async -> TestUpdate {
    let (list, epoch) = await (store.snapshot, store.position.epoch)
    return TestUpdate(
      revision: revision, previous: previous, changes: list.changes(to: TestSnapshot()), snapshot: .init(), epoch: epoch
    )
  }

  func end() async {
    // Whoever is to see the end of a list without an edit is about to wait for it.
    while fault == .changesAtTheEnd, !isEdited, waiting == 0, !Task.isCancelled { await Task.yield() }
    hasEnded = true
  }
}

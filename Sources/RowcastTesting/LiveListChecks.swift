import RowcastDiff
import RowcastModel
public import RowcastStore

/// A live list that is checked, with the functions that change and end it.
public struct LiveListSubject<List: LiveList>: Sendable {
  /// The list.
  package let list: List
  /// Makes a change that can be seen in the list, and returns when the list has it. The numbers are 1, 2, 3 and so on.
  package let edit: @Sendable (Int) async throws -> Void
  /// Ends the list; `nil` for a list without an end.
  package let end: (@Sendable () async throws -> Void)?
  /// The promise that is checked, and the file and the line that a failure names.
  fileprivate var (promise, location) = ("", "")

  /// Creates a subject.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - edit: Makes a change, a new one for each number, and returns when the list has it.
  ///   - end: Ends the list; `nil` for a list without an end.
  public init(
    _ list: List, edit: @escaping @Sendable (Int) async throws -> Void, end: (@Sendable () async throws -> Void)? = nil
  ) {
    (self.list, self.edit, self.end) = (list, edit, end)
  }
}

/// Checks what every live list promises: for a list of your own, or a list that your app derives from others.
///
///     @Test func `an inbox is a live list`() async throws {
///       try await LiveListChecks.run {
///         let inbox = Inbox()
///         return LiveListSubject(inbox) { number in
///           await inbox.receive(Message(id: number))
///         } end: {
///           await inbox.close()
///         }
///       }
///     }
///
/// Each check has a list of its own:
///
/// - T3: Subscribing is gapless. The first update is the whole list, each later one starts where the one before it ended, changes
///   something, leads to its list, and would pass a strict table.
/// - T4: A slow reader gets one update for everything that it missed, and delays no other.
/// - T5: The last list before the end is delivered, then the streams end; a later subscriber gets it, too. Nothing is delivered
///   to a task that is cancelled, and waiting ends with it.
/// - T6: The list can be edited where it is read.
/// - T7: Subscribers that read nothing delay no edit.
///
/// A missing update is a failure after one second. On a schedule (`Schedules`), where nothing is late, it is a deadlock.
public enum LiveListChecks {
  /// Checks a list.
  ///
  /// - Parameters:
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  ///   - make: Makes a list, and the functions that change and end it. It is called once for each check.
  /// - Throws: ``LiveListFailure`` with the promise that the list breaks; the errors of `make` and of its functions;
  ///   `CancellationError` if the task is cancelled.
  public static func run<List: LiveList>(
    file: String = #fileID, line: Int = #line, _ make: @escaping @Sendable () async throws -> LiveListSubject<List>
  ) async throws {
    let checks: [(promise: String, run: @Sendable (LiveListSubject<List>) async throws -> Void)] = [
      ("T3", { try await $0.isGapless() }), ("T4", { try await $0.missesNothing() }),
      ("T5", { try await $0.endsWithTheLastList() }), ("T5", { try await $0.endsForWhoWaits() }),
      ("T5", { try await $0.deliversNothingAfterCancellation() }), ("T6", { try await $0.isEditedWhereItIsRead() }),
      ("T7", { try await $0.waitsForNobody() }),
    ]
    for (promise, run) in checks {
      var subject = try await make()
      (subject.promise, subject.location) = (promise, "\(file):\(line)")
      // In another task, so that this one continues if a check hangs.
      try await subject.limited("the check to end") { [subject] in
        do {
          try await run(subject)
        } catch {
          var error = error
          if let mismatch = error as? RecorderError<List.Section, List.Row> {
            error = subject.failure(mismatch.text, isCertain: mismatch.isBrokenUpdate)
          }
          // On a schedule this is the task of the caller, and streams end where their reader is cancelled: that is no fault of
          // the list. In real time only the list or its functions can have cancelled the task.
          if isInVirtualTime, (error as? LiveListFailure)?.isCertain != true { try Task.checkCancellation() }
          throw error
        }
      }
    }
  }
}

/// A promise of live lists that a list has broken.
public struct LiveListFailure: Error, CustomStringConvertible {
  /// The promise, as in `T4`; see ``LiveListChecks``.
  package let promise: String
  /// What the list did.
  package let reason: String
  /// The file and the line of the call.
  package let location: String
  /// True if the list is at fault even where its reader was cancelled.
  package let isCertain: Bool

  /// The place in the test, the promise, and what the list did.
  public var description: String { "\(location): \(promise): \(reason)" }
}

// The checks of one list.
extension LiveListSubject {
  typealias Update = ListUpdate<List.Section, List.Row>
  typealias Recorder = UpdateRecorder<List.Section, List.Row>

  func failure(_ reason: String, isCertain: Bool = false) -> LiveListFailure {
    LiveListFailure(promise: promise, reason: reason, location: location, isCertain: isCertain)
  }

  func isGapless() async throws {
    let revision = await list.revision
    let recorder = Recorder(list)
    let first = try await update(recorder, "the whole list")
    try expect(first.revision >= revision, "the first update has revision \(first.revision), after \(revision)")
    try await expectNewest(first)
    for number in 1...8 {
      try await edit(number)
      try await expectNewest(update(recorder, "an update for edit \(number)"))
    }
    try await recorder.expectNothing()
  }

  func missesNothing() async throws {
    let (slow, quick) = (Recorder(list), Recorder(list))
    _ = try await (update(slow, "the whole list"), update(quick, "the whole list"))
    for number in 1...5 {
      try await edit(number)
      _ = try await update(quick, "an update for edit \(number), while another subscriber does not read")
    }
    // The reader got one update if it ends at the newest list.
    try await expectNewest(update(slow, "one update for five edits"))
    try await edit(6)
    try await expectNewest(update(slow, "an update for the edit behind those that were missed"))
    try await slow.expectNothing()
  }

  func endsWithTheLastList() async throws {
    guard let end else { return }
    let recorder = Recorder(list)
    _ = try await update(recorder, "the whole list")
    try await edit(1)
    let newest = await list.snapshot
    try await end()
    let last = try await update(recorder, "the last list before the end")
    try expect(last.snapshot == newest, "the last update has another list than there was before the end")
    try await expectEnd(recorder, "the end of the stream behind the last list")
    let late = Recorder(list)
    let whole = try await update(late, "the whole list, after the end")
    try expect(whole.snapshot == newest, "who subscribes after the end gets another list than there was before it")
    try await expectEnd(late, "the end of the stream, for who subscribes after the list has ended")
  }

  func endsForWhoWaits() async throws {
    guard let end else { return }
    let recorder = Recorder(list)
    _ = try await update(recorder, "the whole list")
    let expected = "the end of the stream, for who waits for it"
    async let next = recorder.next(expecting: expected, isEnd: true, at: location)
    try await end()
    let update = try await next
    try expect(update == nil, "there is an update without an edit before the end")
  }

  func deliversNothingAfterCancellation() async throws {
    let delivered = Task {
      var updates = list.updates().makeAsyncIterator()
      _ = await updates.next()
      try await edit(1)
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await updates.next() != nil
    }
    if try await delivered.value {
      throw failure("an update was delivered to a task that was cancelled", isCertain: true)
    }
    // It is not visible from here whether a reader is waiting. On a busy machine one of them may be late, but hardly all.
    let (signals, signal) = AsyncStream<Void>.makeStream()
    let waiting = (0..<8).map { _ in
      Task {
        var updates = list.updates().makeAsyncIterator()
        _ = await updates.next()
        signal.yield()
        while await updates.next() != nil {}
      }
    }
    var begun = signals.makeAsyncIterator()
    for _ in waiting { await begun.next() }
    for _ in 0..<100 { await Task.yield() }
    for reader in waiting { reader.cancel() }
    try await limited("waiting to end with the cancellation of the task") {
      for reader in waiting { await reader.value }
    }
  }

  func isEditedWhereItIsRead() async throws {
    var count = 0
    for await update in list.updates() {
      try await expectNewest(update)
      count += 1
      if count == 4 { return }
      try await edit(count)
    }
    throw failure("the stream ended while the list was edited where it is read")
  }

  func waitsForNobody() async throws {
    // The first stream has been read once, and the second never.
    let streams = (list.updates(), list.updates())
    var read = streams.0.makeAsyncIterator()
    _ = await read.next()
    for number in 1...3 { try await edit(number) }
    let fresh = Recorder(list)
    try await expectNewest(update(fresh, "the whole list, beside subscribers that do not read"))
    withExtendedLifetime(streams) {}
  }

  // MARK: - Expectations

  private func expect(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
    if !condition { throw failure(reason()) }
  }

  private func update(_ recorder: Recorder, _ expected: String) async throws -> Update {
    guard let update = try await recorder.next(expecting: expected, at: location) else {
      throw failure("expected \(expected), but the stream has ended")
    }
    return update
  }

  private func expectNewest(_ update: Update) async throws {
    let (revision, newest) = await (list.revision, list.snapshot)
    try expect(update.revision == revision, "the update has revision \(update.revision), and the list \(revision)")
    try expect(update.snapshot == newest, "the list of revision \(revision) is another one than that of its update")
  }

  private func expectEnd(_ recorder: Recorder, _ expected: String) async throws {
    if let update = try await recorder.next(expecting: expected, isEnd: true, at: location) {
      throw failure("expected \(expected), got revision \(update.revision)")
    }
  }

  /// Runs a body in a task of its own, for a second. A body that hangs blocks no other.
  func limited(_ expected: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
    guard let limit = Recorder.usualTimeLimit else { return try await body() }
    let (results, result) = AsyncStream<Result<Void, any Error>>.makeStream()
    let running = Task {
      do { result.yield(.success(try await body())) } catch { result.yield(.failure(error)) }
    }
    let first = await withTaskGroup(of: Result<Void, any Error>?.self) { group in
      group.addTask {
        for await result in results { return result }
        return nil
      }
      group.addTask {
        // Longer than a recorder waits. In a busy process, where each turn takes a while, many more turns than the longest check
        // has.
        for _ in 0..<100 where !Task.isCancelled { try? await ContinuousClock().sleep(for: limit / 20) }
        for _ in 0..<10_000 where !Task.isCancelled { await Task.yield() }
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    guard let first else {
      running.cancel()
      try Task.checkCancellation()
      throw failure("expected \(expected), but it hangs")
    }
    try first.get()
  }
}

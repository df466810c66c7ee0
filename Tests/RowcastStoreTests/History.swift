import RowcastDiff
import RowcastModel
import RowcastSchedules
import RowcastTestSupport

/// What happened in a run, in the order in which it happened.
enum Occurrence: Sendable {
  /// A writer began a transaction.
  case began(writer: Int, Transaction)
  /// The transaction was committed.
  case committed(writer: Int, Transaction)
  /// The transaction threw.
  case aborted(writer: Int, Transaction)
  /// A subscriber got an update.
  case received(subscriber: Int, TestUpdate)
  /// A subscriber's stream ended.
  case ended(subscriber: Int)
  /// A subscriber's task was cancelled.
  case cancelled(subscriber: Int)
}

/// One transaction of a run: it writes its number into the journal, so that the list itself tells the order.
struct Transaction: Hashable, Sendable {
  struct Abort: Error {}

  let number: Int
  /// Whether it throws after its edits.
  let aborts: Bool

  static let journal = "journal"

  /// The list that every run starts with.
  static var initial: TestSnapshot {
    get throws { try .of((journal, []), ("x", [0, 1, 2]), ("y", [3])) }
  }

  var edits: [RandomEditTests.Edit] {
    let row = number % 5
    let data: RandomEditTests.Edit =
      switch number % 4 {
      case 0: .upsert(TestRow(row, "\(number)"), "x")
      case 1: .upsert(TestRow(row, "\(number)"), "y")
      case 2: .moveSection("y", number % 3)
      default: .upsertSection(TestSection("x", "\(number)"))
      }
    return [.append(TestRow(1_000 + number), Self.journal), data]
  }

  func apply(to list: inout TestEditor) throws {
    for edit in edits { try edit.apply(to: &list) }
    if aborts { throw Abort() }
  }
}

/// A call of a store, as a serial program sees it: a list of numbers.
enum Call: Sendable {
  enum Answer: Equatable, Sendable {
    case committed
    case aborted
    case journal([Int])
  }

  case edit(Transaction)
  case read

  static func apply(_ journal: inout [Int], _ call: Call) -> Answer {
    guard case .edit(let transaction) = call else { return .journal(journal) }
    if transaction.aborts { return .aborted }
    journal.append(transaction.number)
    return .committed
  }
}

/// A history that breaks a promise.
struct BrokenPromise: Error, CustomStringConvertible {
  /// The promise's number.
  let promise: String
  let what: String

  var description: String { "\(promise): \(what)" }
}

/// Checks a whole run against the promises T1 to T5.
struct HistoryChecker {
  let history: [Occurrence]
  let final: TestSnapshot
  let finalRevision: Int

  func check() throws {
    let order = try committedInOrder()
    let states = try self.states(after: order)
    for subscriber in subscribers { try check(subscriber, states: states) }
  }

  private func require(_ condition: Bool, _ promise: String, _ what: @autoclosure () -> String) throws {
    if !condition { throw BrokenPromise(promise: promise, what: what()) }
  }

  /// T1, T2: the journal holds each committed transaction once, and agrees with what was seen from outside.
  private func committedInOrder() throws -> [Transaction] {
    guard let index = final.scanForIndex(ofSection: Transaction.journal) else {
      throw BrokenPromise(promise: "T1", what: "the journal is gone")
    }
    let numbers = final.rows(inSection: index).map { $0.id - 1_000 }
    var committed: [Int: Transaction] = [:]
    let log = CallLog<Call, Call.Answer>()
    var begins: [Int: Int] = [:]
    for occurrence in history {
      switch occurrence {
      case .began(_, let transaction): begins[transaction.number] = log.begin(.edit(transaction))
      case .committed(_, let transaction):
        committed[transaction.number] = transaction
        if let begin = begins[transaction.number] { log.end(begin, .committed) }
      case .aborted(_, let transaction):
        if let begin = begins[transaction.number] { log.end(begin, .aborted) }
      default: break
      }
    }
    log.end(log.begin(.read), .journal(numbers))
    try require(Set(numbers) == Set(committed.keys), "T2", "committed \(committed.keys.sorted()), found \(numbers)")
    try require(numbers.count == committed.count, "T1", "a transaction stands twice in \(numbers)")
    try require(finalRevision == numbers.count, "T1", "\(numbers.count) transactions made revision \(finalRevision)")
    do {
      try log.linearization(of: [Int](), Call.apply)
    } catch {
      throw BrokenPromise(promise: "T1", what: "\(error)")
    }
    return numbers.compactMap { committed[$0] }
  }

  /// The list at every revision, by plain arrays.
  private func states(after order: [Transaction]) throws -> [NaiveList<TestSection, TestRow>] {
    var states = [NaiveList(try Transaction.initial)]
    for transaction in order {
      var next = states[states.count - 1]
      for edit in transaction.edits { _ = edit.apply(to: &next) }
      states.append(next)
    }
    try require(states.last == NaiveList(final), "T1", "the list is not what its transactions make of it")
    return states
  }

  private var subscribers: Set<Int> {
    Set(
      history.compactMap { occurrence in
        switch occurrence {
        case .received(let subscriber, _), .ended(let subscriber), .cancelled(let subscriber): subscriber
        default: nil
        }
      })
  }

  /// T3, T4, T5 for one subscriber.
  private func check(_ subscriber: Int, states: [NaiveList<TestSection, TestRow>]) throws {
    var list = NaiveList<TestSection, TestRow>()
    var revision: Int?
    var isCancelled = false
    var hasEnded = false
    for occurrence in history {
      switch occurrence {
      case .received(subscriber, let update):
        let name = "subscriber \(subscriber), update \(update.previous ?? -1) to \(update.revision)"
        try require(!isCancelled, "T5", "\(name): delivered after cancellation")
        try require(!hasEnded, "T5", "\(name): delivered after the end")
        try require(update.previous == revision, "T3", "\(name): follows \(revision ?? -1)")
        try require(revision.map { $0 < update.revision } ?? true, "T3", "\(name): goes back")
        try require(states.indices.contains(update.revision), "T3", "\(name): no such revision")
        try require(NaiveList(update.snapshot) == states[update.revision], "T3", "\(name): another list")
        let before = list
        try list.fold(update.changes, after: update.snapshot)
        try require(list == states[update.revision], "T3", "\(name): folds to another list")
        if revision != nil {
          try require(!update.changes.isEmpty, "T4", "\(name): empty")
          let least = before.minimalMoves(to: list)
          try require(update.changes.rows.moves.count == least.rows, "T4", "\(name): not the net difference")
        }
        revision = update.revision
      case .ended(subscriber): hasEnded = true
      case .cancelled(subscriber): isCancelled = true
      default: break
      }
    }
    if !isCancelled {
      try require(hasEnded, "T5", "subscriber \(subscriber): no end")
      try require(list == states.last, "T5", "subscriber \(subscriber): ended at \(revision ?? -1)")
    }
  }
}

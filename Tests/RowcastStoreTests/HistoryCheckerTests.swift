import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

/// The checker must refuse histories that are wrong, each for its own reason.
@Suite(.watched) struct HistoryCheckerTests {
  /// A history of two transactions and one subscriber, as it should be.
  private func sound() throws -> (history: [Occurrence], lists: [TestSnapshot]) {
    let transactions = [Transaction(number: 0, aborts: false), Transaction(number: 5, aborts: false)]
    var model = NaiveList(try Transaction.initial)
    var lists = [try Transaction.initial]
    var history: [Occurrence] = [
      .received(subscriber: 0, TestUpdate(initial: lists[0], revision: 0))
    ]
    for (index, transaction) in transactions.enumerated() {
      for edit in transaction.edits { _ = edit.apply(to: &model) }
      lists.append(try TestSnapshot(model.parts.map { ListSection($0.section, rows: $0.rows) }))
      history += [.began(writer: 0, transaction), .committed(writer: 0, transaction)]
      history.append(.received(subscriber: 0, update(lists, from: index, to: index + 1)))
    }
    return (history + [.ended(subscriber: 0)], lists)
  }

  private func update(_ lists: [TestSnapshot], from: Int, to: Int) -> TestUpdate {
    TestUpdate(revision: to, previous: from, changes: lists[from].changes(to: lists[to]), snapshot: lists[to])
  }

  private func verdict(
    _ history: [Occurrence], _ final: TestSnapshot?, revision: Int = 2
  ) throws -> String? {
    do {
      try HistoryChecker(history: history, final: try #require(final), finalRevision: revision).check()
      return nil
    } catch let broken as BrokenPromise {
      return broken.promise
    }
  }

  @Test func `a sound history passes`() throws {
    let (history, lists) = try sound()
    #expect(try verdict(history, lists.last) == nil)
  }

  @Test func `T1 a revision too many, or an order that nobody saw`() throws {
    let (history, lists) = try sound()
    #expect(try verdict(history, lists.last, revision: 3) == "T1")
    var swapped = history
    // The second transaction is over before the first begins, but the journal has them the other way round.
    swapped.swapAt(1, 4)
    swapped.swapAt(2, 5)
    #expect(try verdict(swapped, lists.last) == "T1")
  }

  @Test func `T2 a transaction that left a trace, or none`() throws {
    let (history, lists) = try sound()
    var aborted = history
    aborted[5] = .aborted(writer: 0, Transaction(number: 5, aborts: true))
    #expect(try verdict(aborted, lists.last) == "T2")
    #expect(try verdict(Array(history[..<4]) + [.ended(subscriber: 0)], lists.last) == "T2")
  }

  @Test func `T3 a gap, a repetition, a step back, another list`() throws {
    let (history, lists) = try sound()
    var gap = history
    gap.remove(at: 3)
    #expect(try verdict(gap, lists.last) == "T3")
    var twice = history
    twice.insert(history[3], at: 4)
    #expect(try verdict(twice, lists.last) == "T3")
    var other = history
    other[3] = .received(
      subscriber: 0,
      TestUpdate(revision: 1, previous: 0, changes: lists[0].changes(to: lists[2]), snapshot: lists[2]))
    #expect(try verdict(other, lists.last) == "T3")
    var lie = history
    lie[3] = .received(
      subscriber: 0, TestUpdate(revision: 1, previous: 0, changes: ListChanges(), snapshot: lists[1]))
    #expect(try verdict(lie, lists.last) == "T3")
  }

  @Test func `T4 a difference with more moves than there need be`() throws {
    let lists = [try Transaction.initial, try Transaction.initial]
    let empty = TestUpdate(revision: 1, previous: 0, changes: ListChanges(), snapshot: lists[1])
    // A transaction that left the list as it was must not have made an update.
    let history: [Occurrence] = [
      .received(subscriber: 0, TestUpdate(initial: lists[0], revision: 0)), .received(subscriber: 0, empty),
    ]
    #expect(try verdict(history, lists.last, revision: 0) == "T3")
    let (sound, soundLists) = try sound()
    var roundabout = sound
    var changes = soundLists[0].changes(to: soundLists[1])
    // Row 1 of section x does not move; saying that it moves to its own place folds to the same list.
    let place = RowPath(section: 1, row: 1)
    changes.rows.moves.append(.init(from: place, to: place))
    roundabout[3] = .received(
      subscriber: 0, TestUpdate(revision: 1, previous: 0, changes: changes, snapshot: soundLists[1]))
    #expect(try verdict(roundabout, soundLists.last) == "T4")
  }

  @Test func `T5 a lost end, a lost last state, a delivery after the end or after cancellation`() throws {
    let (history, lists) = try sound()
    #expect(try verdict(Array(history.dropLast()), lists.last) == "T5")
    var early = history
    early.remove(at: history.count - 2)
    #expect(try verdict(early, lists.last) == "T5")
    var late = history
    late.swapAt(history.count - 2, history.count - 1)
    #expect(try verdict(late, lists.last) == "T5")
    var cancelled = history
    cancelled.insert(.cancelled(subscriber: 0), at: 3)
    #expect(try verdict(cancelled, lists.last) == "T5")
  }
}

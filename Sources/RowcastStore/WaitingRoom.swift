/// Those who have seen the newest state and wait for the next; part of the actor whose state it is.
///
/// A writer wakes few of many and goes on; each of these, once it is back, wakes the next. So a writer never stands in
/// line behind all of them, and as long as anybody is still to be told somebody is on the way.
@usableFromInline
struct WaitingRoom: Sendable {
  /// Wakes one waiter, by finishing the stream that it reads.
  @usableFromInline typealias Bell = AsyncStream<Void>.Continuation

  /// Those who wait. Empty while all are busy.
  private var waiters: [Int: Bell] = [:]
  /// Former waiters that something happened for, and who have not been told yet.
  private var called: [Int: Bell] = [:]
  /// Those who have been told, and have not come back yet.
  private var told: Set<Int> = []
  private var lastWaiter = 0

  /// How many are woken at once: enough to keep a few processors busy.
  private static let mostOnTheirWay = 8

  /// Takes a waiter in.
  ///
  /// - Returns: What he is called here, until he comes to ``leave(_:)``, woken or not.
  mutating func enter(_ bell: Bell) -> Int {
    lastWaiter += 1
    waiters[lastWaiter] = bell
    return lastWaiter
  }

  /// Forgets a waiter who is back, and tells the next.
  mutating func leave(_ waiter: Int) {
    waiters[waiter] = nil
    called[waiter] = nil
    told.remove(waiter)
    tellSome()
  }

  /// Wakes all who wait: a few here, the others by those who have come back.
  mutating func wakeAll() {
    // Who has been called before is on the way, or will be told by those who are.
    if waiters.isEmpty { return }
    if called.isEmpty {
      swap(&called, &waiters)
    } else {
      called.merge(waiters) { former, _ in former }
      waiters = [:]
    }
    tellSome()
  }

  private mutating func tellSome() {
    while told.count < Self.mostOnTheirWay, let (waiter, bell) = called.popFirst() {
      told.insert(waiter)
      bell.finish()
    }
  }

  /// The number of those who wait. For tests.
  var waiterCount: Int { waiters.count }
  /// The number of former waiters who have not been told yet. For tests.
  var calledCount: Int { called.count }
}

internal import RowcastDiff
internal import Synchronization

/// The calls that tasks made at the same time, and their answers: is there a serial order that explains them?
///
///     let log = CallLog<CounterCall, Int>()
///     async let first = log.record(.increase) { await counter.increase() }
///     async let second = log.record(.increase) { await counter.increase() }
///     _ = await (first, second)
///     try log.linearization(of: 0) { count, call in
///       switch call {
///       case .increase:
///         count += 1
///         return count
///       }
///     }
///
/// Such a log is linearizable if each call can be given one moment between its begin and its end, so that a serial program that
/// makes the calls in the order of these moments gets the same answers (M. Herlihy, J. Wing, "Linearizability: a correctness
/// condition for concurrent objects", 1990). The serial program is a closure over a plain value: it says what is right, with no
/// word about concurrency.
///
/// A call that has not ended, or whose body threw, may have had its effect at any moment since it began, or none.
///
/// Begins and ends are numbered together, in the order in which they are recorded. Any task or thread may record.
/// Recording is no point at which a schedule leaves a job, and a reduced enumeration does not see it: do not reduce the schedules
/// of a body with a log.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class CallLog<Call: Sendable, Answer: Sendable>: Sendable {
  /// A call as it was recorded, with the numbers of its begin and of its end, if it has ended.
  typealias Record = (call: Call, begin: Int, end: End?)
  typealias End = (number: Int, answer: Answer)

  /// The place of a call, in a binary tree over the numbers of begins and ends: nobody waits to add one, and none is moved.
  private final class Node: Sendable {
    /// The call that begins here; none at the number of an end.
    let call = AtomicLazyReference<Box<Call>>()
    let end = AtomicLazyReference<Box<End>>()
    let low = AtomicLazyReference<Node>()
    let high = AtomicLazyReference<Node>()

    func child(isHigh: Bool, isNew: Bool) -> Node? {
      let known = isHigh ? high.load() : low.load()
      if known != nil || !isNew { return known }
      return isHigh ? high.storeIfNil(Node()) : low.storeIfNil(Node())
    }
  }

  private let root = Node()
  private let count = Atomic(0)

  /// Creates a log without calls.
  public init() {}

  /// Makes a call, and records it with its answer.
  ///
  /// - Parameters:
  ///   - call: The call, as the serial program sees it.
  ///   - isolation: The actor of the caller.
  ///   - body: Makes the call.
  /// - Returns: The answer.
  /// - Throws: The error of the body. The call then has no end, and may or may not have had its effect. For an error that is an
  ///   answer, `Answer` is a `Result`.
  /// - Complexity: O(log n) for n calls, besides the body.
  @discardableResult
  public func record<Failure: Error>(
    _ call: Call, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let begin = begin(call)
    let answer = try await body()
    end(begin, answer)
    return answer
  }

  /// Records the begin of a call.
  ///
  /// - Returns: Its number, for ``end(_:_:)``.
  /// - Complexity: O(log n) for n calls.
  public func begin(_ call: Call) -> Int {
    let number = nextNumber()
    _ = node(number, isNew: true)?.call.storeIfNil(Box(call))
    return number
  }

  /// Records the end of a call.
  ///
  /// - Parameters:
  ///   - begin: The number that ``begin(_:)`` returned.
  ///   - answer: The answer of the call.
  /// - Precondition: The call has not ended.
  /// - Complexity: O(log n) for n calls.
  public func end(_ begin: Int, _ answer: Answer) {
    let node = numbers.contains(begin) ? node(begin) : nil
    guard let node, let call = node.call.load()?.value else {
      return require(false, "no call of this log has the number \(begin)")
    }
    let end = Box<End>((nextNumber(), answer))
    require(node.end.storeIfNil(end) === end, "the call \(call) ends twice, with \(answer) now")
  }

  private func nextNumber() -> Int { count.add(1, ordering: .sequentiallyConsistent).oldValue }

  /// The numbers of all begins and ends so far.
  private var numbers: Range<Int> { 0..<count.load(ordering: .sequentiallyConsistent) }

  /// The node of a number. Only a begin makes one: a look-up makes none for the number of an end.
  private func node(_ number: Int, isNew: Bool = false) -> Node? {
    // The digits after the first lead from the root to the place.
    let digits = number + 1
    var node = root
    for digit in (0..<(Int.bitWidth - digits.leadingZeroBitCount - 1)).reversed() {
      guard let child = node.child(isHigh: digits >> digit & 1 == 1, isNew: isNew) else { return nil }
      node = child
    }
    return node
  }

  /// The calls in the order in which they began. A thread that has a number, and has stored nothing yet, has not begun or ended. What
  /// is recorded meanwhile is left out: an end that depends on a later call would have no order without it.
  var calls: [Record] {
    let numbers = numbers
    return numbers.compactMap { number in
      guard let node = node(number), let call = node.call.load() else { return nil }
      let end = node.end.load()?.value
      return (call.value, number, end.flatMap { numbers.contains($0.number) ? $0 : nil })
    }
  }
}

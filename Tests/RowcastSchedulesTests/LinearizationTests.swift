import RowcastTestSupport
import Synchronization
import Testing

@testable import RowcastSchedules

/// Logs of calls, and the serial orders that explain them.
@Suite(.watched) struct LinearizationTests {
  /// A register, and a queue beside it.
  enum Call: Hashable, Sendable {
    case read
    case write(Int)
    case add(Int)
    case swap(Int)
  }

  typealias Log = CallLog<Call, Int>

  static func apply(_ value: inout Int, _ call: Call) -> Int {
    let former = value
    switch call {
    case .read: return value
    case .write(let new):
      value = new
      return 0
    case .add(let summand):
      value += summand
      return value
    case .swap(let new):
      value = new
      return former
    }
  }

  private static func isLinearizable(_ log: Log) -> Bool { (try? log.linearization(of: 0, apply)) != nil }

  /// Tries every order of every subset of the open calls with all ended ones.
  static func naive(_ calls: [Log.Record]) -> Bool {
    func extends(_ order: [Int], _ state: Int, _ rest: Set<Int>) -> Bool {
      if rest.allSatisfy({ calls[$0].end == nil }) { return true }
      return rest.contains { next in
        if order.contains(where: { calls[$0].begin > calls[next].end?.number ?? .max }) { return false }
        var state = state
        let answer = apply(&state, calls[next].call)
        if let end = calls[next].end, end.answer != answer { return false }
        return extends(order + [next], state, rest.subtracting([next]))
      }
    }
    return extends([], 0, Set(calls.indices))
  }

  @Test func `a call whose body throws has not ended`() async throws {
    struct Refusal: Error {}
    let log = Log()
    await #expect(throws: Refusal.self) { try await log.record(.write(1)) { throw Refusal() } }
    await log.record(.read) { 1 }
    #expect(try log.linearization(of: 0, Self.apply) == [.write(1), .read])
  }

  @Test func `the error shows the calls, the longest order, and what would follow`() {
    let log = Log()
    log.end(log.begin(.write(1)), 0)
    _ = log.begin(.write(2))
    for answer in [1, 7] { log.end(log.begin(.read), answer) }
    let error = #expect(throws: ScheduleError.self) { try log.linearization(of: 0, Self.apply) }
    #expect(
      error?.description == """
        no serial order of these calls explains their answers:
           1  from 0 to 1: write(1) answered 0
           2  from 2 to ...: write(2) has not ended
           3  from 3 to 4: read answered 1
           4  from 5 to 6: read answered 7
        the longest order: 1, 3, 2
          then 4 would answer 2
        """)
  }

  @Test func `all logs of three calls, and random ones of more, are judged as every order of theirs judges them`() {
    let calls: [Call] = [.read, .write(1), .add(1), .swap(2)]
    var (linearizable, all) = (0, 0)
    func compare(_ log: Log, _ name: @autoclosure () -> String) {
      let expected = Self.naive(log.calls)
      (linearizable, all) = (linearizable + (expected ? 1 : 0), all + 1)
      #expect(Self.isLinearizable(log) == expected, "\(name()): \(log.calls)")
    }
    // Every order of the begins and ends of three calls.
    func orders(_ events: [Int], _ rest: [Int]) -> [[Int]] {
      if rest.allSatisfy({ $0 == 0 }) { return [events] }
      return rest.indices.filter { rest[$0] > 0 }.flatMap { index in
        var rest = rest
        rest[index] -= 1
        return orders(events + [index], rest)
      }
    }
    for order in orders([], [2, 2, 2]) where order.first == 0 {
      for code in 0..<(4 * 4 * 4 * 2 * 3 * 3) {
        let log = Log()
        var numbers: [Int: Int] = [:]
        let chosen = [calls[code % 4], calls[code / 4 % 4], calls[code / 16 % 4]]
        let answers = [code / 64 % 2, code / 128 % 3, code / 384 % 3]
        for call in order {
          if let number = numbers[call] {
            log.end(number, answers[call])
          } else {
            numbers[call] = log.begin(chosen[call])
          }
        }
        compare(log, "\(order)")
      }
    }
    var random = SeededGenerator.forFuzzing("logs of calls")
    for _ in 0..<SeededGenerator.rounds(600, long: 200_000) {
      let log = Log()
      var open: [Int] = []
      var value = 0
      var answers: [Int: Int] = [:]
      for _ in 0..<Int.random(in: 6...14, using: &random) {
        if open.isEmpty || open.count < 4 && Bool.random(using: &random) {
          let call = calls[Int.random(in: 0..<4, using: &random)]
          let number = log.begin(call)
          answers[number] = Self.apply(&value, call)
          open.append(number)
        } else {
          let number = open.remove(at: Int.random(in: 0..<open.count, using: &random))
          // Most answers fit the order of begins.
          let isRight = Int.random(in: 0..<8, using: &random) > 0
          log.end(number, isRight ? answers[number, default: 0] : Int.random(in: 0...3, using: &random))
        }
      }
      compare(log, "random")
    }
    print("\(linearizable) of \(all) logs are linearizable")
    #expect(linearizable > all / 20 && linearizable < all / 2)
  }

  @Test func `a long log with few calls at a time takes few steps`() throws {
    let log = Log()
    var open: [(number: Int, answer: Int)] = []
    var value = 0
    for index in 0..<5_000 {
      let call = [Call.add(1), .read, .write(index % 7), .swap(index % 5)][index % 4]
      open.append((log.begin(call), Self.apply(&value, call)))
      if open.count == 4 { for (number, answer) in open.reversed() { log.end(number, answer) } }
      if open.count == 4 { open = [] }
    }
    var steps = 0
    try log.linearization(of: 0) { value, call in
      steps += 1
      return Self.apply(&value, call)
    }
    #expect(steps < 30 * 5_000, "\(steps) steps")
  }

  @Test func `a long log without a serial order takes few steps`() {
    let log = Log()
    for index in 0..<400 {
      let numbers = (0..<6).map { _ in log.begin(.add(1)) }
      for (place, number) in numbers.enumerated() { log.end(number, index * 6 + place + 1) }
    }
    log.end(log.begin(.read), 7)
    var steps = 0
    #expect(throws: ScheduleError.self) {
      try log.linearization(of: 0) { value, call in
        steps += 1
        return Self.apply(&value, call)
      }
    }
    #expect(steps < 400 * 6 * 7, "\(steps) steps")
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)

    func increase() -> Int { value.add(1, ordering: .sequentiallyConsistent).newValue }
  }

  @Test func `many threads record at once, and nothing is lost`() async {
    let log = Log()
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 { await log.record(.add(1)) { counter.increase() } }
        }
      }
    }
    let calls = log.calls
    #expect(calls.count == 4_000 && calls.allSatisfy { $0.end != nil })
    #expect(Self.isLinearizable(log))
  }

  @Test func `a call that ends twice is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      let log = Log()
      let number = log.begin(.read)
      log.end(number, 0)
      log.end(number, 1)
      _ = log.calls
    }
  }
}

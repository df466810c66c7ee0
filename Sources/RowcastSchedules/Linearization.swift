@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension CallLog where Answer: Equatable {
  /// A serial order of the calls that explains every answer: each call is between its begin and its end.
  ///
  /// The search tries the calls that may be next, and remembers the states that led nowhere (J. Wing, C. Gong, "Testing and
  /// verifying concurrent objects", 1993; G. Lowe, "Testing for linearizability", 2017).
  ///
  /// - Parameters:
  ///   - state: The state before the first call.
  ///   - apply: The serial program: makes a call, and returns its answer. It depends on nothing else.
  /// - Returns: The calls in that order. Of those that have not ended, the ones that it needs; the others may be missing.
  /// - Throws: A ``ScheduleError`` if there is no such order. Its description has the calls with their begins and ends, the longest
  ///   order that explains its answers, and what each call that could follow would have answered.
  /// - Precondition: No task records calls at the same time.
  /// - Complexity: O(n · 2ᵏ) calls of `apply` and hashes of states, times the number of different states, for n calls, of which k
  ///   overlap at most. Calls that have not ended overlap with all later ones.
  @discardableResult
  public func linearization<State: Hashable>(
    of state: State, _ apply: (inout State, Call) -> Answer
  ) throws(ScheduleError) -> [Call] {
    let calls = calls
    var search = LinearizationSearch(calls, state)
    if let order = search.run(apply) { return order.map { calls[$0].call } }
    throw search.error(apply)
  }
}

/// Searches a serial order of calls, depth first.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct LinearizationSearch<Call: Sendable, Answer: Sendable & Equatable, State: Hashable> {
  /// The calls that are in the order so far, in any order, and the state after them.
  private struct Position: Hashable {
    /// The calls with ends are in the order up to this one, in the order of their begins; besides them, those that are listed.
    var prefix = 0
    var others: Set<Int> = []
    var state: State
  }

  /// A position, and the calls that may be next there, the next one to try last.
  private typealias Step = (position: Position, call: Int?, candidates: [Int])

  private let calls: [CallLog<Call, Answer>.Record]
  /// The indices of calls with ends, and without.
  private let ended: [Int]
  private let open: [Int]
  private let start: State
  /// The positions that were reached before.
  private var seen: Set<Position> = []
  /// The longest order that led nowhere.
  private var longest: [Int] = []

  init(_ calls: [CallLog<Call, Answer>.Record], _ state: State) {
    self.calls = calls
    start = state
    ended = calls.indices.filter { calls[$0].end != nil }
    open = calls.indices.filter { calls[$0].end == nil }
  }

  /// The indices of the calls in an order that explains all answers; `nil` if there is none.
  mutating func run(_ apply: (inout State, Call) -> Answer) -> [Int]? {
    let first = Position(state: start)
    var steps: [Step] = [(first, nil, candidates(first))]
    while let last = steps.last {
      if last.position.prefix == ended.count { return steps.compactMap(\.call) }
      guard let call = last.candidates.last else {
        if steps.count - 1 > longest.count { longest = steps.compactMap(\.call) }
        steps.removeLast()
        continue
      }
      steps[steps.count - 1].candidates.removeLast()
      var next = last.position
      let answer = apply(&next.state, calls[call].call)
      if let end = calls[call].end, end.answer != answer { continue }
      add(call, to: &next)
      guard seen.insert(next).inserted else { continue }
      steps.append((next, call, candidates(next)))
    }
    return nil
  }

  private func add(_ call: Int, to position: inout Position) {
    position.others.insert(call)
    while position.prefix < ended.count, position.others.remove(ended[position.prefix]) != nil { position.prefix += 1 }
  }

  /// The calls that began before any of the others ended; those with ends are tried first.
  private func candidates(_ position: Position) -> [Int] {
    var (found, end): ([Int], Int) = ([], .max)
    for call in ended[position.prefix...] where !position.others.contains(call) {
      if calls[call].begin > end { break }
      found.append(call)
      end = min(end, calls[call].end?.number ?? .max)
    }
    return open.filter { calls[$0].begin < end && !position.others.contains($0) }.reversed()
      + found.filter { calls[$0].begin < end }.reversed()
  }

  func error(_ apply: (inout State, Call) -> Answer) -> ScheduleError {
    func name(_ index: Int) -> String { "\(index + 1)" }
    var lines = ["no serial order of these calls explains their answers:"]
    for (index, call) in calls.enumerated() {
      let number = String(repeating: " ", count: max(0, 4 - name(index).count)) + name(index)
      let (end, answer) = call.end.map { ("\($0.number)", "answered \($0.answer)") } ?? ("...", "has not ended")
      lines.append("\(number)  from \(call.begin) to \(end): \(call.call) \(answer)")
    }
    lines.append(
      longest.isEmpty
        ? "no call can be the first" : "the longest order: \(longest.map(name).joined(separator: ", "))")
    var position = Position(state: start)
    for call in longest {
      _ = apply(&position.state, calls[call].call)
      add(call, to: &position)
    }
    for call in candidates(position).reversed() where calls[call].end != nil {
      var state = position.state
      lines.append("  then \(name(call)) would answer \(apply(&state, calls[call].call))")
    }
    return ScheduleError(description: lines.joined(separator: "\n"), place: "")
  }
}

internal import RowcastDiff

/// Decides which of the ready jobs runs next.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
protocol Chooser: AnyObject {
  /// The index of the next job.
  func pick(_ choice: ScheduleChoice) -> Int

  /// The ordinal of the task to cancel before a step, among those that can be cancelled; `nil` for none.
  func cancellation(step: Int, among tasks: () -> [Int]) -> Int?

  /// The index of the job for which the one that runs is left at a point inside of it; `nil` if that continues.
  func leave(_ choice: ScheduleChoice) -> Int?

  /// True if jobs may be left. Then the schedule has threads of its own.
  var leaves: Bool { get }

  /// Notes that a task gives up its turn.
  func yields(_ task: Int)

  /// True if the schedule reached a state from which all others are tried anyway.
  var isRedundant: Bool { get }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Chooser {
  var isRedundant: Bool { false }

  func yields(_ task: Int) {}
}

/// The jobs that can run next.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct ScheduleChoice {
  /// The jobs that are ready, the one that has been ready for longest first.
  let ready: [Scheduler.Item]
  /// The key of the timer that may fire now; its index follows that of the last job.
  let timer: Int?
  /// The index that continues the task that ran last, or else is the oldest.
  let usual: Int
  /// The task that ran last.
  let current: Int
  /// The number of jobs that have run.
  let step: Int
  /// The number of choices before, or of points inside of jobs.
  let decision: Int
  /// The number of jobs of each task that have run, by ordinal.
  let jobs: [Int]
  /// The order of the jobs that have run, if independent ones are to be told from others.
  let order: ScheduleOrder?

  var count: Int { ready.count + (timer == nil ? 0 : 1) }
}

/// Picks every job with the same probability (a random walk over interleavings).
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
class RandomChooser: Chooser {
  final var random: SplitMix64
  private let cancelStep: Int
  /// True in every other schedule: the others need no threads.
  final let leaves: Bool
  /// Jobs are left at one point in so many: in 2 to 64, because nobody knows the number of points before.
  private let rarity: UInt64
  private final var leaving: SplitMix64
  private final var leaveCount = 0

  /// The seed decides everything. A cancellation falls before one of `steps` jobs, as many as such a body has had so far.
  init(seed: UInt64, steps: Int) {
    random = SplitMix64(seed: seed)
    // The order draws from another generator: without cancellations it does not depend on the length.
    var moments = SplitMix64(seed: ~seed)
    cancelStep = Int.random(in: 0..<max(1, steps), using: &moments)
    leaving = SplitMix64(seed: moments.next())
    leaves = Bool.random(using: &leaving)
    rarity = 1 << UInt64.random(in: 1...6, using: &leaving)
  }

  final func leave(_ choice: ScheduleChoice) -> Int? {
    guard leaves, leaveCount < 16, UInt64.random(in: 0..<rarity, using: &leaving) == 0 else { return nil }
    leaveCount += 1
    return pick(choice)
  }

  func pick(_ choice: ScheduleChoice) -> Int { Int.random(in: 0..<choice.count, using: &random) }

  func yields(_ task: Int) {}

  final func cancellation(step: Int, among tasks: () -> [Int]) -> Int? {
    step == cancelStep ? tasks().randomElement(using: &random) : nil
  }
}

/// Runs the chain with the highest of random priorities, and lowers the highest at a few random moments.
///
/// A bug that needs an order of d events is found with a probability of at least 1 / (n · k^(d − 1)) for n chains and k
/// jobs (S. Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class PriorityChooser: RandomChooser {
  private var priorities: [Int: Int] = [:]
  private var changes: [Int] = []
  private var lowest = 0

  /// The depth is d, the number of events whose order makes the bug; steps are k, as far as it is known.
  init(seed: UInt64, depth: Int, steps: Int) {
    super.init(seed: seed, steps: steps)
    // More changes than a schedule has steps do nothing.
    changes = (1..<max(1, min(depth, max(steps, 100)))).map { _ in Int.random(in: 0..<max(1, steps), using: &random) }
      .sorted(by: >)
  }

  override func pick(_ choice: ScheduleChoice) -> Int {
    let chains = choice.ready.map(\.owner) + (choice.timer.map { [$0] } ?? [])
    var index = highest(of: chains)
    while let change = changes.last, change <= choice.step {
      changes.removeLast()
      lower(chains[index])
      index = highest(of: chains)
    }
    return index
  }

  /// A chain that gives up its turn must not starve the one that it waits for.
  override func yields(_ task: Int) { lower(task) }

  private func highest(of chains: [Int]) -> Int {
    for chain in chains where priorities[chain] == nil { priorities[chain] = Int(random.next() >> 16) }
    let known = chains.map { priorities[$0, default: 0] }
    return known.indices.reduce(0) { known[$1] > known[$0] ? $1 : $0 }
  }

  private func lower(_ chain: Int) {
    lowest -= 1
    priorities[chain] = lowest
  }
}

/// Runs the event with the highest of random priorities, and draws new ones for those that race with it.
///
/// An event is a job that is ready. It keeps its priority until it runs, so one of a low priority is late, however many others
/// there are. Events that race with the one that runs, those pending on the same actor, get new priorities (X. Yuan, J. Yang, R.
/// Gu, "Partial order aware concurrency sampling", 2018).
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class PartialOrderChooser: RandomChooser {
  /// The priorities of events by their chains. The next event of a chain has become ready after another number of jobs.
  private var priorities: [Int: (since: Int, value: UInt64)] = [:]

  override func pick(_ choice: ScheduleChoice) -> Int {
    var values = choice.ready.map { priority(of: $0.key, since: $0.since) }
    if let timer = choice.timer { values.append(priority(of: timer, since: 0)) }
    let index = values.indices.reduce(0) { values[$1] > values[$0] ? $1 : $0 }
    guard index < choice.ready.count, choice.ready[index].place != .tasks else { return index }
    for item in choice.ready where item.place == choice.ready[index].place { priorities[item.key] = nil }
    return index
  }

  private func priority(of key: Int, since: Int) -> UInt64 {
    if let known = priorities[key], known.since == since { return known.value }
    let value = random.next()
    priorities[key] = (since, value)
    return value
  }
}

/// Runs a task with a probability proportional to the number of jobs that it has still to run, as far as the usual schedule
/// tells: then every interleaving of tasks that are there from the beginning is as likely as every other.
///
/// The walk is that of H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, "Selectively uniform concurrency testing", 2025, without
/// their selection.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class UniformChooser: RandomChooser {
  private let jobs: [Int]

  /// The jobs are those of each task in the usual schedule.
  init(seed: UInt64, jobs: [Int]) {
    self.jobs = jobs
    super.init(seed: seed, steps: jobs.reduce(0, +))
  }

  override func pick(_ choice: ScheduleChoice) -> Int {
    var weights = choice.ready.map { item in
      let past = choice.jobs.indices.contains(item.owner) ? choice.jobs[item.owner] : 0
      // A task that the usual schedule does not have counts as short.
      return max(1, (jobs.indices.contains(item.owner) ? jobs[item.owner] : 2) - past)
    }
    if choice.timer != nil { weights.append(1) }
    var number = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    return weights.firstIndex { weight in
      number -= weight
      return number < 0
    } ?? 0
  }
}

/// Repeats recorded decisions, and takes the usual one everywhere else.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ReplayChooser: Chooser {
  /// The keys of jobs by decision, and the tasks to cancel by step.
  private var keys: [Int: Int] = [:]
  private var cancelled: [Int: Int] = [:]
  /// The keys of jobs by the point at which another is left for them.
  private var left: [Int: Int] = [:]
  var leaves: Bool { !left.isEmpty }

  init(_ switches: [ScheduleSwitch]) {
    for change in switches {
      switch change {
      case .run(let key, let decision): keys[decision] = key
      case .cancel(let task, let step): cancelled[step] = task
      case .leave(let key, let point): left[point] = key
      }
    }
  }

  func pick(_ choice: ScheduleChoice) -> Int {
    guard let key = keys[choice.decision] else { return choice.usual }
    if key == choice.timer { return choice.ready.count }
    return choice.ready.firstIndex { $0.key == key } ?? choice.usual
  }

  func leave(_ choice: ScheduleChoice) -> Int? {
    left[choice.decision].flatMap { key in choice.ready.firstIndex { $0.key == key } }
  }

  func cancellation(step: Int, among tasks: () -> [Int]) -> Int? { cancelled[step] }
}

/// Enumerates all schedules up to a number of preemptions: those with fewer preemptions first, and depth first among those
/// with as many.
///
/// A preemption is a switch away from a task that could continue; other switches cost nothing (M. Musuvathi, S. Qadeer,
/// "Iterative context bounding for systematic testing of multithreaded programs", 2007). Those inside of jobs, where one is left
/// at a point, are counted apart.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class EnumeratingChooser: Chooser {
  /// A choice, and the others that need no preemption, the next one last.
  private typealias Choice = (index: Int, remaining: [Int])
  /// The first choices of a schedule that was put off: the last of them is a preemption.
  private typealias Start = (indexes: [Int], preemptions: Int, inside: Int)
  /// The preemptions that a choice is: one, one inside of a job, or none.
  private typealias Cost = (preemptions: Int, inside: Int)

  private let bound: Int
  private let insideBound: Int
  /// The most schedules that are asked for, and so the most starts that are of use.
  private let limit: Int
  private var choices: [Choice] = []
  private var depth = 0
  /// The number of preemptions among the choices, and of those inside of jobs.
  private var preemptions = 0
  private var inside = 0
  private var starts: [Start] = []
  private var nextStart = 0
  private(set) var isDeterministic = true
  /// The states with the task that ran last, and the least preemptions that led to a state whatever ran last.
  private var seen: Set<UInt64> = []
  private var least: [UInt64: Int] = [:]
  /// A redundant schedule continues in the usual order.
  private(set) var isRedundant = false

  var leaves: Bool { insideBound > 0 }

  init(preemptions: Int, inside: Int, limit: Int) {
    (bound, insideBound, self.limit) = (preemptions, inside, limit)
  }

  /// Goes on to the next schedule. Returns `false` if there is none.
  func advance() -> Bool {
    depth = 0
    isRedundant = false
    while var last = choices.popLast() {
      guard let next = last.remaining.popLast() else { continue }
      choices.append((next, last.remaining))
      return true
    }
    guard nextStart < starts.count else { return false }
    (preemptions, inside) = (starts[nextStart].preemptions, starts[nextStart].inside)
    choices = starts[nextStart].indexes.map { ($0, []) }
    starts[nextStart].indexes = []
    nextStart += 1
    return true
  }

  func pick(_ choice: ScheduleChoice) -> Int {
    let (ready, usual) = (choice.ready, choice.usual)
    if depth >= choices.count, let order = choice.order { isRedundant = isKnown(order, running: choice.current) }
    let continues = usual < ready.count && ready[usual].owner == choice.current && !ready[usual].isYield
    // A timer that fires while anything can run is a preemption as well.
    return choose(among: choice.count, usual: usual) { (continues || $0 >= ready.count ? 1 : 0, 0) }
  }

  /// The first choice is to continue.
  func leave(_ choice: ScheduleChoice) -> Int? {
    let index = choose(among: choice.count + 1, usual: 0) { _ in (0, 1) }
    return index == 0 ? nil : index - 1
  }

  /// True if all that can follow has been tried with no more preemptions, or is about to be: schedules with fewer come first.
  /// From another task, each schedule takes one preemption more at most.
  private func isKnown(_ order: ScheduleOrder, running task: Int) -> Bool {
    let fewest = least[order.hash, default: preemptions]
    least[order.hash] = fewest
    return !seen.insert(order.hash(running: task)).inserted || fewest < preemptions
  }

  func cancellation(step: Int, among tasks: () -> [Int]) -> Int? {
    let tasks = tasks()
    let choice = choose(among: tasks.count + 1, usual: 0) { _ in (0, 0) }
    return choice == 0 ? nil : tasks[choice - 1]
  }

  private func choose(among count: Int, usual: Int, cost: (_ index: Int) -> Cost) -> Int {
    if isRedundant { return usual }
    defer { depth += 1 }
    if depth < choices.count {
      if choices[depth].index >= count { isDeterministic = false }
      return min(choices[depth].index, count - 1)
    }
    let others = (0..<count).filter { $0 != usual }
    for index in others where starts.count < limit {
      let cost = cost(index)
      let sum = (preemptions: preemptions + cost.preemptions, inside: inside + cost.inside)
      if cost == (0, 0) || sum.preemptions > bound || sum.inside > insideBound { continue }
      starts.append((choices.map(\.index) + [index], sum.preemptions, sum.inside))
    }
    choices.append((usual, others.reversed().filter { cost($0) == (0, 0) }))
    assert(choices.count == depth + 1 && preemptions <= bound, "\(preemptions) preemptions at choice \(depth)")
    return usual
  }
}

internal import RowcastDiff

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
      // A task that the usual schedule does not have counts as short.
      max(1, (jobs.indices.contains(item.owner) ? jobs[item.owner] : 2) - choice.jobs(of: item.owner))
    }
    if choice.timer != nil { weights.append(1) }
    var number = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    return weights.firstIndex { weight in
      number -= weight
      return number < 0
    } ?? 0
  }
}

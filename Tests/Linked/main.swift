// 100,000 tasks and hops off every schedule, or as many times that as the argument says: once with the hooks linked, and once
// without. Prints the jobs, the allocations, and the time that it took. To be run with `Tests/Allocations/counter.c` loaded before it.
import Foundation

actor Counter {
  private(set) var value = 0

  func add() { value += 1 }
}

guard let symbol = dlsym(nil, "allocation_total") else { fatalError("The counter is not loaded") }
let allocationTotal = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)

let counter = Counter()
let times = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
let start = ContinuousClock.now
for _ in 0..<30 * times {
  await withTaskGroup { group in
    for _ in 0..<1_000 { group.addTask { await counter.add() } }
  }
}
for _ in 0..<30_000 * times { await Task { await counter.add() }.value }
for _ in 0..<40_000 * times { await counter.add() }
let clock = SuspendingClock()
let time = clock.now
try await clock.sleep(for: .milliseconds(1))
let sum = await counter.value
let took = ContinuousClock.now - start
print("jobs \(sum) slept \(clock.now - time >= .milliseconds(1)) allocations \(allocationTotal()) took \(took)")

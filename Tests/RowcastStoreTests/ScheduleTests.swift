#if ROWCAST_HOOKS
  import RowcastTestSupport
  import Testing

  @Suite(.watched) struct ScheduleTests {
    actor Log {
      private(set) var entries: [Int] = []
      func note(_ entry: Int) { entries.append(entry) }
    }

    /// The order in which three tasks take turns.
    private func order(seed: UInt64) async -> [Int]? {
      await Schedule.run(seed: seed) {
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
          for task in 0..<3 {
            group.addTask {
              for _ in 0..<3 {
                await log.note(task)
                await Task.yield()
              }
            }
          }
        }
        return await log.entries
      }.value
    }

    @Test func `the same seed gives the same order`() async {
      for seed in 0..<UInt64(50) { #expect(await order(seed: seed) == order(seed: seed)) }
    }

    @Test func `different seeds give many orders`() async {
      var orders: Set<[Int]> = []
      for seed in 0..<UInt64(200) { if let order = await order(seed: seed) { orders.insert(order) } }
      #expect(orders.count > 100)
    }

    @Test func `a task that nobody wakes is reported, not waited for`() async {
      let result = await Schedule.run(seed: 1) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for await number in stream { return number }
        continuation.finish()
        return 0
      }
      #expect(result.value == nil)
    }
  }
#endif

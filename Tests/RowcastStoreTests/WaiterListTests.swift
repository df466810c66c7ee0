import RowcastTestSupport
import Testing

@testable import RowcastStore

/// A list of waiters against a plain array that is sorted by priority.
@Suite(.watched) struct WaiterListTests {
  private struct Model {
    var token: WaiterList.Token
    var signal: Signal
    var priority: TaskPriority
    var isDue = false
  }

  private static let priorities: [TaskPriority] = [.background, .low, .medium, .high]

  @Test func `tasks are woken by priority, then in the order of their arrival, and a task that left is not woken`() {
    var random = SeededGenerator.forFuzzing("waiter list")
    for round in 0..<SeededGenerator.rounds(300, long: 20_000) {
      var list = WaiterList()
      var model: [Model] = []
      var former: [WaiterList.Token] = []
      // Some are long enough for the list to give back the places of tasks that left.
      for _ in 0..<(round % 30 == 0 ? 2_000 : 60) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
          let priority = Self.priorities[Int.random(in: 0..<4, using: &random)]
          let signal = Signal()
          let token = list.add(signal, priority: priority)
          let place = model.firstIndex { $0.priority < priority } ?? model.count
          model.insert(Model(token: token, signal: signal, priority: priority), at: place)
        case 4:
          if let index = model.indices.randomElement(using: &random) {
            former.append(model[index].token)
            list.remove(model.remove(at: index).token)
          }
        case 5:
          if let token = former.randomElement(using: &random) { list.remove(token) }
        case 6:
          list.markAllDue()
          for index in model.indices { model[index].isDue = true }
        default:
          let limit = Int.random(in: 0..<4, using: &random)
          let woken = model.filter(\.isDue).prefix(limit)
          model.removeAll { waiter in woken.contains { $0.token == waiter.token } }
          let isMoreDue = list.wake(atMost: limit)
          #expect(isMoreDue == model.contains(where: \.isDue))
          for waiter in woken { #expect(!waiter.signal.send(), "a task was woken that is not the next") }
          former += woken.map(\.token)
        }
        #expect(list.count == model.count && list.dueCount == model.count(where: \.isDue))
      }
      list.wakeAll()
      #expect(list.isEmpty)
      for waiter in model { #expect(!waiter.signal.send()) }
    }
  }

  @Test func `a signal that was sent is received, also if the task is cancelled before it waits`() async {
    let signal = Signal()
    #expect(signal.send())
    #expect(!signal.send())
    let task = Task {
      await eventually { Task.isCancelled }
      return await signal.wait()
    }
    task.cancel()
    #expect(await task.value)
  }
}

extension WaiterList {
  /// The number of waiters that are due and were not woken yet.
  var dueCount: Int { signals.keys.count { $0 < dueBefore } }
}

import Rowcast
import RowcastSchedules
import RowcastTesting

//: a recorder of a snapshot
func record(_ list: ListSnapshot<Shelf, Product>) async throws {
  let recorder = UpdateRecorder(list)  // error: 'ListSnapshot<Shelf, Product>' conform to 'LiveList'
  _ = recorder
}

//: a recorder that expects without await
func record(_ recorder: UpdateRecorder<Shelf, Product>) throws {
  try recorder.expectInitial()  // error: 'async' call in a function that does not support concurrency
}

//: an expectation of a path that is a number
func record(_ recorder: UpdateRecorder<Shelf, Product>) async throws {
  try await recorder.expect(rows: .init(inserts: [0]))  // error: 'Int' to expected element type 'RowPath'
}

//: an object that schedules share
func explore(_ counter: Counter) async throws {
  try await Schedules.explore(100) { run in
    counter.count += 1  // error: capture of 'counter' with non-Sendable type 'Counter'
  }
}

//: a variable that schedules share
func explore() async throws {
  var count = 0
  try await Schedules.explore(100) { run in
    count += 1  // error: mutation of captured var 'count' in concurrently-executing code
  }
}

//: an expectation without a message
func explore() async throws {
  try await Schedules.explore(100) { run in
    try run.expect(1 == 2)  // error: missing argument for parameter #2
  }
}

//: an exploration without try
func explore() async {
  await Schedules.explore(100) { _ in }  // error: call can throw
}

//: a path of schedules that is a number of another type
func replay() async throws {
  try await Schedules.replay(1.5) { _ in }  // error: 'Double' to expected argument type 'SchedulePath'
}

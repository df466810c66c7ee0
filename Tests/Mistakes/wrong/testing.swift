import Rowcast
import RowcastSchedules
import RowcastTesting

//: a recorder of a snapshot
func record(_ list: ListSnapshot<Shelf, Product>) async throws {
  let recorder = UpdateRecorder(list)  // error: 'ListSnapshot<Shelf, Product>' conform to 'LiveList'
  _ = recorder
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

//: an expectation without a message
func explore() async throws {
  try await Schedules.explore(100) { run in
    try run.expect(1 == 2)  // error: missing argument for parameter #2
  }
}

//: a path of schedules that is a number of another type
func replay() async throws {
  try await Schedules.replay(1.5) { _ in }  // error: 'Double' to expected argument type 'SchedulePath'
}

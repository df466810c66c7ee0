// The program behind the section on GRDB: the store follows the database. Its other file is the code of the page.
import Foundation
import GRDB
import Rowcast

struct Failure: Error { let reason: String }

let database = try DatabaseQueue()
try database.write { database in
  try database.create(table: "job") { table in
    table.primaryKey("id", .integer)
    table.column("state", .text).notNull()
  }
  try Job(id: 1, state: "new").insert(database)
}
let jobs = ListStore<SoleSection, Job>()
let binding = feed(jobs, from: database)

/// Waits until the store has these states, by id.
func wait(for states: [Int: String]) async {
  for await update in jobs.updates() {
    let found = update.snapshot.allRows.map { ($0.id, $0.state) }
    if Dictionary(uniqueKeysWithValues: found) == states { return }
  }
}

await wait(for: [1: "new"])
try await setState(of: 1, to: "done", in: database)
await wait(for: [1: "done"])
try await setState(of: 2, to: "new", in: database)
await wait(for: [1: "done", 2: "new"])
_ = try database.write { try Job.deleteOne($0, key: 1) }
await wait(for: [2: "new"])
binding.cancel()
print("frameworks: the store follows the database of GRDB")

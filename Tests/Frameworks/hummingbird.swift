// The program behind Hummingbird, services and metrics: handlers answer, services end. Its other file is the code of the page.
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Rowcast
import ServiceLifecycle

struct Failure: Error { let reason: String }

func check(_ condition: Bool, _ reason: String) throws { if !condition { throw Failure(reason: reason) } }

let jobs = ListStore<SoleSection, Job>(history: .last(10))
try await jobs.edit { try $0.append(Job(id: 1, state: "new")) }
let shared = events(of: jobs)

let (ids, feed) = AsyncStream.makeStream(of: Int.self)
let binding = jobs.attach(ids) { list, id in try list.upsert(Job(id: id, state: "fed")) }
var logger = Logger(label: "jobs")
logger.logLevel = .error
let group = ServiceGroup(
  services: [JobFeed(binding: binding), JobReport(events: shared, logger: logger)], logger: logger)
let running = Task { try await group.run() }
feed.yield(2)
for await update in jobs.updates() where update.snapshot.rowCount == 2 { break }
await group.triggerGracefulShutdown()
try await running.value

let position = await jobs.position
await jobs.finish()
let app = Application(router: routes(shared), logger: logger)
try await app.test(.router) { client in
  let whole = try await client.execute(uri: "/jobs", method: .get)
  let lines = String(buffer: whole.body)
  try check(lines.contains("id: \(String(position))"), "no position: \(lines)")
  try check(lines.contains("\"kind\":\"initial\""), "no whole list: \(lines)")
  try check(lines.contains("\"kind\":\"end\""), "no end: \(lines)")
  var headers = HTTPFields()
  if let name = HTTPField.Name("Last-Event-ID") { headers[name] = String(position) }
  let resumed = String(buffer: try await client.execute(uri: "/jobs", method: .get, headers: headers).body)
  try check(resumed.contains("\"kind\":\"progress\"") && !resumed.contains("initial"), "no resumption: \(resumed)")
}
try check(await shared.figures.lines == 4, "\(shared)")
print("frameworks: Hummingbird answers, the services end")

// The program behind the section on FlyingFox: the handler answers, and resumes. Its other file is the code of the page.
import FlyingFox
import FlyingSocks
import Foundation
import Rowcast

struct Failure: Error { let reason: String }

func check(_ condition: Bool, _ reason: String) throws { if !condition { throw Failure(reason: reason) } }

let jobs = ListStore<SoleSection, Job>(history: .last(10))
try await jobs.edit { try $0.append(Job(id: 1, state: "new")) }
let shared = events(of: jobs)
let server = HTTPServer(address: sockaddr_in.inet(port: 0))
await serve(shared, on: server)
let running = Task { try await server.run() }
try await server.waitUntilListening()
guard case .ip4(_, let port)? = await server.listeningAddress else { throw Failure(reason: "no port") }

/// The text of an answer, until the list ends.
func answer(since position: String?) async throws -> String {
  let socket = try await AsyncSocket.connected(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
  let resumption = position.map { "Last-Event-ID: \($0)\r\n" } ?? ""
  try await socket.write(Data("GET /jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(resumption)\r\n".utf8))
  var bytes: [UInt8] = []
  for try await byte in socket.bytes {
    bytes.append(byte)
    if bytes.suffix(5) == Array("0\r\n\r\n".utf8) { break }
    // The first line is here while the list still lives.
    if byte == UInt8(ascii: "}"), String(decoding: bytes, as: UTF8.self).contains("initial") { await jobs.finish() }
  }
  return String(decoding: bytes, as: UTF8.self)
}

let position = String(await jobs.position)
let whole = try await answer(since: nil)
try check(whole.contains("text/event-stream"), "no events: \(whole)")
try check(whole.contains("id: \(position)"), "no position: \(whole)")
try check(whole.contains("\"kind\":\"initial\""), "no whole list: \(whole)")
try check(whole.contains("\"kind\":\"end\""), "no end: \(whole)")
let resumed = try await answer(since: position)
try check(resumed.contains("\"kind\":\"progress\"") && !resumed.contains("initial"), "no resumption: \(resumed)")
await server.stop()
running.cancel()
print("frameworks: FlyingFox answers")

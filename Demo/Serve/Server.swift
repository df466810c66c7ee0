import Rowcast
import RowcastBrowser
import RowcastConsole
import RowcastPlatform

/// A minimal HTTP server that shows a list to browsers on this machine. It is not part of the library.
@available(macOS 15, *)
struct Server: Sendable {
  static let connectionLimit = 64
  /// The time for the head of a request.
  static let patience = Duration.seconds(10)
  static let heartbeat = Duration.seconds(15)

  let listener: Int32
  let port: UInt16
  /// The events of `/list`.
  let events: EncodedList<Group, Item, [UInt8]>
  private let open = OpenConnections()

  init(listener: Int32, port: UInt16, list: some LiveList<Group, Item>) {
    (self.listener, self.port) = (listener, port)
    events = EncodedList(list) { message in
      var event = Array("id: \(message.epoch)/\(message.revision)\ndata: ".utf8)
      event += try JSONLine.encode(message)
      event.append(UInt8(ascii: "\n"))
      return event
    }
  }

  /// Answers requests until the task is cancelled, and then until all lists have ended.
  func run(_ descriptors: AsyncStream<Int32>) async {
    await withDiscardingTaskGroup { group in
      for await descriptor in descriptors {
        let connection = Connection(descriptor)
        let count = await open.add()
        group.addTask {
          // Connections over the limit get an answer that says so, up to 16 of them at a time.
          if count <= Self.connectionLimit + 16 { await serve(connection, isTooMany: count > Self.connectionLimit) }
          await open.remove()
          connection.close()
        }
      }
    }
  }

  /// The connections that are accepted, until the task that reads them is cancelled.
  func connections() -> (stream: AsyncStream<Int32>, accepting: Task<Void, Never>) {
    let (stream, send) = AsyncStream.makeStream(of: Int32.self)
    let accepting = Task {
      defer { send.finish() }
      while !Task.isCancelled {
        do {
          if let next = try Sockets.nextConnection(of: listener) {
            send.yield(next)
          } else {
            try await Connection.waitForInput(on: listener)
          }
        } catch {
          // No descriptor is free, for instance.
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
    }
    return (stream, accepting)
  }

  private func serve(_ connection: Connection, isTooMany: Bool) async {
    do {
      do {
        if isTooMany { throw RequestRefusal.busy }
        try await answer(try await head(of: connection), on: connection)
      } catch let refusal as RequestRefusal {
        let text = "\(refusal.rawValue) \(refusal.reason)"
        try await connection.send(Self.answer(text, type: "text/plain", Array("\(text)\n".utf8)))
      }
      _ = try await within(.seconds(1)) { try await connection.finish() }
    } catch {
      // The browser has disconnected, or the server ends.
    }
  }

  private func head(of connection: Connection) async throws -> RequestHead {
    let head = try await within(Self.patience) { [port] in
      var parser = RequestHeadParser(port: port)
      while true {
        let bytes = try await connection.receive()
        guard !bytes.isEmpty else { throw SystemError.closed }
        if let head = try parser.take(bytes) { return head }
      }
    }
    guard let head else { throw RequestRefusal.late }
    return head
  }

  private func answer(_ head: RequestHead, on connection: Connection) async throws {
    switch head.path {
    case "/": try await connection.send(Self.page())
    case "/rowcast.js":
      try await connection.send(Self.answer("200 OK", type: "text/javascript", Array(BrowserModule.source.utf8)))
    case "/list": try await stream(to: connection, since: head.lastEventID.flatMap { ListPosition($0) })
    default: throw RequestRefusal.unknownPath
    }
  }

  /// Sends events until the list ends, or the browser disconnects or stops reading.
  private func stream(to connection: Connection, since position: ListPosition?) async throws {
    try await connection.send(Self.head("200 OK", type: "text/event-stream") + Array("\r\nretry: 1000\n\n".utf8))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for try await event in events.lines(since: position) { try await connection.send(event) } }
      group.addTask { while try await connection.beat() { try await Task.sleep(for: Self.heartbeat) } }
      group.addTask { while !(try await connection.receive()).isEmpty {} }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private static func page() -> [UInt8] {
    let nonce = String(UInt64.random(in: 0 ... .max), radix: 36)
    let policy =
      "default-src 'none'; img-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
      + "script-src 'self' 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'"
    let page = String(decoding: PackageResources.serve_html, as: UTF8.self).replacing("%NONCE%", with: nonce)
    return answer("200 OK", type: "text/html", Array(page.utf8), more: "Content-Security-Policy: \(policy)\r\n")
  }

  private static func answer(_ status: String, type: String, _ body: [UInt8], more: String = "") -> [UInt8] {
    head(status, type: type) + Array("\(more)Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  /// The head of an answer, without the empty line that ends it.
  private static func head(_ status: String, type: String) -> [UInt8] {
    let fields = ["Content-Type: \(type); charset=utf-8", "Cache-Control: no-store", "X-Content-Type-Options: nosniff"]
    return Array((["HTTP/1.1 \(status)"] + fields + ["Connection: close", ""]).joined(separator: "\r\n").utf8)
  }
}

/// The number of connections that are open.
private actor OpenConnections {
  private var count = 0

  func add() -> Int {
    count += 1
    return count
  }

  func remove() { count -= 1 }
}

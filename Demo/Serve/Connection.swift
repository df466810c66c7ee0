import Dispatch
import RowcastPlatform

/// A connection of a browser. Its owner closes it, after all tasks that use it.
actor Connection {
  private nonisolated let descriptor: Int32
  private var isSending = false
  /// The bytes that were sent, and those at the last heartbeat.
  private var sent = 0
  private var sentBefore = -1

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  nonisolated func close() { Platform.close(descriptor) }

  /// Reads what there is, waiting for it; nothing at the end.
  nonisolated func receive() async throws -> [UInt8] {
    while true {
      if let bytes = try Platform.readAvailable(from: descriptor, upTo: 4_096) { return bytes }
      try await Self.waitForInput(on: descriptor)
    }
  }

  /// Sends bytes as fast as the other end takes them. Only one task sends.
  func send(_ bytes: [UInt8]) async throws {
    isSending = true
    defer { isSending = false }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try Platform.writeSome(rest, to: descriptor, timeout: 0)
      rest = rest.dropFirst(count)
      sent += count
      if count == 0 { try await Self.waitForRoom(on: descriptor) }
    }
  }

  /// Sends a comment between two events. Returns false if the other end has taken nothing since the last one.
  func beat() throws -> Bool {
    if isSending {
      defer { sentBefore = sent }
      return sent != sentBefore
    }
    let comment = Array(": \n\n".utf8)
    return try Platform.writeSome(comment[...], to: descriptor, timeout: 0) == comment.count
  }

  /// Ends what is sent, and reads on until the other end has heard it: a system that has unread input resets the connection, and
  /// the browser would lose the answer.
  nonisolated func finish() async throws {
    Sockets.endOutput(descriptor)
    while !(try await receive()).isEmpty {}
  }

  /// Waits until a source has an event.
  private static func wait(for source: any DispatchSourceProtocol) async throws {
    let (ready, isReady) = AsyncStream.makeStream(of: Never.self)
    let (released, isReleased) = AsyncStream.makeStream(of: Never.self)
    source.setEventHandler {
      isReady.finish()
      source.cancel()
    }
    source.setCancelHandler { isReleased.finish() }
    source.resume()
    // It ends at once if the task is cancelled.
    for await _ in ready {}
    source.cancel()
    // Until then Dispatch uses the descriptor, so a cancelled task waits for it, too.
    await Task { for await _ in released {} }.value
    try Task.checkCancellation()
  }

  private static func waitForRoom(on descriptor: Int32) async throws {
    try await wait(for: DispatchSource.makeWriteSource(fileDescriptor: descriptor))
  }

  /// Waits until a connection has input or its end, or a listener a connection.
  static func waitForInput(on descriptor: Int32) async throws {
    try await wait(for: DispatchSource.makeReadSource(fileDescriptor: descriptor))
  }
}

/// The result of a body, or `nil` if it is not there in time. The body is cancelled then.
func within<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}

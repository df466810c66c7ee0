import Testing

/// An app that works offline, and is killed.
@Suite(.watched) struct OfflineTests {
  struct Message: RowViewModel, Codable {
    let id: Int
    var text: String
  }

  typealias Archive = ListArchive<SoleSection, Message>
  typealias Mirror = MirroredList<SoleSection, Message>

  /// What one run of the app has: the list of the server, and the edits that are not answered.
  struct App {
    let mirror = Mirror()
    let shown: OptimisticList<SoleSection, Message>
    let (archive, outbox): (Archive, Archive)

    init(_ folder: String) async throws {
      func open(_ name: String) throws -> Archive {
        try Archive(at: "\(folder)/\(name)") {
          try JSONEncoder().encode($0)
        } decode: {
          try JSONDecoder().decode(WireMessage.self, from: Data($0))
        }
      }
      (archive, outbox) = (try open("list.jsonl"), try open("outbox.jsonl"))
      try await archive.open(following: mirror)
      shown = OptimisticList(mirror)
      for message in await outbox.snapshot.allRows { await show(message) }
    }

    func post(_ message: Message) async throws {
      try await outbox.open().edit { try $0.upsert(message) }
      try await outbox.flush()
      await show(message)
    }

    /// Shows a message until the mirror has it. Returns when it is shown, so that messages are shown in their order.
    func show(_ message: Message) async {
      let (waiting, isShown) = AsyncStream.makeStream(of: Void.self)
      Task { [shown, outbox] in
        defer { isShown.finish() }
        try await shown.edit {
          try $0.upsert(message)
        } confirming: {
          isShown.finish()
          for await update in try outbox.open().updates() {
            if !update.snapshot.allRows.contains(where: { $0.id == message.id }) { break }
          }
        } until: {
          $0.row(message.id) != nil
        }
      }
      for await _ in waiting {}
    }
  }

  @Test func `an app that is killed offline shows its list and its edits in the next run, and sends each once`()
    async throws
  {
    let folder = try TestFolder()
    let path = folder.path
    let server = ListStore<SoleSection, Message>(history: .last(100))
    try await server.edit { try $0.upsert(Message(id: 1, text: "from the server")) }
    var first = server.updates().makeAsyncIterator()
    let received = try JSONEncoder().encode(WireMessage(try #require(await first.next())))
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, received = received as Data] in
      let app = try await App(path)
      try await app.mirror.receive(try JSONDecoder().decode(WireMessage.self, from: received))
      try await app.archive.flush()
      for id in 2...4 { try await app.post(Message(id: id, text: "offline")) }
      kill(getpid(), SIGKILL)
    }
    // Killed again while it shows what it has.
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let app = try await App(path)
      let count = await app.shown.snapshot.rowCount
      #expect(count == 4)
      try await app.post(Message(id: 5, text: "offline, later"))
      kill(getpid(), SIGKILL)
    }
    let app = try await App(path)
    #expect(await app.shown.snapshot.allRows.map(\.id) == [1, 2, 3, 4, 5])
    #expect(await app.mirror.snapshot.allRows.map(\.id) == [1])
    // The mirror is where the killed one was, so that the difference suffices.
    let position = try #require(await app.mirror.position)
    #expect(await position == server.position)
    try await server.edit { try $0.upsert(Message(id: 9, text: "while the app was away")) }
    let outbox = try app.outbox.open()
    var sent: [Int] = []
    while let message = await outbox.snapshot.allRows.first {
      try await server.edit { try $0.upsert(message) }
      sent.append(message.id)
      try await outbox.edit { try $0.remove(message.id) }
    }
    #expect(sent == [2, 3, 4, 5])
    var lines = server.updates(since: position).makeAsyncIterator()
    let update = try #require(await lines.next())
    #expect(update.previous == position.revision)
    try await app.mirror.receive(WireMessage(update))
    await eventually { await app.shown.pending.value.isEmpty }
    #expect(await app.shown.snapshot == server.snapshot)
    try await app.outbox.close()
    try await app.archive.close()
    withExtendedLifetime(folder) {}
  }
}

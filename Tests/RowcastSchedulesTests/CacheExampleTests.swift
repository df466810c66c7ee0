#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  /// The example of the article “Finding races”: it finds what the article shows.
  @Suite(.watched) struct CacheExampleTests {
    actor Server {
      private(set) var requests = 0

      func fetch(_ number: Int) -> String {
        requests += 1
        return "page \(number)"
      }
    }

    actor Cache {
      private let server: Server
      private var pages: [Int: String] = [:]

      init(_ server: Server) { self.server = server }

      func page(_ number: Int) async -> String {
        if let page = pages[number] { return page }
        let page = await server.fetch(number)
        pages[number] = page
        return page
      }
    }

    actor MendedCache {
      private let server: Server
      private var pages: [Int: Task<String, Never>] = [:]

      init(_ server: Server) { self.server = server }

      func page(_ number: Int) async -> String {
        if let page = pages[number] { return await page.value }
        let page = Task { [server] in await server.fetch(number) }
        pages[number] = page
        return await page.value
      }
    }

    @Test func `the race of the cache is found, with three switches at most`() async throws {
      let failure = try await #require(throws: ScheduleFailure.self) {
        try await Schedules.explore(1_000, seed: 1) { run in
          let server = Server()
          let cache = Cache(server)
          let first = Task(name: "first") { await cache.page(1) }
          let second = Task(name: "second") { await cache.page(1) }
          _ = await (first.value, second.value)
          let requests = await server.requests
          try run.expect(requests == 1, "the page was fetched \(requests) times")
        }
      }
      #expect(failure.shortest.length <= 3)
      #expect(failure.trace.contains("\"second\" enters actor Cache"))
      #expect(failure.trace.contains(#/enters actor Cache   <-- leaves actor Cache to step \d+\n/#))
      #expect(failure.trace.contains(#/enters actor Cache   <-- finds actor Cache as step \d+ left it\n/#))
      print(failure)
    }

    @Test func `the mended cache passes every schedule`() async throws {
      let exploration = try await Schedules.explore(100_000, strategy: .enumeration(preemptions: 2)) { run in
        let server = Server()
        let cache = MendedCache(server)
        let first = Task(name: "first") { await cache.page(1) }
        let second = Task(name: "second") { await cache.page(1) }
        _ = await (first.value, second.value)
        let requests = await server.requests
        try run.expect(requests == 1, "the page was fetched \(requests) times")
      }
      #expect(exploration.isComplete)
      print(exploration)
    }
  }
#endif

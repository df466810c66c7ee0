import Testing

@testable import RowcastDemo

#if os(Linux)
  /// The changes of a directory, in this process, where more can go wrong.
  @Suite(.watched) struct FileTreeTests {
    /// What a person is told.
    private actor Reports {
      private(set) var texts: [String] = []
      func add(_ text: String) { texts.append(text) }
    }

    /// The rows of a directory, put together from its changes.
    private struct Rows {
      private var changes: FileTree.AsyncIterator
      private(set) var items: [String: Item] = [:]
      private(set) var changeCount = 0
      private(set) var largestChange = 0
      let reports = Reports()

      init(_ folder: TestFolder, watchLimit: Int = .max) {
        changes = FileTree(root: folder.path, watchLimit: watchLimit) { [reports] in await reports.add($0) }
          .makeAsyncIterator()
      }

      mutating func take() async throws {
        guard let change = try await changes.next() else { throw CancellationError() }
        changeCount += 1
        largestChange = max(largestChange, change.steps.count)
        for step in change.steps {
          switch step {
          case .upsert(let item): items[item.id] = item
          case .remove(let id): items[id] = nil
          }
        }
      }

      /// Takes changes until the rows match the directory.
      mutating func follow(_ folder: TestFolder) async throws {
        let expected = try folder.rows().sorted()
        while text != expected { try await take() }
      }

      /// The ids and the sizes, summed up over the names.
      private var text: [String] {
        var sizes = items.mapValues { _ in 0 }
        for (id, item) in items {
          // Each row has its parent, or the list is not a tree.
          var next: String? = id
          while let id = next, sizes[id] != nil {
            sizes[id, default: 0] += item.size
            next = items[id]?.place?.parent
          }
        }
        return sizes.map { "\($0) \($1)" }.sorted()
      }
    }

    @Test(arguments: [Int.max, 1, 0])
    func `whatever happens to a tree, its rows are those that another program finds`(watchLimit: Int) async throws {
      var random = SeededGenerator.forFuzzing("trees of files")
      let folder = try TestFolder()
      try folder.make("a/b")
      var rows = Rows(folder, watchLimit: watchLimit)
      for _ in 0..<max(4, SeededGenerator.rounds(watchLimit > 1 ? 6 : 1, long: 2_000)) {
        for _ in 0..<Int.random(in: 1...8, using: &random) { try Self.change(folder, &random) }
        try await rows.follow(folder)
      }
      // The changes may have left no folder that is not watched.
      try folder.make("last")
      try await rows.follow(folder)
      // Once, however often everything was read again.
      let texts = await rows.reports.texts
      #expect(texts.count == (watchLimit > 1 ? 0 : 1), "\(texts)")
    }

    /// Makes, writes, moves, swaps or removes something.
    private static func change(_ folder: TestFolder, _ random: inout SeededGenerator) throws {
      let ids = try folder.rows().map { String($0.prefix { $0 != " " }) }
      let folders = try [""] + ids.filter { try folder.isFolder($0) }
      func new() -> String {
        "\(folders.randomElement(using: &random) ?? "")/\("abcd".randomElement(using: &random) ?? "e")"
      }
      guard let old = ids.randomElement(using: &random) else { return try folder.make(new()) }
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: try? folder.make(new())
      case 2, 3: try? folder.write(new(), Int.random(in: 0..<100, using: &random))
      case 4, 5: try? folder.move(old, new())
      case 6:
        // Two change their names: what was watched as one is the other now.
        guard let other = ids.randomElement(using: &random) else { return }
        try? folder.move(old, "swap")
        try? folder.move(other, old)
        try? folder.move("swap", other)
      default: try? folder.remove(old)
      }
    }

    @Test func `the rows of a large directory come in slices`() async throws {
      let folder = try TestFolder()
      try folder.run("seq 20000 | xargs touch; mkdir d; cd d; seq 20000 | xargs touch")
      var rows = Rows(folder)
      try await rows.take()
      #expect((1...128).contains(rows.largestChange))
      while rows.items.count < 40_001 { try await rows.take() }
      #expect((5...20).contains(rows.changeCount) && rows.largestChange < 25_000)
    }

    @Test func `many that are gone at once leave the others`() async throws {
      let folder = try TestFolder()
      try folder.run("seq 500 | xargs touch")
      var rows = Rows(folder, watchLimit: 0)
      try await rows.follow(folder)
      try folder.run("rm *; touch left")
      try await rows.follow(folder)
    }

    @Test func `changes that the system has lost are found`() async throws {
      let folder = try TestFolder()
      try folder.make("a/b")
      var rows = Rows(folder)
      try await rows.follow(folder)
      let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
      let count = try #require(Int(limit.dropLast()))
      // The notifications of these changes are not read.
      try folder.run("seq \(count + 10) | xargs touch; seq \(count + 10) | xargs rm")
      try folder.write("a/b/c", 3)
      try folder.make("d/e")
      try await rows.follow(folder)
      #expect(await rows.reports.texts.count == 1)
      // Later changes are reported as usual.
      try folder.write("d/e/f", 4)
      try await rows.follow(folder)
    }
  }
#endif

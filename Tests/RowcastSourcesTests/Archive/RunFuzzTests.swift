#if canImport(RowcastPlatform)
  import Foundation
  import RowcastDiff
  import RowcastTestSupport
  import Testing

  @testable import RowcastModel
  @testable import RowcastSources
  @testable import RowcastStore

  /// Files that are killed, cut, restored, copied and run twice, and mirrors of every run that come back to every run.
  @Suite(.watched) struct RunFuzzTests {
    /// A list as a plain array.
    typealias Plain = [TestRow]

    /// A mirror that was saved when its app ended.
    typealias Saved = (list: TestSnapshot, position: ListPosition, path: String)

    /// A file that is open, and what its list was at each revision of this run.
    struct Run {
      let archive: TestArchive
      let store: TestStore
      let path: String
      var plain: Plain
      var revision: Int
      var truth: [Int: Plain]
    }

    /// What is different from the archive's rules, to see that the fuzz finds it.
    enum Fault { case none, oneEpoch }

    /// All files, their former copies, and all mirrors.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct World {
      var random: SeededGenerator
      let fault: Fault
      let folder: TestFolder
      var copies: [[UInt8]] = []
      var mirrors: [Saved] = []
      /// What each position names.
      var names: [ListPosition: Plain] = [:]
      var relay = MirroredList<TestSection, TestRow>()
      var relayOfRelay = MirroredList<TestSection, TestRow>()
      var downstream: [Saved] = []
      var (returns, ofRelays, wrong, differences) = (0, 0, 0, 0)
      var problem: String?
      private var nextRow = 0

      init(_ random: SeededGenerator, _ fault: Fault) throws {
        (self.random, self.fault, folder) = (random, fault, try TestFolder())
      }

      mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

      private func brief(_ plain: Plain) -> String {
        plain.map { "\($0.id):\($0.text.prefix(4))" }.joined(separator: " ")
      }

      private mutating func fail(_ text: String) {
        wrong += 1
        problem = problem ?? text
      }

      // MARK: - Files

      func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

      /// Takes what a power failure, a restored backup or a person left at a path.
      mutating func disturb(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var content = try bytes(path)
        copies = copies.suffix(40) + [content]
        if happens(25), let copy = copies.randomElement(using: &random) { content = copy }
        if happens(40) {
          // At any line, or within one.
          let ends = content.indices.filter { content[$0] == UInt8(ascii: "\n") }
          if let end = ends.suffix(Int.random(in: 1...6, using: &random)).randomElement(using: &random) {
            content = Array(content[...end])
          }
          if happens(20) { content = content.dropLast(Int.random(in: 0...40, using: &random)) }
        }
        try Data(content).write(to: URL(fileURLWithPath: path))
      }

      mutating func open(_ path: String) async throws -> Run {
        let history = ListHistory.last([0, 3, 40, 200, 200].randomElement(using: &random) ?? 0)
        var archive = try? TestArchive(path, history: history)
        if archive == nil {
          // It was cut within its first line.
          try FileManager.default.removeItem(atPath: path)
          archive = try TestArchive(path, history: history)
        }
        let opened = try #require(archive)
        let store = try opened.open()
        let list = await store.snapshot
        if list.sectionCount == 0 {
          // Long enough for a difference to be shorter than it.
          try await store.edit { try $0.replace(with: .of(("a", Array(-40..<0)))) }
        }
        let (plain, revision) = (Array(await store.snapshot.allRows), await store.revision)
        try await opened.flush()
        var run = Run(archive: opened, store: store, path: path, plain: plain, revision: revision, truth: [:])
        await note(&run)
        return run
      }

      /// Notes what the list is now, under its position.
      mutating func note(_ run: inout Run) async {
        run.truth[run.revision] = run.plain
        let position = await run.store.position
        check(position, run.plain, "the store")
      }

      mutating func check(_ position: ListPosition, _ plain: Plain, _ who: String) {
        if let known = names[position], known != plain {
          fail("\(who) at \(position) has \(brief(plain)), but that was \(brief(known))")
        }
        names[position] = plain
      }

      mutating func edit(_ run: inout Run) async throws {
        nextRow += 1
        // Long texts make the file be written anew.
        let text = "\(nextRow)" + (happens(5) ? String(repeating: "x", count: 6_000) : "")
        let (row, index) = (TestRow(nextRow, text), Int.random(in: 0...run.plain.count, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where !run.plain.isEmpty && run.plain.count > index:
          let id = run.plain.remove(at: index).id
          try await run.store.edit { try $0.remove(id) }
        case 1 where run.plain.count > index:
          let row = TestRow(run.plain[index].id, text)
          run.plain[index] = row
          try await run.store.edit { try $0.upsert(row) }
        default:
          run.plain.insert(row, at: index)
          try await run.store.edit { try $0.insert(row, at: RowPath(section: 0, row: index)) }
        }
        run.revision += 1
        await note(&run)
        if happens(80) { try await run.archive.flush() }
      }

      // MARK: - Mirrors

      /// The messages of a server that gives all its runs one epoch, as long as that is the fault.
      private func seen(_ message: TestMessage) -> TestMessage {
        guard fault == .oneEpoch else { return message }
        switch message {
        case .initial(let revision, let list, _, _): return .initial(revision: revision, snapshot: list, epoch: "e")
        case .changes(var changes):
          (changes.epoch, changes.previousEpoch) = ("e", nil)
          return .changes(changes)
        case .progress(let position, let start):
          return .progress(
            ListPosition(epoch: "e", revision: position.revision),
            since: ListPosition(epoch: "e", revision: start.revision))
        case .end(let revision, let updates, _): return .end(revision: revision, updates: updates, epoch: "e")
        case .run: return message
        }
      }

      private func asked(_ position: ListPosition, of run: Run) async -> ListPosition {
        guard fault == .oneEpoch else { return position }
        let runs = await run.store.lineage.runs
        let epoch = runs.last { $0.revision <= position.revision }?.epoch ?? ""
        return ListPosition(epoch: epoch, revision: position.revision)
      }

      /// A mirror comes back, and is right after the first message. It then follows over a line that loses, doubles and exchanges.
      mutating func comeBack(to run: inout Run) async throws {
        returns += 1
        var mirror = WireReader<TestSection, TestRow>()
        var position: ListPosition?
        // The newest ones of the same file, or any.
        let own = happens(60) ? mirrors.filter { $0.path == run.path }.suffix(6) : mirrors[...]
        if happens(95), let saved = own.randomElement(using: &random) {
          mirror = WireReader(saved.list, at: saved.position)
          position = await asked(saved.position, of: run)
        }
        let lines = EncodedList(run.archive) { $0 }.lines(since: position)
        var messages = lines.makeAsyncIterator()
        let first = seen(try #require(try await messages.next()))
        if case .initial = first { mirror = WireReader() } else { differences += 1 }
        do { _ = try mirror.fold(first) } catch { fail("\(first.position) does not fit \(mirror.state): \(error)") }
        judge(mirror, run)
        var waiting: [TestMessage] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          try await edit(&run)
          try await run.archive.flush()
          waiting.append(seen(try #require(try await messages.next())))
          if happens(20) { waiting.removeLast() }
          if happens(20), let last = waiting.last { waiting.append(last) }
          if happens(60) { waiting.shuffle(using: &random) } else { continue }
          for message in waiting {
            do { _ = try mirror.receive(message) } catch { fail("\(message.position) at \(mirror.state): \(error)") }
            judge(mirror, run)
          }
          waiting = []
        }
        if let position = mirror.position { mirrors = mirrors.suffix(150) + [(mirror.snapshot, position, run.path)] }
      }

      private mutating func judge(_ mirror: WireReader<TestSection, TestRow>, _ run: Run) {
        let plain = Array(mirror.snapshot.allRows)
        guard let position = mirror.position, run.truth[position.revision] == plain else {
          let known = mirror.revision.flatMap { run.truth[$0] }
          return fail(
            "a mirror of \(run.path) at \(mirror.state) has \(brief(plain)), not \(known.map(brief) ?? "that")")
        }
        if fault == .none { check(position, plain, "a mirror") }
      }

      /// Two relays go on from where they are, the second over a line that loses messages, and a mirror of it comes back.
      mutating func passOn(_ run: Run) async throws {
        let relays = [relay, relayOfRelay]
        let sources: [any LiveList<TestSection, TestRow>] = [run.archive, relay]
        for (source, relay) in zip(sources, relays) {
          let encoded = EncodedList(source) { $0 }
          var messages = encoded.lines(since: await relay.beginStream()).makeAsyncIterator()
          if happens(30) {
            // The first message is lost: the mirror goes on with another connection.
            _ = try await messages.next()
            messages = encoded.lines(since: await relay.beginStream()).makeAsyncIterator()
          }
          _ = try await relay.applyNext(try #require(try await messages.next()))
          let (list, origin) = await (relay.snapshot, source.snapshot)
          ofRelays += 1
          if let position = await relay.position { check(position, Array(list.allRows), "a relay") }
          if list != origin { fail("a relay of \(run.path) at \(await relay.state) has another list") }
        }
        ofRelays += 1
        let encoded = EncodedList(relayOfRelay) { $0 }
        var mirror = WireReader<TestSection, TestRow>()
        if let saved = downstream.randomElement(using: &random) { mirror = WireReader(saved.list, at: saved.position) }
        var messages = encoded.lines(since: mirror.position).makeAsyncIterator()
        let first = try #require(try await messages.next())
        if case .initial = first { mirror = WireReader() }
        _ = try mirror.fold(first)
        let list = await relayOfRelay.snapshot
        if mirror.snapshot != list { fail("a mirror of a relay of a relay has another list") }
        if let position = mirror.position {
          downstream = downstream.suffix(20) + [(mirror.snapshot, position, run.path)]
        }
      }

      /// One or two runs, at once, over files that came from each other, and what then happens to them.
      mutating func round() async throws {
        let path = folder.path("list \(Int.random(in: 0..<3, using: &random)).jsonl")
        if happens(35) { try disturb(path) }
        var runs = [try await open(path)]
        if happens(25) {
          // A copy is started while the original runs.
          let copy = folder.path("copy \(Int.random(in: 0..<2, using: &random)).jsonl")
          try Data(try bytes(path)).write(to: URL(fileURLWithPath: copy))
          runs.append(try await open(copy))
        }
        var killed: [[UInt8]?] = runs.map { _ in nil }
        for _ in 0..<Int.random(in: 0...8, using: &random) {
          let index = runs.indices.randomElement(using: &random) ?? 0
          switch Int.random(in: 0..<8, using: &random) {
          case 0...2: try await edit(&runs[index])
          case 3...5: try await comeBack(to: &runs[index])
          case 6 where happens(30):
            try await runs[index].archive.beginRun()
            runs[index].revision += 1
            await note(&runs[index])
          case 6 where fault == .none:
            try await runs[index].archive.flush()
            try await passOn(runs[index])
          default: killed[index] = try bytes(runs[index].path)
          }
        }
        for (run, killed) in zip(runs, killed) {
          try await run.archive.close()
          if let killed, happens(70) { try Data(killed).write(to: URL(fileURLWithPath: run.path)) }
        }
      }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `one position never names two lists, and a mirror is right after the first message`() async throws {
      let random = SeededGenerator.forFuzzing("runs")
      let goal = SeededGenerator.rounds(1_500, long: 100_000)
      var (returns, ofRelays, differences, number) = (0, 0, 0, UInt64(0))
      while returns < goal {
        var world = try World(SeededGenerator(seed: random.seed &+ number), .none)
        while world.returns < 500, returns + world.returns < goal, world.wrong == 0 { try await world.round() }
        #expect(world.wrong == 0, "seed \(random.seed), world \(number): \(world.problem ?? "")")
        if world.wrong > 0 { break }
        returns += world.returns
        ofRelays += world.ofRelays
        differences += world.differences
        number += 1
      }
      print("runs: \(returns) returns, \(differences) with a difference, and \(ofRelays) of relays, none wrong")
      #expect(differences * 8 > returns, "seed \(random.seed): mirrors hardly ever resume")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `with one epoch for all runs of a file, mirrors are wrong, and this is seen`() async throws {
      let random = SeededGenerator.forFuzzing("runs of one epoch")
      var world = try World(random, .oneEpoch)
      while world.returns < 2_000, world.wrong < 20 { try await world.round() }
      print("runs of one epoch: \(world.wrong) wrong of \(world.returns) returns")
      #expect(world.wrong > 0, "seed \(random.seed)")
    }
  }
#endif

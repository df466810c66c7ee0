import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Edits that show on a mirror until it has them.
@Suite(.watched) struct OptimisticMirrorTests {
  private typealias Mirror = MirroredList<TestSection, TestRow>
  private typealias Message = WireMessage<TestSection, TestRow>
  private typealias List = OptimisticList<TestSection, TestRow>

  /// A position by a text: `e/5`.
  private static func at(_ text: String) throws -> ListPosition { try #require(ListPosition(text)) }

  /// A whole list with the runs that led to it.
  private static func whole(_ position: String, _ ids: [Int], after runs: [String] = []) throws -> Message {
    let position = try at(position)
    let lineage = try #require(Lineage(try runs.map(at)))
    return .initial(
      revision: position.revision, snapshot: try .of(("a", ids)), epoch: position.epoch, lineage: lineage)
  }

  /// Asks for a row that is answered at once. Returns when it is shown.
  private static func append(_ id: Int, to shown: List, until text: String) async throws -> Task<
    ListPosition, any Error
  > {
    let (position, gate) = (try at(text), Gate())
    let edit = Task {
      try await shown.editMirror(until: \.self) {
        try $0.append(TestRow(id), to: "a")
      } confirming: {
        await gate.open()
        return position
      }
    }
    await gate.pass()
    return edit
  }

  private static func ids(_ shown: List) async -> [Int] { await shown.snapshot.allRows.map(\.id) }

  /// The states of an edit that was confirmed at a position.
  private enum Fate { case had, lost, open }

  @Test(
    arguments: [
      // Where the mirror was at the answer, the position that the answer named, the message after it.
      ("e/5", "e/4", nil, .had), ("e/5", "e/5", nil, .had), ("e/5", "e/6", nil, .open), ("e/5", "f/5", nil, .open),
      ("e/5", "f/4", nil, .open),
      // A whole list of the same run, of a later run, of another list.
      ("e/5", "e/7", "e/7", .had), ("e/5", "e/9", "e/7", .open), ("e/5", "f/7", "e/6", .open),
      ("e/5", "f/7", "e/8", .open), ("e/5", "f/7", "f/8 after e/0 f/6", .had),
      ("e/5", "e/7", "f/8 after e/0 f/7", .had),
      ("e/5", "e/8", "f/8 after e/0 f/7", .lost), ("e/5", "f/7", "g/9 after e/0 f/6 g/7", .had),
      ("e/5", "f/8", "g/9 after e/0 f/6 g/7", .lost), ("e/5", "f/7", "g/9 after e/0 g/6", .lost),
      ("e/5", "e/6", "g/0", .lost), ("e/5", "f/7", "g/0", .lost), ("e/5", "f/0", "f/0", .had),
      // Differences to the next run, which name none between.
      ("e/5", "f/6", "f/6 since", .had), ("e/5", "f/8", "f/6 since", .open),
      ("e/5", "e/6", "f/6 since", .lost), ("e/5", "f/6", "g/6 since", .lost),
      // Nothing changes from here on.
      ("e/5", "e/6", "end", .lost), ("e/5", "f/6", "end", .lost),
      // A mirror that has no list yet.
      (nil, "e/5", nil, .open), (nil, "e/5", "e/4", .open), (nil, "e/5", "e/5", .had), (nil, "e/5", "f/6", .lost),
      (nil, "e/5", "f/6 after e/0 f/5", .had),
    ] as [(String?, String, String?, Fate)])
  private func `a position is reached in its run or in one that follows it, or never`(
    _ start: String?, _ target: String, _ next: String?, _ fate: Fate
  ) async throws {
    let mirror = Mirror(try .of(("a", [1])))
    let shown = List(mirror)
    if let start { try await mirror.receive(try Self.whole(start, [1])) }
    let edit = try await Self.append(2, to: shown, until: target)
    if let next {
      // The answer is known before the message: the call waits, or is over.
      await eventually { await mirror.store.waiterCount == 1 }
      let words = next.split(separator: " ").map(String.init)
      let (here, text) = (try Self.at(start ?? "e/0"), words[0])
      if text == "end" {
        try await mirror.receive(.end(revision: here.revision, updates: 1, epoch: here.epoch))
      } else if words.last == "since" {
        try await mirror.receive(.progress(try Self.at(text), since: here))
      } else {
        try await mirror.receive(try Self.whole(text, [1], after: Array(words.dropFirst(2))))
      }
    }
    switch fate {
    case .had: #expect(try await edit.value == Self.at(target))
    case .lost:
      let error = await #expect(throws: OptimisticListError.self) { try await edit.value }
      guard case .unknown(let position)? = error else { return }
      #expect(try position == Self.at(target))
      #expect(error?.description.contains("send it again") == true)
    case .open:
      await eventually { await mirror.store.waiterCount == 1 }
      #expect(await Self.ids(shown) == [1, 2])
      edit.cancel()
      await #expect(throws: CancellationError.self) { try await edit.value }
    }
    #expect(await Self.ids(shown) == [1])
    #expect(await mirror.store.waiterCount == 0)
  }

  @Test func `the end of a run is not the end of a list that is known to go on`() async throws {
    let mirror = Mirror()
    let shown = List(mirror)
    try await mirror.receive(try Self.whole("e/5", [1]))
    let edit = try await Self.append(2, to: shown, until: "f/6")
    await eventually { await mirror.store.waiterCount == 1 }
    try await mirror.receive(.progress(try Self.at("f/6"), since: try Self.at("e/6")))
    try await mirror.receive(.end(revision: 5, updates: 1, epoch: "e"))
    await eventually { await mirror.store.waiterCount == 1 }
    #expect(await Self.ids(shown) == [1, 2])
    try await mirror.receive(try Self.whole("f/6", [1], after: ["e/0", "f/5"]))
    #expect(try await edit.value == Self.at("f/6"))
  }

  @Test func `a mirror is never edited, and a store has no positions of a writer`() async {
    await #expect(processExitsWith: .failure) {
      let shown = List(Mirror(try .of(("a", [1]))))
      try await shown.edit({ try $0.append(TestRow(2), to: "a") }, confirming: {})
    }
    await #expect(processExitsWith: .failure) {
      let store = try TestStore.with([1])
      try await OptimisticList(store).editMirror(until: \.self) {
        try $0.append(TestRow(2), to: "a")
      } confirming: {
        await store.position
      }
    }
  }

  @Test(.enabled(if: Schedule.canSettle))
  func `whatever the transport and the server lose, a mirror shows its list with the pending edits, and no call hangs`()
    async
  {
    var random = SeededGenerator.forFuzzing("mirrored edits")
    var effects: Set<String> = []
    // The rarest effect is one of some tens of runs. It is waited for, unless this is a part of the rounds.
    let count = SeededGenerator.rounds(12, long: 30_000)
    var rounds = 0
    while rounds < count || count >= 60 && rounds < 20 * count && effects != MirroredEdits.allEffects {
      rounds += 1
      let seed = random.next()
      let run = await Schedule.run(seed: seed, settles: true) { () async -> (wrong: String?, effects: Set<String>) in
        do {
          let scene = try MirroredEdits(SeededGenerator(seed: seed))
          return (try await scene.play(60), scene.effects)
        } catch { return ("\(error)", []) }
      }
      let wrong = run.value.map { $0.wrong } ?? "stuck"
      #expect(wrong == nil, "seed \(random.seed), schedule \(seed): \(wrong ?? "")")
      effects.formUnion(run.value?.effects ?? [])
    }
    if count >= 60 { #expect(effects == MirroredEdits.allEffects) }
  }
}

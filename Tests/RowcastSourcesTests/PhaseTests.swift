import RowcastDiff
import RowcastModel
import RowcastSources
import RowcastStore
import RowcastTestSupport
import Testing

/// A section with a phase.
struct PhasedTestSection: PhasedSection {
  let id: String
  var phase = SectionPhase.idle
}

typealias PhasedStore = ListStore<PhasedTestSection, TestRow>

@Suite(.watched) struct PhaseTests {
  @Test func `a phase is diffed like any other content of a section, and the rows stay`() async throws {
    let store = PhasedStore()
    try await store.edit { list in
      try list.append(PhasedTestSection(id: "a"), rows: [TestRow(1)])
      try list.append(PhasedTestSection(id: "b"))
    }
    var updates = store.updates().makeAsyncIterator()
    _ = await updates.next()
    for phase in [SectionPhase.loading, .failed(message: "gone", retry: .onRequest), .loaded] {
      try await store.edit { try $0.setPhase(phase, of: "a") }
      let update = try #require(await updates.next())
      #expect(update.changes.sections.updates == [.init(from: 0, to: 0)])
      #expect(update.changes.count == 1)
      #expect(update.snapshot.section(at: 0).phase == phase)
    }
    #expect(await store.snapshot.rowCount == 1)
  }

  @Test func `the same phase again is no change`() async throws {
    let store = PhasedStore()
    try await store.edit { try $0.append(PhasedTestSection(id: "a", phase: .loading)) }
    try await store.edit { try $0.setPhase(.loading, of: "a") }
    #expect(await store.revision == 1)
  }

  @Test func `a loaded section without rows is empty`() async throws {
    let store = PhasedStore()
    try await store.edit { list in
      try list.append(PhasedTestSection(id: "a"), rows: [TestRow(1)])
      try list.append(PhasedTestSection(id: "b"))
      try list.markLoaded("a")
      try list.markLoaded("b")
    }
    #expect(await store.snapshot.section(at: 0).phase == .loaded)
    #expect(await store.snapshot.section(at: 1).phase == .empty)
    await #expect(throws: TestListError.unknownSection("c")) { try await store.edit { try $0.markLoaded("c") } }
  }
}

import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// What the engine promises itself: rules between its parts that no list shows each time when they are broken.
@Suite(.watched) struct EngineTests {
  @Test func `a value that arrives after a later one changes nothing`() {
    let state = UpstreamState<Int>()
    state.receive((1, revision: 1, isFinal: false))
    state.receive((3, revision: 3, isFinal: false))
    state.receive((2, revision: 2, isFinal: false))
    #expect(state.value == 3 && state.revision == 3)
    state.receive((3, revision: 3, isFinal: true))
    state.receive((3, revision: 3, isFinal: false))
    #expect(state.isFinal)
  }

  /// A source that is slow to answer, but for the first time.
  private actor SlowSource: Upstream {
    let gate = Gate()
    private(set) var reads = 0

    func value(after revision: Int?) async -> UpstreamValue<Int>? {
      reads += 1
      if reads > 1 { await gate.pass() }
      return revision == nil ? (0, 0, false) : nil
    }

    func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? { {} }
  }

  @Test func `nobody waits for the next change while one was read that the list does not have yet`() async throws {
    let store = try TestStore.with([0])
    let slow = SlowSource()
    let view = ViewCore<TestSection, TestRow> { upstreams in
      _ = upstreams.state(of: slow)
      return .reading(upstreams.state(of: store.core), list: { $0 })
    }
    let revision = await view.state().revision
    try await store.edit { try $0.append(TestRow(1), to: "a") }
    // The store is read first.
    let reader = Task { await view.state() }
    await eventually { await slow.reads == 2 }
    #expect(await view.enqueue(Signal(), after: revision) == nil)
    await slow.gate.open()
    let newest = await reader.value
    #expect(newest.snapshot.rowCount == 2)
    #expect(await view.enqueue(Signal(), after: newest.revision) != nil)
  }
}

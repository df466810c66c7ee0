import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastSources
@testable import RowcastStore

/// Loads and sources that would wait for themselves for ever; how one load waits for its own paging is driven by `PagingFuzz`.
@Suite(.watched) struct OwnTaskTests {
  private typealias Pages = Paging<PhasedTestSection, TestRow, String, Int>

  /// Gives a load the paging that it is of.
  private actor Own {
    private(set) var paging: Pages?
    func set(_ paging: Pages?) { self.paging = paging }
  }

  @Test func `loads of two pagings that wait for each other are refused`() async throws {
    let (first, second) = (Own(), Own())
    let store = PhasedStore()
    try await store.edit { for id in ["a", "b"] { try $0.append(PhasedTestSection(id: id)) } }
    let pagings = [(first, second, "a"), (second, first, "b")].map { _, other, section in
      Pages(store, section: section, query: "x") { _, _ in
        await other.paging?.demand()
        return .init(rows: [TestRow(section == "a" ? 1 : 2)], next: nil)
      }
    }
    await first.set(pagings[0])
    await second.set(pagings[1])
    await pagings[0].demand()
    #expect(await pagings[0].failure as? PagingError == .requestedByItsOwnLoad)
    #expect(await pagings[1].failure == nil)
    #expect(await store.snapshot.allRows.map(\.id) == [1, 2])
    await first.set(nil)
    await second.set(nil)
  }

  @Test func `a source that waits for its own end is told at once that it cannot`() async throws {
    let bindings = AsyncStream.makeStream(of: SourceBinding.self)
    let store = PhasedStore()
    let binding = store.attach {
      for await binding in bindings.stream {
        guard case .failed(let error) = await binding.outcome else { break }
        throw error
      }
      return AsyncStream<Int> { $0.finish() }
    } apply: { _, _ in
    }
    bindings.continuation.yield(binding)
    bindings.continuation.finish()
    #expect(await binding.outcome.error as? SourceBindingError == .awaitedByItsOwnSource)
  }
}

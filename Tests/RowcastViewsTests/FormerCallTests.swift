import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// A list with calls that are deprecated, as requirements that are not.
protocol FormerlyRearranged<Section, Row>: Sendable {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel

  func rearrangeFormerly<SourceSection, SourceRow>(
    by plan: Arrangement<SourceSection, SourceRow, Section, Row>) async
  func rearrangeFormerly(
    _ declare: (Arrangement<Section, Row, Section, Row>) -> Arrangement<Section, Row, Section, Row>) async
}

extension ArrangedList: FormerlyRearranged {
  @available(*, deprecated)
  func rearrangeFormerly<SourceSection, SourceRow>(
    by plan: Arrangement<SourceSection, SourceRow, Section, Row>
  ) async { await rearrange(by: plan) }

  @available(*, deprecated)
  func rearrangeFormerly(
    _ declare: (Arrangement<Section, Row, Section, Row>) -> Arrangement<Section, Row, Section, Row>
  ) async { await rearrange(by: declare) }
}

/// A list whose deprecated calls give no warnings.
func formerly<List: FormerlyRearranged>(
  _ list: List
) -> some FormerlyRearranged<List.Section, List.Row> { list }

/// Calls that are deprecated, until they are removed.
@Suite(.watched) struct FormerCallTests {
  private typealias Plan = Arrangement<SoleSection, TestRow, SoleSection, TestRow>

  @Test func `a list is rearranged by a function, or by a value with the types of its source, in one update`()
    async throws
  {
    let store = try ListStore((0..<6).map { TestRow($0) })
    let same = store.arranged { $0.filter { $0.id > 2 } }
    let other = store.arranged { $0.sectioned(by: { $0.id % 2 }) { TestSection("\($0)") } }
    var updates = other.updates().makeAsyncIterator()
    #expect(await updates.next()?.snapshot.sectionCount == 2)
    await formerly(same).rearrangeFormerly { $0.sorted(by: .descending(\.id)).window(.first(2)) }
    await formerly(other).rearrangeFormerly(by: Plan().sectioned(by: { $0.id % 3 }) { TestSection("\($0)") })
    #expect(await same.snapshot.allRows.map(\.id) == [5, 4])
    let update = try #require(await updates.next())
    #expect(update.snapshot.sectionCount == 3 && update.changes.sections.inserts.count == 1)
    await store.finish()
    #expect(await updates.next() == nil)
  }

  @Test func `a list whose arrangement is a parameter sets that`() async throws {
    let (store, plan) = (try ListStore((0..<4).map { TestRow($0) }), Parameter(Plan()))
    let (list, other) = (store.arranged(by: plan), store.arranged(by: plan))
    await formerly(list).rearrangeFormerly { $0.filter { $0.id == 3 } }
    #expect(await list.snapshot == other.snapshot)
    #expect(await other.snapshot.allRows.map(\.id) == [3])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list that is not arranged, or from rows of other types, is not rearranged`() async {
    await #expect(processExitsWith: .failure) {
      await formerly(MergedList(ListStore<SoleSection, TestRow>())).rearrangeFormerly { $0 }
    }
    await #expect(processExitsWith: .failure) {
      let list = ListStore<SoleSection, TestRow>().arranged { $0.sectioned(by: \.text) { TestSection($0) } }
      await formerly(list).rearrangeFormerly { $0 }
    }
  }
}

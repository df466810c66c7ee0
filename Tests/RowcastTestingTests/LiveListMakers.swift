import Foundation
import RowcastModel
import RowcastSources
import RowcastStore
import RowcastTestSupport
import RowcastTesting
import RowcastViews

/// The lists that keep the promises.
extension LiveListPromiseTests {
  static let archive = "the list of an archive"
  static let makers = [
    Maker("a store", resumed: { $0.updates(since: $1) }) { (store, _) in store },
    Maker("a store of a space", in: ListSpace(), resumed: { $0.updates(since: $1) }) { (store, _) in store },
    Maker("an arranged list") { store, _ in
      store.arranged { $0.filter { $0.id > 0 }.sorted(by: \.text) }
    } as: { list, _ in
      list.mapped { $0.filter { $0.id > 0 }.sorted { $0.text < $1.text } }
    },
    Maker("an arranged list of an arranged list") { store, _ in
      store.arranged { $0.sectioned(by: \.text) { TestSection($0) } }.arranged { $0.sorted(by: \.id) }
    } as: { list, _ in
      let rows = list.parts.flatMap(\.rows)
      var sections = Model()
      for text in Set(rows.map(\.text)).sorted() {
        let own = rows.filter { $0.text == text }.sorted { $0.id < $1.id }
        sections.parts.append(.init(section: TestSection(text), rows: own))
      }
      return sections
    },
    Maker("rows with neighbours, backwards") { store, _ in
      store.arranged {
        $0.reversed().withNeighbours().map {
          TestRow($0.id, "\($0.previous?.text ?? "-")\($0.row.text)\($0.next?.text ?? "-")")
        }
      }
    } as: { list, _ in
      var reversed = list.mapped { rows in
        let rows = Array(rows.reversed())
        return rows.indices.map { index in
          let (previous, next) = (rows[..<index].last?.text ?? "-", rows[(index + 1)...].first?.text ?? "-")
          return TestRow(rows[index].id, previous + rows[index].text + next)
        }
      }
      reversed.parts.reverse()
      return reversed
    },
    Maker("recent rows") { store, _ in
      store.arranged { $0.recent({ $0.id > 0 ? .infinity : -.infinity }, within: .seconds(1), now: { 0.0 }) }
    } as: { list, _ in
      list.mapped { $0.filter { $0.id > 0 } }
    },
    Maker("an outline") { store, _ in
      store.arranged {
        $0.outlined(parent: { $0.id > 4 ? $0.id / 2 : nil }, expansion: OutlineExpansion()) { row, _ in row }
      }
    } as: { list, _ in
      let ids = Set(list.parts.flatMap { $0.rows.map(\.id) })
      func parent(_ row: TestRow) -> Int? { row.id > 4 && ids.contains(row.id / 2) ? row.id / 2 : nil }
      let all = list.parts.flatMap(\.rows)
      func subtree(_ row: TestRow) -> [TestRow] { [row] + all.filter { parent($0) == row.id }.flatMap(subtree) }
      return list.mapped { $0.filter { parent($0) == nil }.flatMap(subtree) }
    },
    Maker(testDescription: "a searched list", definition: { list, _ in list.mapped { $0.filter { $0.id > 0 } } }) {
      let (store, query) = (try TestStore.with([1]), Parameter(0))
      let list = store.arranged { $0.filter(by: query) { $0.id > $1 } }
      return Made(list: AnyTestList(list), store: store, other: try .with([1])) {
        await store.finish()
        query.finish()
      }
    },
    Maker(
      testDescription: "a list with an arrangement that was exchanged",
      definition: { list, _ in list.mapped { $0.filter { $0.id > 0 } } }
    ) {
      let plan = Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>().sorted(by: .descending(\.id)))
      let store = try TestStore.with([1])
      let list = store.arranged(by: plan)
      _ = await list.snapshot
      await plan.set(.init().filter { $0.id > 0 })
      return Made(list: AnyTestList(list), store: store, other: try .with([1])) {
        await store.finish()
        plan.finish()
      }
    },
    Maker("a merged list") { store, other in
      MergedList(store, other)
    } as: {
      .merging([$0, $1], prefersLast: false)
    },
    Maker("a joined list") { store, other in
      store.joined(with: other, on: \.id) { row, partner in TestRow(row.id, row.text + partner.text) }
    } as: { list, other in
      let partners = other.parts.flatMap(\.rows)
      return list.mapped { rows in
        rows.compactMap { row in
          partners.first { $0.id == row.id }.map { TestRow(row.id, row.text + $0.text) }
        }
      }
    },
    Maker("a join with many") { store, other in
      store.joined(withMany: other, on: { $0.id / 2 }, sortedBy: .descending(\.id)) { row, others in
        TestRow(row.id, others.reduce(row.text) { $0 + $1.text })
      }
    } as: { list, other in
      let others = other.parts.flatMap(\.rows).sorted { $0.id > $1.id }
      return list.mapped { rows in
        rows.map { row in TestRow(row.id, others.filter { $0.id / 2 == row.id }.reduce(row.text) { $0 + $1.text }) }
      }
    },
    Maker("a join with summaries") { store, other in
      store.joined(withMany: other, on: { $0.id / 2 }, summary: .count, .max(\.id)) { row, count, last in
        TestRow(row.id, "\(row.text) \(count) \(last ?? 0)")
      }
    } as: { list, other in
      let others = other.parts.flatMap(\.rows)
      return list.mapped { rows in
        rows.map { row in
          let own = others.filter { $0.id / 2 == row.id }.map(\.id)
          return TestRow(row.id, "\(row.text) \(own.count) \(own.max() ?? 0)")
        }
      }
    },
    Maker("parents") { store, other in
      store.intersecting(other, on: { $0.id > 0 ? $0.id : nil })
    } as: { list, other in
      let ids = other.parts.flatMap { $0.rows.map(\.id) }.filter { $0 > 0 }
      return list.mapped { $0.filter { ids.contains($0.id) } }
    },
    Maker("elements of rows") { store, _ in
      store.flatMap { row in (0...row.id % 2).map { TestRow(row.id + 1_000 * $0, row.text) } }
    } as: { list, _ in
      list.mapped { $0.flatMap { row in (0...row.id % 2).map { TestRow(row.id + 1_000 * $0, row.text) } } }
    },
    Maker("rows that need no values") { store, _ in
      store.loading({ _ in Int?.none }) {
        $0
      } row: {
        TestRow($0.id, $0.text + ($1.isPending ? "…" : ""))
      }
    } as: { list, _ in
      list
    },
    Maker("groups as rows") { store, _ in
      store.arranged {
        $0.sectioned(by: { $0.id % 3 }, summary: .merging({ [$0.id: $0.text] }, by: { $0.merging($1) { $1 } })) {
          KeyedGroup(id: $0, text: KeyedGroup.text($1 ?? [:]))
        }
      }.asRows { TestRow($0.id, $0.text) }.arranged { $0.sectioned(by: \.text) { TestSection($0) } }
    } as: { list, _ in
      var sections = Model()
      let groups = Dictionary(grouping: list.parts.flatMap(\.rows)) { $0.id % 3 }
        .mapValues { KeyedGroup.text(Dictionary(uniqueKeysWithValues: $0.map { ($0.id, $0.text) })) }
      for text in Set(groups.values).sorted() {
        let own = groups.keys.sorted().filter { groups[$0] == text }
        sections.parts.append(.init(section: TestSection(text), rows: own.map { TestRow($0, text) }))
      }
      return sections
    },
    Maker(testDescription: "a chosen list", definition: { list, _ in list }) {
      let store = try TestStore.with([1])
      let choice = Parameter<any LiveList<TestSection, TestRow>>(TestStore())
      let list = Switched(choice)
      _ = await list.snapshot
      await choice.set(store)
      return Made(list: AnyTestList(list), store: store, other: try .with([1])) {
        await store.finish()
        choice.finish()
      }
    },
    Maker(
      testDescription: "a merged list of chosen ones", definition: { .merging([$0, $1], prefersLast: false) }
    ) {
      let (store, other) = (try TestStore.with([1]), try TestStore.with([1]))
      let choice = Parameter<[any LiveList<TestSection, TestRow>]>([TestStore(), other, store])
      let list = MergedList(of: choice)
      _ = await list.snapshot
      await choice.set([store, other])
      return Made(list: AnyTestList(list), store: store, other: other) {
        await store.finish()
        await other.finish()
        choice.finish()
      }
    },
    Maker(testDescription: "a store that follows a list", definition: { list, _ in list }) {
      let store = try TestStore.with([1])
      let copy = TestStore(following: store, history: .last(100))
      @Sendable func follow() async {
        // It waits for the store again, unless both have ended. Comparing the lists would count as work.
        await eventually {
          if await store.waiterCount == 1 { return true }
          return (try? await copy.edit { _ in }) == nil
        }
      }
      await follow()
      var made = Made(list: AnyTestList(copy), store: store, other: try .with([1]), update: follow) {
        await store.finish()
      } resumed: {
        copy.updates(since: $0)
      }
      (made.waitingRoom, made.hasTask) = (copy, true)
      return made
    },
    Maker("an optimistic list") { store, _ in OptimisticList(store) },
    Maker(testDescription: "a mirror", definition: { list, _ in list }) {
      let (store, mirror) = (try TestStore.with([1]), MirroredList<TestSection, TestRow>())
      @Sendable func send() async throws {
        if let message = await store.message(since: mirror.position) { try await mirror.receive(message) }
      }
      try await send()
      var made = Made(list: AnyTestList(mirror), store: store, other: try .with([1]), update: send) {
        await mirror.store.finish()
      }
      made.waitingRoom = mirror.store
      return made
    },
    Maker(testDescription: archive, definition: { list, _ in list }) {
      let path = NSTemporaryDirectory() + UUID().uuidString
      // The task that writes the file compares rows at any time: this is not the work of an edit or a read.
      let archive = try TestRow.$onComparison.withValue(nil) {
        try ListArchive<TestSection, TestRow>(at: path, startingWith: try .of(("a", [1])), history: .last(1_000)) {
          try JSONEncoder().encode($0)
        } decode: {
          try JSONDecoder().decode(WireMessage.self, from: Data($0))
        }
      }
      let store = try archive.open()
      return Made(list: AnyTestList(archive), store: store, other: try .with([1])) {
        try await archive.flush()
      } end: {
        try await archive.close()
        await store.finish()
        try FileManager.default.removeItem(atPath: path)
      } resumed: {
        store.updates(since: $0)
      }
    },
  ]
}

extension LiveListPromiseTests.Maker {
  /// A list that is made of two stores, and equal to the first one unless it is defined in another way.
  init(
    _ name: String, in space: @autoclosure @escaping @Sendable () -> ListSpace = ListSpace(),
    resumed: (@Sendable (TestStore, ListPosition) -> AsyncStream<TestUpdate>)? = nil,
    _ make: @escaping @Sendable (TestStore, TestStore) -> some LiveList<TestSection, TestRow>,
    as definition:
      @escaping @Sendable (LiveListPromiseTests.Model, LiveListPromiseTests.Model) -> LiveListPromiseTests.Model = {
        list, _ in list
      }
  ) {
    self.init(testDescription: name, definition: definition) {
      let space = space()
      let start = try TestSnapshot.of(("a", [1]))
      let (store, other) = (space.store(start, history: .last(1_000)), space.store(start))
      var made = LiveListPromiseTests.Made(list: AnyTestList(make(store, other)), store: store, other: other) {
        await store.finish()
        await other.finish()
      }
      if let resumed { made.resumed = { resumed(store, $0) } }
      return made
    }
  }
}

extension NaiveList<TestSection, TestRow> {
  /// The list with other rows in its sections.
  fileprivate func mapped(_ transform: ([TestRow]) -> [TestRow]) -> NaiveList {
    var list = self
    for index in list.parts.indices { list.parts[index].rows = transform(list.parts[index].rows) }
    return list
  }
}

/// A section that shows all of its rows.
private struct KeyedGroup: SectionViewModel {
  let id: Int
  var text: String

  static func text(_ rows: [Int: String]) -> String {
    rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ",")
  }
}

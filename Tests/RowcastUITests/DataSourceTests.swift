import Testing

@testable import RowcastUI
@testable import RowcastUIKit

/// What the data sources of UIKit and AppKit do, apart from their views.
@MainActor @Suite(.watched) struct DataSourceTests {
  private typealias Core = DataSourceCore<TestSection, TestRow>
  private struct Refused: Error {}

  /// A data source of a view that does not animate.
  private func shown(_ list: some LiveList<TestSection, TestRow>) async -> (core: Core, view: StrictView) {
    let view = StrictView()
    view.animates = false
    let core = Core(BatchDriver(view))
    view.data = { [weak core] in core?.driver.snapshot ?? TestSnapshot() }
    core.follow(list)
    let count = await list.snapshot.rowCount
    await eventually { core.driver.snapshot.rowCount == count }
    return (core, view)
  }

  /// A person drags the first row behind the third one.
  private func drag(_ view: StrictView, _ core: Core) {
    let (from, to) = (RowPath(section: 0, row: 0), RowPath(section: 0, row: 2))
    view.drag(from: from, to: to)
    core.viewDidMove(from: from, to: to)
  }

  @Test func `a row whose move is refused, or changes nothing that is shown, returns to its place`() async throws {
    let store = try TestStore.with([1, 2, 3])
    let (core, view) = await shown(store.arranged { $0.sorted(by: \.id) })
    var failures = 0
    core.onFailure = { _ in failures += 1 }
    for number in 0..<2 {
      if number == 0 { core.onMove = { _ in throw Refused() } } else { core.edit(store) }
      drag(view, core)
      #expect(core.driver.snapshot.allRows.map(\.id) == [2, 3, 1], "\(number)")
      await eventually { core.driver.snapshot.allRows.map(\.id) == [1, 2, 3] }
      #expect(view.shown == NaiveList(core.driver.snapshot))
    }
    #expect(failures == 1)
    #expect(await store.snapshot.allRows.map(\.id) == [2, 3, 1])
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `a data source is let go while a move is being made`() async throws {
    let store = try TestStore.with([1, 2, 3])
    weak var former: Core?
    let (begun, end) = (Signal(), Signal())
    await {
      let (core, view) = await shown(store)
      former = core
      core.onMove = { _ in
        begun.send()
        _ = await end.wait()
      }
      drag(view, core)
      _ = await begun.wait()
    }()
    await eventually { former == nil }
    end.send()
  }

  @Test func `rows that are selected stay so when the view is reloaded`() async throws {
    let store = try TestStore.with([1, 2, 3, 4])
    let (core, view) = await shown(store)
    // As AppKit has them: by their places.
    var selected = [RowPath(section: 0, row: 1), RowPath(section: 0, row: 3), RowPath(section: 7, row: 0)]
    core.keepSelection(read: { selected }, select: { selected = $0 })
    view.isInWindow = false
    try await store.edit {
      try $0.insert(TestRow(9), at: RowPath(section: 0, row: 0))
      try $0.remove(4)
    }
    while view.reloadCount < 2 { await Task.yield() }
    #expect(selected == [RowPath(section: 0, row: 2)])
    // Nothing is left of it.
    try await store.edit { try $0.remove(2) }
    while view.reloadCount < 3 { await Task.yield() }
    #expect(selected.isEmpty)
    #expect(view.shown == NaiveList(try .of(("a", [9, 1, 3]))))
  }

  @Test func `a row that is swiped leaves with the update of the store, and stays if that is refused`() async throws {
    let store = try TestStore.with([1, 2, 3])
    let (core, view) = await shown(store)
    core.edit(store)
    core.delete([2])
    let swiped = try TestSnapshot.of(("a", [1, 3]))
    await eventually { view.shown == NaiveList(swiped) }
    var failures: [String] = []
    core.onFailure = { failures.append("\($0)") }
    await store.finish()
    core.delete([3]) { failures.append("stays") }
    while failures.count < 2 { await Task.yield() }
    #expect(failures == ["\(ListStoreError.finished)", "stays"])
    #expect(view.shown == NaiveList(try .of(("a", [1, 3]))))
  }

  @Test func `rows that are dropped between rows of a flat view are between what is shown there`() throws {
    let list = try TestSnapshot.of(("a", [1, 2, 3]), ("b", []), ("c", [4]))
    func drop(_ ids: [Int], _ index: Int, hasHeaders: Bool = true) -> RowMove<String, Int>? {
      RowMove(dropping: ids, above: index, in: FlatLayout(list, hasHeaders: hasHeaders), of: list)
    }
    // a 1 2 3 b c 4
    #expect(drop([4], 0) == nil)
    #expect(drop([4], 1) == RowMove([4], in: "a", after: nil, before: 1))
    #expect(drop([2, 1], 3) == RowMove([2, 1], in: "a", after: nil, before: 3))
    #expect(drop([3], 5) == RowMove([3], in: "b", after: nil, before: nil))
    #expect(drop([1], 7) == RowMove([1], in: "c", after: 4, before: nil))
    #expect(drop([1], 8) == nil)
    #expect(drop([4], 0, hasHeaders: false) == RowMove([4], in: "a", after: nil, before: 1))
    #expect(drop([4], 3, hasHeaders: false) == RowMove([4], in: "a", after: 3, before: nil))
  }

  @Test func `the layout of a flat view is made once for a list`() throws {
    let driver = BatchDriver<TestSection, TestRow>(flat: StrictFlatView(hasHeaders: true), hasHeaders: true)
    func storage() -> Int { unsafe driver.layout.starts.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
    driver.apply(try .of(("a", [1, 2]), ("b", [3])))
    let first = storage()
    #expect(first == storage())
    #expect(driver.layout == FlatLayout(driver.snapshot, hasHeaders: true))
    driver.apply(try .of(("a", [1]), ("b", [3])))
    #expect(driver.layout == FlatLayout(driver.snapshot, hasHeaders: true))
    #expect(driver.layout.count == 4)
  }

  @Test(arguments: [-1, 3])
  func `a row that a flat view does not have is a bug of the caller, whose index is in the message`(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      _ = FlatLayout(try TestSnapshot.of(("a", [1, 2])), hasHeaders: true)[index]
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Row \(index) is out of range 0..<3"), "\(words)")
  }
}

/// The steps of a view of trees.
@Suite struct OutlineTreeTests {
  private typealias Tree = OutlineTree<Int>
  private typealias Outline = [(id: Int, depth: Int, isExpanded: Bool)]

  /// A view of trees. It keeps the children of expanded rows, and asks the tree for the children of newly expanded rows.
  private struct View: Equatable {
    var children: [Int?: [Int]] = [:]
    var expanded: Set<Int> = []

    mutating func close(_ id: Int) {
      expanded.remove(id)
      for child in children.removeValue(forKey: id) ?? [] { close(child) }
    }

    /// Makes the steps. Throws what is wrong with them.
    mutating func take(_ steps: Tree.Steps, to tree: Tree) throws {
      for id in steps.collapsed {
        try Mismatch.unless(expanded.contains(id), "\(id) is not expanded")
        close(id)
      }
      for step in steps.removals {
        for index in step.indexes.reversed() {
          try Mismatch.unless(children[step.parent]?.indices.contains(index) == true, "nothing at \(index) of \(step)")
          close(children[step.parent, default: []].remove(at: index))
        }
      }
      for step in steps.insertions {
        try Mismatch.unless(step.parent.map(expanded.contains) ?? true, "\(step) is in a row that is closed")
        let now = tree.children(of: step.parent)
        for index in step.indexes {
          let isPlace = index <= children[step.parent, default: []].count && now.indices.contains(index)
          try Mismatch.unless(isPlace, "no place \(index) in \(step)")
          try Mismatch.unless(!children.values.contains { $0.contains(now[index]) }, "\(now[index]) is twice")
          children[step.parent, default: []].insert(now[index], at: index)
        }
      }
      for id in steps.expanded {
        try Mismatch.unless(children.values.contains { $0.contains(id) }, "\(id) is expanded and not there")
        try Mismatch.unless(expanded.insert(id).inserted, "\(id) is expanded twice")
        children[id] = tree.children(of: id)
      }
    }
  }

  /// What a view shows, from the top.
  private func shown(_ view: View) -> [String] {
    func lines(_ parent: Int?, _ depth: Int) -> [String] {
      (view.children[parent] ?? []).flatMap {
        ["\(depth) \($0)"] + (view.expanded.contains($0) ? lines($0, depth + 1) : [])
      }
    }
    return lines(nil, 0)
  }

  private func outline(using random: inout SeededGenerator) -> Outline {
    var parents: [Int: Int?] = [:]
    for id in (0..<10) where Bool.random(using: &random) {
      parents[id] = id == 0 ? nil : Int.random(in: -2..<id, using: &random)
    }
    func rows(_ parent: Int?, _ depth: Int) -> Outline {
      let here = parents.keys.sorted().filter { id in
        let named = parents[id].flatMap { $0 }.flatMap { parents.keys.contains($0) ? $0 : nil }
        return named == parent
      }.shuffled(using: &random)
      return here.flatMap { id in
        let isExpanded = Bool.random(using: &random)
        return [(id, depth, isExpanded)] + (isExpanded ? rows(id, depth + 1) : [])
      }
    }
    return rows(nil, 0)
  }

  @Test func `the steps from any outline to any other lead a view of trees there`() {
    var random = SeededGenerator.forFuzzing("outline steps")
    var (view, tree) = (View(), Tree())
    for round in 0..<SeededGenerator.rounds(600, long: 1_000_000) {
      let rows = outline(using: &random)
      let next = Tree(rows)
      let note = Comment(rawValue: "seed \(random.seed), round \(round)")
      #expect(throws: Never.self, note) { try view.take(tree.steps(to: next), to: next) }
      #expect(shown(view) == rows.map { "\($0.depth) \($0.id)" }, note)
      tree = next
    }
  }

  @Test func `a row of an outline that is as it was takes no step`() {
    let rows: Outline = [(1, 0, true), (2, 1, false), (3, 1, true), (4, 2, false), (5, 0, false)]
    #expect(Tree(rows).steps(to: Tree(rows)) == Tree.Steps())
    let fewer = rows.filter { $0.id != 4 }
    #expect(
      Tree(rows).steps(to: Tree(fewer))
        == Tree.Steps(collapsed: [], removals: [.init(parent: 3, indexes: [0])], insertions: [], expanded: []))
  }
}

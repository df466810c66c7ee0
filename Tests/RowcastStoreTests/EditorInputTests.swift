private struct Reading: RowViewModel {
  let id: Double
  var name = "cpu"
  var load: Double?
}

/// What is given to a transaction: ids, sequences, updates of other lists.
@Suite(.watched) struct EditorInputTests {
  private struct Station: SectionViewModel { let id: Double }

  private typealias Editor = ListEditor<Station, Reading>

  @Test func `ids that are not equal to themselves are refused by every operation`() async throws {
    let store = ListStore(try ListSnapshot([ListSection(Station(id: 1), rows: [Reading(id: 1)])]))
    let nan = Reading(id: .nan)
    let end = RowPath(section: 0, row: 1)
    let operations: [(RowPath, @Sendable (inout Editor) throws -> Void)] = [
      (end, { try $0.append(nan, to: 1) }),
      (end, { try $0.append(contentsOf: [nan, nan], to: 1) }),
      (RowPath(section: 0, row: 0), { try $0.insert(nan, at: RowPath(section: 0, row: 0)) }),
      (RowPath(section: 0, row: 0), { try $0.insert(nan, at: 0, in: 1) }),
      (end, { try $0.insert(contentsOf: [nan], at: RowPath(section: 0, row: 1)) }),
      (end, { try $0.upsert(nan, to: 1) }), (end, { try $0.upsert(nan) }),
      (RowPath(section: 0, row: 1), { try $0.replaceRows(in: 1, with: [Reading(id: 1), nan]) }),
      (RowPath(section: 1, row: 0), { try $0.append(Station(id: 2), rows: [nan]) }),
    ]
    for (index, (path, operation)) in operations.enumerated() {
      await #expect(throws: Editor.Failure.nonReflexiveRowID("nan", at: path), "operation \(index)") {
        try await store.edit(operation)
      }
    }
    await #expect(throws: Editor.Failure.nonReflexiveSectionID("nan", at: 1)) {
      try await store.edit { try $0.append(Station(id: .nan)) }
    }
    await #expect(throws: Editor.Failure.nonReflexiveSectionID("nan", at: 1)) {
      try await store.edit { try $0.upsert(Station(id: .nan)) }
    }
    await #expect(throws: Editor.Failure.self) { try await store.edit { try $0.update(1) { $0 = nan } } }
    let set = ListStore<SoleSection, Reading>()
    await #expect(throws: (any Error).self) { try await set.edit { try $0.upsert(nan) } }
    #expect(await set.snapshot == (await ListStore<SoleSection, Reading>().snapshot))
    #expect(await store.revision == 0)
    #expect(await store.snapshot.rowCount == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `rows of a lazy collection are made once`() async throws {
    let store = try TestStore.with([])
    let calls = CallCount()
    try await store.edit { list in
      let rows = (0..<1_000).lazy.map { id in
        _ = calls.note(id)
        return TestRow(id)
      }
      try list.append(contentsOf: rows, to: "a")
      #expect(calls.value == 1_000)
      try list.insert(contentsOf: rows.filter { $0.id < 0 }, at: RowPath(section: 0, row: 0))
      #expect(calls.value == 2_000)
      try list.replaceRows(in: "a", with: rows.reversed())
      #expect(calls.value == 3_000)
    }
    #expect(await store.snapshot.row(at: RowPath(section: 0, row: 0)).id == 999)
  }

  @Test func `an update that does not fit the list is refused, and the list is as it was`() async throws {
    let store = try TestStore.with([1, 2])
    let before = await store.snapshot
    let path = RowPath(section: 0, row: 0)
    let wrong: [(ListChanges, TestSnapshot)] = [
      (ListChanges(rows: Changeset(deletes: [RowPath(section: 0, row: 7)])), before),
      (ListChanges(rows: Changeset(inserts: [RowPath(section: 0, row: 7)])), before),
      (ListChanges(rows: Changeset(inserts: [RowPath(section: 3, row: 0)])), before),
      (ListChanges(sections: Changeset(inserts: [4])), before),
      (ListChanges(rows: Changeset(inserts: [path])), before),
      (ListChanges(rows: Changeset(updates: [.init(from: path, to: path)])), try TestSnapshot.of(("a", [9, 2]))),
    ]
    for (index, (changes, after)) in wrong.enumerated() {
      let update = TestUpdate(revision: 1, previous: 0, changes: changes, snapshot: after)
      await #expect(throws: TestListError.self, "update \(index)") { try await store.edit { try $0.apply(update) } }
      #expect(await store.snapshot == before)
      #expect(await store.revision == 0)
    }
  }
}

/// Rows whose content is not equal to itself, because it contains a NaN.
@Suite(.watched) struct UnequalContentTests {
  private typealias Store = ListStore<SoleSection, Reading>

  private static func readings(_ names: String...) -> [Reading] {
    names.enumerated().map { Reading(id: Double($0.offset), name: $0.element, load: .nan) }
  }

  @Test func `the same content made again is no change, and an edit of one row updates this row alone`() async throws {
    let store = try Store(Self.readings("a", "b", "c"))
    for _ in 0..<10 { try await store.set(Self.readings("a", "b", "c")) }
    try await store.replace(with: await Store(Self.readings("a", "b", "c")).snapshot)
    try await store.edit { try $0.update(1) { $0.load = .nan } }
    #expect(await store.revision == 0)
    let (list, again) = (await store.snapshot, try await Store(Self.readings("a", "b", "c")).snapshot)
    #expect(list == again)
    var updates = store.updates().makeAsyncIterator()
    _ = await updates.next()
    let path = RowPath(section: 0, row: 1)
    for load in [Double.nan, 1, .nan] {
      try await store.set(Self.readings("a", "\(load)", "c"))
      try await store.edit { try $0.update(1) { $0.load = load } }
      #expect(await updates.next()?.changes.rows == Changeset(updates: [.init(from: path, to: path)]))
    }
  }
}

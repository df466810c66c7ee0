import Testing

/// Arranged lists as those see them who exchange arrangements.
@Suite(.watched) struct ArrangedListTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `operators that two arrangements have in common go on where they are`() async throws {
    typealias Plan = Arrangement<TestSection, TestRow, TestSection, TestRow>
    let (store, calls) = (try TestStore.with(Array(0..<100)), CallCount())
    func mapped() -> Plan { Plan().map { calls.note(TestRow($0.id, "seen")) } }
    let (first, other) = (mapped(), mapped())
    let plans = (3...5).map { count in first.sectioned(by: { $0.id % count }, section: { TestSection("\($0)") }) }
    let plan = Parameter(plans[0])
    let view = store.arranged(by: plan)
    // Also after an arrangement that is the same as a whole.
    for number in [0, 1, 1, 2] {
      await plan.set(plans[number])
      #expect(await view.snapshot.sectionCount == number + 3)
    }
    #expect(calls.value == 100)
    await plan.set(other.sectioned(by: { _ in 0 }, section: { _ in TestSection("0") }))
    #expect(await view.snapshot.sectionCount == 1)
    #expect(calls.value == 200)
  }
}

/// Rows that become others, and rows that fail.
@Suite(.watched) struct ArrangedRowTests {
  @Test(arguments: [RigSize.small, .large])
  func `a row whose mapping throws keeps what it was, if that is wanted, as long as it is there`(_ size: RigSize) throws
  {
    var random = SeededGenerator.forFuzzing("rows that keep what they were")
    for _ in 0..<SeededGenerator.rounds(12, long: 4_000) {
      let rig = ArrangedRig(SeededGenerator(seed: random.next()), size: size) { $0 }
      let list = rig.source.arranged(
        by: Arrangement().map(onFailure: .keepLast) { card in
          if card.b % 3 == 0 { throw Card<Int>.Trouble(b: card.b) }
          return card
        })
      var last: [Int: Card<Int>] = [:]
      for event in 0..<40 {
        for _ in 0..<rig.int(1..<6) { rig.edit() }
        rig.draft.commit()
        _ = list.update()
        let model = NaiveList(rig.draft.snapshot)
        let kept = model.rows.compactMap { $0.b % 3 == 0 ? last[$0.id] : $0 }
        last = Dictionary(uniqueKeysWithValues: kept.map { ($0.id, $0) })
        let expected = model.mapped { $0.compactMap { last[$0.id] } }
        try #require(NaiveList(list.snapshot) == expected, "seed \(random.seed), event \(event)")
        let failing = model.rows.filter { $0.b % 3 == 0 }.map(\.id)
        #expect(Set(list.failures.keys) == Set(failing), "seed \(random.seed), event \(event)")
      }
    }
  }

  @Test func `a mapping to another id, or one that is not equal to itself, is a failure of that row`() async throws {
    struct Reading: RowViewModel { let id: Double }
    let store = try TestStore.with([0, 1])
    let view = store.arranged { $0.map { TestRow($0.id * 10, $0.text) } }
    #expect(await view.snapshot.allRows.map(\.id) == [0])
    #expect(await view.failures[1] as? TestListError == .changedRowID(from: 1, to: 10))
    // The list in which an error is shown checks the row that shows it as well.
    let shown = store.arranged {
      $0.map(onFailure: .show { row, _ in TestRow(7, row.text) }) { _ -> TestRow in throw Card<Int>.Trouble(b: 0) }
    }
    #expect(await shown.snapshot.rowCount == 0)
    #expect(await shown.failures[0] as? TestListError == .changedRowID(from: 0, to: 7))
    let numbers = try ListStore([Reading(id: 1), Reading(id: 2)]).arranged {
      $0.map { $0.id == 1 ? Reading(id: .nan) : $0 }
    }
    #expect(await numbers.snapshot.allRows.map(\.id) == [2])
    let failure = try #require(await numbers.failures[1] as? ListError<Int, Double>)
    #expect(failure.description.contains("nan"))
  }
}

import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastUI

/// Edits that the view has performed before the driver knows of them.
@MainActor
@Suite(.watched) struct PerformedEditTests {
  @Test func `an edit that the view has performed is not performed again`() throws {
    var driven = DrivenView(try .of(("a", [1, 2, 3])))
    let cells = driven.view.parts[0].cells
    driven.view.drag(from: RowPath(section: 0, row: 0), to: RowPath(section: 0, row: 2))
    try driven.driver.viewDidPerform { try $0.move(1, to: 2, in: "a") }
    driven.update(to: try .of(("a", [2, 3, 1])))
    #expect(driven.view.batchCount == 0)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.parts[0].cells[2] === cells[0])
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `what the list has besides the edit is performed, and an edit that it lacks is taken back`() throws {
    var driven = DrivenView(try .of(("a", [1, 2, 3])))
    driven.view.swipe(RowPath(section: 0, row: 1))
    try driven.driver.viewDidPerform { try $0.remove(2) }
    driven.update(to: try .of(("a", [0, 1, 3])))
    #expect(driven.view.batchCount == 1)
    driven.view.finishAnimations()
    driven.update(to: try .of(("a", [0, 1, 2, 3])))
    #expect(driven.view.batchCount == 2)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `rows whose content the edit changes are configured again`() throws {
    var driven = DrivenView(try .of(("a", [1, 2])))
    try driven.driver.viewDidPerform { try $0.update(2) { $0.text = "new" } }
    #expect(driven.view.reconfigured == [RowPath(section: 0, row: 1)])
    #expect(driven.view.shown == NaiveList(driven.driver.snapshot))
    driven.update(to: driven.driver.snapshot)
    #expect(driven.view.batchCount == 0)
    #expect(driven.view.reconfigured.count == 1)
  }

  @Test func `an edit that throws changes nothing`() throws {
    let driven = DrivenView(try .of(("a", [1, 2])))
    #expect(throws: TestListError.unknownRow(9)) {
      try driven.driver.viewDidPerform {
        try $0.remove(1)
        try $0.remove(9)
      }
    }
    #expect(driven.driver.snapshot == driven.last)
  }

  @Test func `a difference that is being made when the view performs an edit is made anew`() async throws {
    let driven = DrivenView(try .of(("a", [1, 2, 3])))
    driven.view.animates = false
    let list = try TestSnapshot.of(("a", [3, 1, 2]))
    let showing = Task { await driven.driver.show(list) }
    // The task has begun to make the difference, or is about to.
    await Task.yield()
    driven.view.swipe(RowPath(section: 0, row: 0))
    let first = driven.driver.snapshot.row(at: RowPath(section: 0, row: 0)).id
    try driven.driver.viewDidPerform { try $0.remove(first) }
    await showing.value
    await driven.driver.show(list)
    #expect(driven.view.shown == NaiveList(list))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `whatever a person does in a view of rows alone, it ends equal to the data, and no call is refused`()
    throws
  {
    var random = SeededGenerator.forFuzzing("performed flat edits")
    for hasHeaders in [false, true] {
      let view = StrictFlatView()
      let driver = TestDriver(flat: view, hasHeaders: hasHeaders)
      view.data = { driver.snapshot.cells(hasHeaders: hasHeaders) }
      var confirmed: TestSnapshot = try .random(sections: 4, rows: 16, using: &random)
      driver.apply(confirmed)
      for round in 0..<SeededGenerator.rounds(700, long: 30_000) {
        let layout = FlatLayout(driver.snapshot, hasHeaders: hasHeaders)
        if driver.isSettled, layout.count > 0,
          case .row(let from) = layout[Int.random(in: 0..<layout.count, using: &random)]
        {
          let (list, index) = (driver.snapshot, layout.index(of: from))
          if Bool.random(using: &random) {
            view.swipe(index)
            try driver.viewDidPerform { try $0.remove(list.row(at: from).id) }
          } else {
            let to = RowPath(
              section: from.section, row: .random(in: 0..<list.rowCount(inSection: from.section), using: &random))
            view.drag(from: index, to: layout.index(of: to))
            try driver.viewDidPerform { try $0.move(list.row(at: from).id, to: to) }
          }
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: confirmed = driver.snapshot
        case 1: break
        default: confirmed = try .random(sections: 4, rows: 16, contents: 2, using: &random)
        }
        driver.apply(confirmed)
        if Bool.random(using: &random) { view.finishAnimations() }
        try #require(view.refusals.isEmpty, "seed \(random.seed), round \(round): \(view.refusals)")
        if driver.isSettled {
          try #require(view.cells == confirmed.cells(hasHeaders: hasHeaders), "seed \(random.seed), round \(round)")
        }
      }
    }
  }

  @Test func `whatever a person does between updates, the view ends equal to the data, and no call is refused`() throws
  {
    var random = SeededGenerator.forFuzzing("performed edits")
    var driven = DrivenView(try .random(sections: 4, rows: 16, using: &random))
    for round in 0..<SeededGenerator.rounds(1_500, long: 60_000) {
      for _ in 0..<Int.random(in: 0..<3, using: &random) where driven.view.shown == NaiveList(driven.driver.snapshot) {
        let list = driven.driver.snapshot
        let paths = (0..<list.sectionCount).flatMap { section in
          (0..<list.rowCount(inSection: section)).map { RowPath(section: section, row: $0) }
        }
        guard let from = paths.randomElement(using: &random) else { break }
        let id = list.row(at: from).id
        if Bool.random(using: &random) {
          driven.view.swipe(from)
          try driven.driver.viewDidPerform { try $0.remove(id) }
        } else {
          let section = Int.random(in: 0..<list.sectionCount, using: &random)
          let count = list.rowCount(inSection: section) - (section == from.section ? 1 : 0)
          let to = RowPath(section: section, row: Int.random(in: 0...count, using: &random))
          driven.view.drag(from: from, to: to)
          try driven.driver.viewDidPerform { try $0.move(id, to: to) }
        }
      }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: driven.update(to: driven.driver.snapshot)
      case 1: driven.update(to: driven.last)
      default: driven.update(to: try .random(sections: 4, rows: 16, contents: 2, using: &random))
      }
      if Bool.random(using: &random) { driven.view.finishAnimations() }
      try #require(driven.view.refusals.isEmpty, "seed \(random.seed), round \(round): \(driven.view.refusals)")
      if driven.driver.isSettled {
        try #require(driven.view.shown == NaiveList(driven.last), "seed \(random.seed), round \(round)")
      }
    }
  }
}

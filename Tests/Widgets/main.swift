// Drives a view that is a model of Qt, in the process at the other end of standard input and output:
//
//     widgets flat|tree store|arranged|compared ROUNDS SEED ROWS [FAULT]
import Foundation
import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastUI
import RowcastViews

/// A driver, its view, and the dice.
@MainActor
final class Run {
  let view: QtView
  let driver: BatchDriver<TestSection, TestRow>
  private var random: SeededGenerator
  private var performedCount = 0

  init(_ form: String, fault: Fault?, seed: UInt64) {
    let host = QtHost()
    random = SeededGenerator(seed: seed)
    if form == "flat" {
      let view = FlatQtView(host, fault: fault)
      (self.view, driver) = (view, BatchDriver(flat: view, hasHeaders: true))
    } else {
      let view = TreeQtView(host, fault: fault)
      (self.view, driver) = (view, BatchDriver(view))
    }
    let driver = driver
    view.data = { driver.snapshot }
  }

  /// Shows the updates of a list in the view, which is at rest now and then. Before some of them a person drags or deletes a
  /// row in the view; `confirm` gets the list with that edit, which half of the time is to become the confirmed one.
  func follow(
    _ list: some LiveList<TestSection, TestRow>, rounds: Int, confirm: (TestSnapshot) -> Void,
    edit: () async throws -> Void
  ) async throws {
    var updates = list.updates().makeAsyncIterator()
    var seen: TestSnapshot?
    var round = 0
    while round < rounds {
      if round > 0, Int.random(in: 0..<4, using: &random) == 0, try performEdit() {
        guard check(round) else { return }
        if Bool.random(using: &random) { confirm(driver.snapshot) }
      }
      try await edit()
      // Edits that cancel each other out make no update.
      if await list.snapshot == seen { continue }
      guard let update = await updates.next() else { return }
      seen = update.snapshot
      round += 1
      view.animates = Int.random(in: 0..<3, using: &random) == 0
      view.isInWindow = Int.random(in: 0..<50, using: &random) > 0
      driver.apply(update)
      guard check(round) else { return }
      if view.isAnimating, Bool.random(using: &random) {
        view.finishAnimations()
        guard check(round) else { return }
      }
    }
    while !driver.isSettled { view.finishAnimations() }
    let last = await list.snapshot
    _ = check(round)
    view.host.done([round, view.batchCount, view.reloadCount, performedCount, driver.snapshot == last ? 1 : 0])
  }

  /// Drags or deletes a row as a person does: the model has changed when the driver learns of it.
  private func performEdit() throws -> Bool {
    let list = driver.snapshot
    guard let row = Array(list.allRows).randomElement(using: &random), let from = list.scanForPath(ofRow: row.id) else {
      return false
    }
    let section = Int.random(in: 0..<list.sectionCount, using: &random)
    let last = list.rowCount(inSection: section) - (section == from.section ? 1 : 0)
    let to = Bool.random(using: &random) ? RowPath(section: section, row: .random(in: 0...last, using: &random)) : nil
    if from == to { return false }
    performedCount += 1
    try view.perform {
      try driver.viewDidPerform { if let to { try $0.move(row.id, to: to) } else { try $0.remove(row.id) } }
    } steps: {
      [to.map { view.move(from: from, to: $0, list, driver.snapshot) } ?? view.removal(of: from, list)]
    }
    return true
  }

  /// Has Qt report its faults: the test continues if there is none.
  private func check(_ round: Int) -> Bool {
    view.host.tell(driver.snapshot)
    return view.host.call("check", round)
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 6, let rounds = Int(arguments[3]), let seed = UInt64(arguments[4]),
  let rows = Int(arguments[5])
else { exit(2) }
let run = Run(arguments[1], fault: arguments.dropFirst(6).first.flatMap(Fault.init), seed: seed)
var list = RandomList(sections: 7, rows: rows, seed: seed)
let store = ListStore<TestSection, TestRow>()
let edit = { @MainActor in
  list.edit()
  try await store.replace(with: list.snapshot())
}
if arguments[2] == "compared" {
  try compare(rounds: rounds, seed: seed, rows: rows)
} else if arguments[2] == "store" {
  try await run.follow(store, rounds: rounds, confirm: { list.adopt($0) }, edit: edit)
} else {
  let arranged = store.arranged {
    $0.filter { $0.id % 7 != 0 }.sectioned(by: { $0.text.prefix(1) }) { TestSection(String($0)) }.sorted(by: \.text)
  }
  // The list that is arranged never has the edit: it is taken back.
  try await run.follow(arranged, rounds: rounds, confirm: { _ in }, edit: edit)
}

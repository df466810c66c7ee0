@testable import RowcastUI

/// A person, and code that the view calls.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension BatchFuzz {
  func performEdit(_ feature: BatchFeature) throws -> Bool {
    let list = driver.snapshot
    let sections = (0..<list.sectionCount).filter { list.rowCount(inSection: $0) > 0 }
    guard view.isInWindow, let section = sections.randomElement(using: &random) else { return false }
    let from = RowPath(section: section, row: number(0...list.rowCount(inSection: section) - 1))
    let row = list.row(at: from)
    try refuseBrokenEdit(of: row.id, driver.viewDidPerform)
    try Mismatch.unless(driver.snapshot == list, "an edit that throws has changed something")
    var parts = NaiveList(list).parts
    parts[section].rows.remove(at: from.row)
    func snapshot() throws -> TestSnapshot { try TestSnapshot(parts.map { ListSection($0.section, rows: $0.rows) }) }
    switch feature {
    case .swipe:
      view.take(from, in: list)
      try driver.viewDidPerform { try $0.remove(row.id) }
    case .drag:
      let target = number(0...list.sectionCount - 1)
      let to = RowPath(section: target, row: number(0...parts[target].rows.count))
      parts[target].rows.insert(row, at: to.row)
      let next = try snapshot()
      view.move(from, in: list, to: to, in: next)
      let move = try driver.viewDidMove(from: from, to: to)
      var editor = TestEditor(draft: ListDraft(list))
      editor.moveRows(move)
      try Mismatch.unless(editor.snapshot == next, "\(move) does not lead to \(NaiveList(next).parts)")
    default:
      let text = String(repeating: "y", count: number(0...6)) + (number(0...3) == 0 ? "¿" : "")
      parts[section].rows.insert(TestRow(row.id, text), at: from.row)
      try driver.viewDidPerform { try $0.update(row.id) { $0.text = text } }
    }
    model.perform(try snapshot())
    return true
  }

  func newLooks() -> [Int] {
    let ids = (0...number(0...3)).map { _ in number(0...29) }
    for id in ids { view.looks[id, default: 0] += 1 }
    return ids
  }

  /// While a batch is made, another list arrives, rows are refreshed, or both.
  func changeInside() async throws -> Bool {
    let (list, ids) = (try anyList(), [number(0...29), number(0...29)])
    let (hasList, hasLooks) =
      [(true, false), (false, true), (true, true)].randomElement(using: &random) ?? (true, true)
    var isCalled = false
    let (driver, view) = (driver, view)
    view.duringBatch = {
      isCalled = true
      if hasLooks {
        for id in ids { view.looks[id, default: 0] += 1 }
        driver.refresh(ids)
      }
      if hasList { driver.apply(list) }
    }
    defer { view.duringBatch = nil }
    let first = try anyList()
    let (last, position) = stream ?? (TestSnapshot(), ListPosition(epoch: "0", revision: 0))
    stream = (first, ListPosition(epoch: position.epoch, revision: position.revision + 1))
    driver.apply(.next(first, after: last, at: position))
    given += 1
    model.give(first)
    if isCalled {
      if hasList {
        given += 1
        model.give(list, isInside: true)
        model.showWaiting()
      }
      if hasLooks { model.refresh() }
      model.forgetPlace()
    }
    try check()
    try await overtake(given)
    return isCalled
  }

  /// While a cell is configured, another list arrives, and rows are refreshed.
  func changeWhileConfiguring() async throws -> Bool {
    let outer = Set(newLooks() + (0..<10))
    // Rows that are being configured have their new look already.
    let (list, ids, isBoth) = (
      try anyList(), (0..<30).filter { !outer.contains($0) && $0 % 4 == 0 }, number(0...1) == 0
    )
    var isCalled = false
    let (driver, view) = (driver, view)
    view.whileConfiguring = {
      if isCalled { return }
      isCalled = true
      driver.apply(list)
      if isBoth {
        for id in ids { view.looks[id, default: 0] += 1 }
        driver.refresh(ids)
      }
    }
    defer { view.whileConfiguring = nil }
    driver.refresh(outer)
    model.refresh()
    guard isCalled else { return false }
    given += 1
    model.give(list, isInside: true)
    model.showWaiting()
    if isBoth { model.refresh() }
    model.forgetPlace()
    try check()
    try await overtake(given)
    return true
  }
}

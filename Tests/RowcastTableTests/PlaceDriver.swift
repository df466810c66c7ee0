/// What tables can do.
enum TableFeature: String, DrivenFeature {
  case headers, footers, estimatingProvider, fixedEstimate
  case edit, regroup, swipe, restart, late, broken, unshowable, reentrant
  case scroll, scrollToLine, scrollToRow, resize, hide, reload, newHeights, newHeight
  case focus, moveFocus, tail, arrivals, workingRange, pin, drain, replaceCells
  case select, selectAll, deselect, toggle, selectionMode

  static let settings: Set<Self> = [.headers, .footers, .estimatingProvider, .fixedEstimate]
}

/// A table, its model, and what happens to both.
final class PlaceDriver {
  let run: FuzzRun<TableFeature>
  var random: SeededGenerator
  let table: PlacedTable
  private var headers: PlacedHeaders?
  var model: PlaceModel
  var nextRow = 0
  var nextSection = 0
  let tallest: Int
  private var width = 0
  /// True if rows have the other look.
  private var isOther = false
  /// The list that updates bring, with its position, and the lists of former streams.
  private var stream: (list: PlacedList, position: ListPosition?) = (PlacedList(), nil)
  private var former: (list: PlacedList, position: ListPosition?)?
  private var streams = 0
  /// The error of all updates while the table is stopped.
  private var refusal: TableError?
  private let events: AsyncStream<TableEvent<PlacedRow>>
  /// What the table said of the last change.
  private var report: ApplyReport?
  /// The row whose cell was to be configured again.
  private var refreshed: PlacedKey?
  /// The state before the step.
  private var start = ""
  /// All cells that were ever in use.
  private var known: [ObjectIdentifier: CountingCell] = [:]

  init(_ run: FuzzRun<TableFeature>) {
    self.run = run
    random = run.random
    let surroundings = Surroundings(estimates: run.has(.estimatingProvider))
    let (hasHeaders, hasFooters) = (run.has(.headers), run.has(.footers))
    let estimate = run.has(.fixedEstimate) ? Int.random(in: 1...3, using: &random) : nil
    let height = Int.random(in: 1...12, using: &random)
    tallest = [1, 3, 6, 30].randomElement(using: &random) ?? 1
    headers = hasHeaders ? PlacedHeaders() : nil
    table = PlacedTable(
      cells: PlacedCells(surroundings: surroundings), headers: headers,
      footers: hasFooters ? PlacedFooters(surroundings: surroundings) : nil, height: height,
      estimatedRowHeight: estimate)
    model = PlaceModel(surroundings, hasHeaders: hasHeaders, hasFooters: hasFooters, height: height, estimate: estimate)
    events = table.eventStream(keeping: .max)
  }

  func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// The cells on the screen, and the cells of rows that are kept ready.
  private func cellsInUse() throws -> [PlacedKey: CountingCell] {
    let list = table.snapshot
    let elements: [(TableElement, Cell)] =
      table.visibleElements.map { ($0.element, $0.cell) } + table.prefetchedRows.map { (.row($0.path), $0.cell) }
    return try elements.reduce(into: [:]) { cells, used in
      guard let cell = used.1 as? CountingCell else { throw Mismatch("\(used.0) has a cell of another class") }
      switch used.0 {
      case .header(let section): cells[.header(list.section(at: section).id)] = cell
      case .row(let path): cells[.row(list.row(at: path).id)] = cell
      case .footer(let section): cells[.footer(list.section(at: section).id)] = cell
      }
    }
  }

  /// The counts of all kinds of cells.
  private var statistics: [String: PoolStatistics] { table.statistics.merging(table.sectionStatistics) { $1 } }

  private var anyID: Int? { model.list.allRows.map(\.id).randomElement(using: &random) }

  // MARK: - Steps

  /// Does one thing to the table and to the model, and compares them.
  func step(_ feature: TableFeature, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    start = "\(state), then \(feature)"
    let wasHidden = model.height == 0
    let cells = try cellsInUse().mapValues { (cell: $0, content: $0.content, configurations: $0.configurations) }
    let (former, configured) = (statistics, table.configurationCount)
    headers?.requests = []
    let wasUsed = try perform(feature)
    let isReload = feature == .reload || feature == .replaceCells
    if [.scroll, .scrollToLine, .scrollToRow, .moveFocus, .resize, .pin].contains(feature) {
      // These bring no new header, which would be asked for its height, and once more for its cell.
      let requests = headers?.requests ?? []
      try Mismatch.unless(Set(requests).count == requests.count, "headers are asked for twice: \(requests)")
    }
    // What stays on the screen, or near it, keeps its cell, and what stays as it is is not configured.
    for (key, cell) in try cellsInUse() where !isReload {
      guard let before = cells[key], before.content?.kind == cell.content?.kind else { continue }
      try Mismatch.unless(cell === before.cell, "\(key) has another cell")
      if cell.content != before.content { continue }
      let times = cell.configurations - before.configurations
      try Mismatch.unless(times == (key == refreshed ? 1 : 0), "\(key) is configured again, \(times) times")
    }
    // A step that discards cells, as one of another class or beyond the cap, may make some.
    for (kind, now) in statistics where now.discarded == former[kind]?.discarded {
      let before = former[kind, default: .init()]
      let waiting = isReload ? before.created - before.discarded : before.pooled
      try Mismatch.unless(
        now.created == before.created || now.hits - before.hits >= waiting, "a cell is made while one of \(kind) waits")
    }
    if let report {
      let told = [report.configuredCount, report.count(.created), report.count(.reused) + report.count(.replaced)]
      let made = (statistics.values.reduce(.init(), +), former.values.reduce(.init(), +))
      let done = [table.configurationCount - configured, made.0.created - made.1.created, made.0.hits - made.1.hits]
      // A row of another kind has a cell that is made, or of the pool.
      try Mismatch.unless(
        told[0] == done[0] && told[1] <= done[1] && told[1] + told[2] == done[1] + done[2],
        "the report tells of \(told), and \(done) were done")
    }
    refreshed = nil
    report = nil
    // Without lines on the screen, only the table's own count says where it is.
    if wasHidden || model.height == 0 { takeOver() }
    model.settle()
    if model.height == 0 { model.topLine = table.topLine }
    try check()
    if wasUsed { run.note(feature) }
  }

  /// Returns false if there was nothing to do.
  private func perform(_ feature: TableFeature) throws -> Bool {
    switch feature {
    case .headers, .footers, .estimatingProvider, .fixedEstimate: return false
    case .edit: try update(to: edited())
    case .regroup: try update(to: regrouped())
    case .swipe:
      let list = try edited()
      let changes = model.list.changes(to: list)
      report = try table.viewDidPerform(list)
      try follow(list, changes)
    case .restart: try restart()
    case .late: return try refuseLate()
    case .broken: return try refuseBroken()
    case .unshowable: return try refuseUnshowable()
    case .reentrant: return try updateReentrantly()
    case .scroll:
      let lines = number(-15...15)
      model.scroll(byLines: lines)
      report = try table.scroll(byLines: lines)
    case .scrollToLine:
      let line = number(-2...model.contentHeight + 5)
      model.scroll(toLine: line)
      report = try table.scroll(toLine: line)
    case .scrollToRow:
      guard let id = anyID else { return false }
      let position = [ScrollPosition.top, .middle, .bottom, .nearest].randomElement(using: &random) ?? .top
      model.scroll(to: id, at: position)
      report = try table.scroll(to: id, at: position)
    case .resize, .hide:
      let height = feature == .hide && model.height > 0 ? 0 : number(1...12)
      model.resize(to: height)
      report = try table.resize(toHeight: height)
    case .reload: try measureAnew(way: 0)
    case .newHeights: try measureAnew(way: number(1...2))
    case .newHeight: return try measureOneAnew()
    case .focus:
      let id = number(0...3) == 0 ? nil : anyID
      model.focus = id
      // A row that the list does not have changes nothing.
      try Mismatch.unless(table.focus(id) && !table.focus(-1), "the focus is on \(String(describing: table.focusedID))")
    case .moveFocus:
      let rows = number(-4...4)
      model.moveFocus(byRows: rows)
      report = try table.moveFocus(byRows: rows)
    case .tail:
      model.followsTail.toggle()
      table.followsTail = model.followsTail
    case .arrivals:
      model.showsArrivals.toggle()
      table.showsArrivalsAtTop = model.showsArrivals
    case .workingRange, .pin:
      if feature == .pin { model.pinsHeaders.toggle() } else { model.workingRange = number(0...4) }
      (table.workingRange, table.pinsHeaders) = (model.workingRange, model.pinsHeaders)
      report = try table.scroll(byLines: 0)
    case .replaceCells: try replaceCells()
    case .drain:
      table.drain()
      try Mismatch.unless(table.totals.pooled == 0, "cells wait after all were discarded")
    case .select:
      guard let id = anyID, let other = anyID else { return false }
      try Mismatch.unless(table.select(id) == model.select(id), "row \(id) can or cannot be selected")
      if number(0...1) == 0 { return true }
      table.select([id, -1, other])
      for id in [id, other] { model.select(id) }
    case .selectAll:
      table.selectAll()
      for row in model.list.allRows where model.selectionMode == .multiple { model.select(row.id) }
    case .deselect:
      guard let id = model.selection.sorted().randomElement(using: &random) else { return false }
      let all = number(0...3) == 0
      if all { table.deselectAll() } else { table.deselect(id) }
      if all { model.selection = [] } else { model.selection.remove(id) }
    case .toggle:
      guard let focus = model.focus else { return false }
      table.toggleFocusedRow()
      if model.selection.remove(focus) == nil { model.select(focus) }
    case .selectionMode:
      let mode = [SelectionMode.multiple, .single, .none, .multiple].randomElement(using: &random) ?? .single
      (table.selectionMode, model.selectionMode, model.selection) = (mode, mode, [])
    }
    return true
  }

  // MARK: - Updates

  /// Brings a list, as the next update of the stream.
  private func update(to next: PlacedList) throws {
    guard let position = stream.position else { return try restart() }
    let update = ListUpdate.next(next, after: stream.list, at: position)
    stream = (next, update.position)
    if let refusal { return try expect(refusal, of: update) }
    let changes = model.list.changes(to: next)
    report = try table.apply(update)
    try follow(next, changes)
  }

  /// Another stream begins with its whole list, of the same source or of another one.
  private func restart() throws {
    let isOther = stream.position == nil || number(0...1) == 0
    if isOther { (former, streams) = (stream, streams + 1) }
    let next = try number(0...2) == 0 ? PlacedList() : edited()
    let position = ListPosition(
      epoch: isOther ? "\(streams)" : stream.position?.epoch ?? "", revision: number(0...9) + (isOther ? 0 : 100))
    let changes = model.list.changes(to: next)
    report = try table.apply(ListUpdate(initial: next, revision: position.revision, epoch: position.epoch))
    (stream, refusal) = ((next, position), nil)
    try follow(next, changes)
  }

  private func follow(_ next: PlacedList, _ changes: ListChanges) throws {
    try Mismatch.unless(report?.changes == changes, "the report tells of \(report?.changes as Any), not of \(changes)")
    if !model.update(to: next, changes) { takeOver() }
  }

  private func expect(_ error: TableError, of update: ListUpdate<PlacedSection, PlacedRow>) throws {
    do {
      try table.apply(update)
    } catch let found {
      return try Mismatch.unless(found == error, "refused with \(found), not with \(error)")
    }
    throw Mismatch("an update was taken that had to be refused: \(error)")
  }

  /// An update of the former stream arrives late.
  private func refuseLate() throws -> Bool {
    guard let former, let old = former.position, let now = stream.position, old.epoch != now.epoch else { return false }
    let next = try edited()
    let update = ListUpdate.next(next, after: former.list, at: old)
    try expect(refusal ?? .otherEpoch(table: now.epoch, update: old.epoch), of: update)
    return true
  }

  /// The table is stopped from here on.
  private func stop(_ update: ListUpdate<PlacedSection, PlacedRow>, by error: TableError) throws {
    try expect(refusal ?? error, of: update)
    refusal = refusal ?? .stopped(at: update.position, by: error)
    stream = (update.snapshot, update.position)
  }

  /// An update is lost.
  private func refuseBroken() throws -> Bool {
    guard let position = stream.position else { return false }
    let skipped = ListPosition(epoch: position.epoch, revision: position.revision + 1)
    let update = ListUpdate.next(try edited(), after: stream.list, at: skipped)
    try stop(update, by: .wrongRevision(table: position.revision, updateStartsAt: skipped.revision))
    return true
  }

  /// A row on the screen changes to one without a cell.
  private func refuseUnshowable() throws -> Bool {
    let shown = Set(table.visibleRows.map(\.row.id))
    guard let position = stream.position, !shown.isEmpty else { return false }
    let parts = model.list.contents.map { content in
      ListSection(
        content.section,
        rows: content.rows.map { row in
          var row = row
          if shown.contains(row.id) { row.group = PlacedRow.unshowable }
          return row
        })
    }
    let update = ListUpdate.next(try PlacedList(parts), after: stream.list, at: position)
    try stop(update, by: .unregistered(identifier: "unshowable"))
    return true
  }

  /// While an update is made, a cell asks for another change, selects a row, and has all cells discarded.
  private func updateReentrantly() throws -> Bool {
    guard refusal == nil, let id = anyID else { return false }
    var (found, isCalled): (TableError?, Bool) = (nil, false)
    model.surroundings.whileConfigured = { [table] in
      if isCalled { return }
      isCalled = true
      do throws(TableError) { try table.scroll(byLines: 1) } catch { found = error }
      table.drain()
      table.select(id)
    }
    defer { model.surroundings.whileConfigured = nil }
    try update(to: edited())
    guard isCalled else { return false }
    try Mismatch.unless(found == .changeInProgress, "a cell scrolled with \(found as Any)")
    try Mismatch.unless(table.totals.pooled == 0, "cells wait after all were discarded")
    if model.list.allRows.contains(where: { $0.id == id }) { model.select(id) }
    return true
  }

  /// Takes the table's place where none is defined.
  private func takeOver() {
    let elements = model.elements(model.list)
    // The first one may be a pinned header, which is in no place.
    guard let last = table.visibleElements.last,
      let index = elements.firstIndex(where: { $0.element == last.element })
    else { return model.top = 0 }
    model.top = elements[..<index].reduce(0) { $0 + $1.height } - last.line
  }

  /// Something outside of the rows changes all heights, and the table is told in one of three ways.
  private func measureAnew(way: Int) throws {
    let (scale, wasHidden) = (number(1...3), model.height == 0)
    width += 1
    let height = way == 2 ? number(0...12) : model.height
    model.measureAnew {
      $0.surroundings.scale = scale
      $0.surroundings.extra = [:]
      $0.surroundings.told = [:]
      $0.height = height
    }
    switch way {
    case 0: report = try table.reloadAll()
    case 1: report = try table.invalidateHeights()
    default: report = try table.resize(toHeight: height, width: width)
    }
    // The mean of the rows that the table shows.
    if wasHidden || model.height == 0 { takeOver() }
    model.takeMean()
  }

  /// The same rows in other cells, with headers or without.
  private func replaceCells() throws {
    let hasHeaders = number(0...2) == 0 ? !model.hasHeaders : model.hasHeaders
    isOther = Bool.random(using: &random)
    let surroundings = model.surroundings
    let (wasHidden, isDefined) = (
      model.height == 0,
      model.measureAnew {
        $0.hasHeaders = hasHeaders
        $0.surroundings.told = [:]
      }
    )
    headers = hasHeaders ? PlacedHeaders() : nil
    report = try table.replaceCells(
      with: PlacedCells(surroundings: surroundings, isOther: isOther), headers: headers,
      footers: model.hasFooters ? PlacedFooters(surroundings: surroundings) : nil)
    if wasHidden || !isDefined { takeOver() }
    model.takeMean()
  }

  /// One row has another height.
  private func measureOneAnew() throws -> Bool {
    guard let row = model.list.allRows.map(\.self).randomElement(using: &random) else { return false }
    let extra = number(0...3)
    model.measureAnew { $0.surroundings.extra[row.id] = extra }
    if try cellsInUse()[.row(row.id)] != nil, number(0...1) == 0 {
      refreshed = .row(row.id)
      report = try table.refresh([row.id, -1, -2])
    } else {
      // What was known of a row off the screen is forgotten.
      model.surroundings.told[.row(row.id)] = nil
      report = try table.invalidateHeight(of: row.id)
    }
    return true
  }

  // MARK: - Checks

  private var state: String {
    let screen = model.screen(model.elements(model.list))
    return """
      \(model.height) lines, first \(screen.range) at \(screen.line), top line \(model.topLine) of \(model.contentHeight), focus \
      \(model.focus as Any), \(model.followsTail ? "tail" : "") \(model.showsArrivals ? "arrivals" : ""): \
      \(model.list.contents.map { "\($0.section.id): \($0.rows.map { "\($0.id)+\(model.surroundings.height(of: $0))" })" })
      """
  }

  private func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw Mismatch("\(what())\nbefore: \(start)\nnow: \(state)") }
  }

  private func check() throws {
    let elements = model.elements(model.list)
    var (range, line) = model.screen(elements)
    let shown = table.visibleElements
    let pinned = model.pinned(elements)
    let wanted = (pinned.map { range.contains($0.index) ? [] : [$0.index] } ?? []) + range
    try require(
      shown.map(\.element) == wanted.map { elements[$0].element },
      "the screen shows \(shown.map { ($0.element, $0.line) })")
    for (shown, index) in zip(shown, wanted) {
      let (element, place) = (elements[index], pinned?.index == index ? pinned?.line ?? 0 : line)
      try require(
        shown.line == place && shown.height == element.height,
        "\(shown.element) is at \(shown.line) with \(shown.height) lines, not at \(place) with \(element.height)")
      if range.contains(index) { line += element.height }
    }
    try checkCells()
    try require(
      table.contentHeight == model.contentHeight,
      "the content has \(table.contentHeight) lines, not \(model.contentHeight)")
    try require(
      table.topLine >= 0 && table.topLine <= table.contentHeight, "the first line is \(table.topLine) of the content")
    try require(table.topLine == model.topLine, "the first line is \(table.topLine), not \(model.topLine)")
    let focus = model.focus.flatMap { model.list.scanForPath(ofRow: $0) }
    try require(
      table.focusedID == model.focus && table.focusedPath == focus, "the focus is on \(table.focusedID as Any)")
    try require(table.selection == model.selection, "\(table.selection) are selected, not \(model.selection)")
    try require(table.snapshot == model.list, "the table has another list")
  }

  /// Cells show their rows, appear and disappear in turns, and are all accounted for.
  private func checkCells() throws {
    for (key, cell) in try cellsInUse() {
      known[ObjectIdentifier(cell)] = cell
      switch key {
      case .row(let id):
        let row = model.list.allRows.first { $0.id == id }
        let isFresh = cell.content == row.map(PlacedContent.row) && cell.reuseIdentifier == row?.kind
        try require(isFresh && cell is OtherPlacedCell == isOther, "the cell of row \(id) is stale")
      case .header(let id), .footer(let id):
        let section = model.list.sections.first { $0.id == id }
        let isRight = key.isHeader == (cell is PlacedHeader) && cell.content == section.map(PlacedContent.section)
        try require(isRight, "\(key) is stale")
      }
    }
    let displayed = Set(table.visibleElements.map { ObjectIdentifier($0.cell) })
    // Also cells that are pooled or released by now.
    for (identity, cell) in known {
      try require(
        cell.displays == cell.endings + (displayed.contains(identity) ? 1 : 0),
        "a cell came onto the screen \(cell.displays) times, and left it \(cell.endings) times")
    }
    let all = table.totals + table.sectionStatistics.values.reduce(.init(), +)
    try require(all.visible == displayed.count, "the counts of cells do not add up: \(all)")
    try require(
      table.totals.prefetched == table.prefetchedRows.count && table.prefetchedRows.map(\.row.id) == model.ready,
      "kept ready are \(table.prefetchedRows.map(\.row.id)), not \(model.ready)")
  }

  /// What a driver leaves: the events of its table, and what they must have said.
  struct Ending {
    let events: AsyncStream<TableEvent<PlacedRow>>
    let selection: Set<Int>
    let displayed: Set<Int>

    /// Follows the events, which have ended with the table.
    func check() async throws {
      var (selected, shown): (Set<Int>, Set<Int>) = ([], [])
      for await event in events {
        switch event {
        case .selected(let row, _):
          try Mismatch.unless(selected.insert(row.id).inserted, "row \(row.id) is selected twice")
        case .deselected(let row):
          try Mismatch.unless(selected.remove(row.id) != nil, "row \(row.id) is deselected twice")
        case .willDisplay(let row, _):
          try Mismatch.unless(shown.insert(row.id).inserted, "row \(row.id) comes onto the screen twice")
        case .didEndDisplaying(let row):
          try Mismatch.unless(shown.remove(row.id) != nil, "row \(row.id) leaves the screen twice")
        case .reachedStart, .reachedEnd: break
        }
      }
      try Mismatch.unless(selected == selection, "by the events \(selected) are selected, not \(selection)")
      try Mismatch.unless(shown == displayed, "by the events \(shown) are on the screen, not \(displayed)")
    }
  }

  /// Plays all steps; the table is released when this returns.
  static func play(_ run: FuzzRun<TableFeature>) throws -> Ending {
    let driver = PlaceDriver(run)
    for step in run.fuzzCase.steps { try driver.step(step.feature, seed: step.seed) }
    return Ending(
      events: driver.events, selection: driver.table.selection, displayed: Set(driver.table.visibleRows.map(\.row.id)))
  }
}

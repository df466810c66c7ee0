/// A table with headers and footers, written out over arrays: the line of each row on the screen, and the focus.
struct PlaceModel {
  struct Element {
    let key: PlacedKey
    let element: TableElement
    /// The lines that the element has on the screen.
    let height: Int
  }

  let surroundings: Surroundings
  var hasHeaders: Bool
  var hasFooters: Bool
  var height: Int
  /// The height that rows are taken to have, and whether it follows the mean of the screen.
  var estimate: Int
  let isMean: Bool
  var list = PlacedList()
  var followsTail = false
  var showsArrivals = true
  var workingRange = 0
  var pinsHeaders = false
  var focus: Int?
  var selectionMode = SelectionMode.single
  var selection: Set<Int> = []
  /// The first line on the screen, if all lines above are counted as they would be on the screen.
  var top = 0
  /// The table's own number of the first line, and of all lines, before the step.
  var topLine = 0
  private(set) var contentHeight = 0

  var isAtEnd: Bool { topLine >= max(0, contentHeight - height) }

  init(_ surroundings: Surroundings, hasHeaders: Bool, hasFooters: Bool, height: Int, estimate: Int?) {
    (self.surroundings, self.hasHeaders, self.hasFooters, self.height) = (surroundings, hasHeaders, hasFooters, height)
    (self.estimate, isMean) = (estimate ?? 1, estimate == nil)
  }

  // MARK: - Reading

  func elements(_ list: PlacedList) -> [Element] {
    list.contents.enumerated().flatMap { index, content in
      (hasHeaders && content.section.lines > 0
        ? [Element(key: .header(content.section.id), element: .header(section: index), height: content.section.lines)]
        : [])
        + content.rows.enumerated().map { row, model in
          Element(
            key: .row(model.id), element: .row(RowPath(section: index, row: row)),
            height: surroundings.height(of: model))
        }
        + (hasFooters
          ? [
            Element(
              key: .footer(content.section.id), element: .footer(section: index), height: 3 - content.section.lines)
          ] : [])
    }
  }

  /// The height of an element as far as the table can know it.
  private func known(_ element: Element) -> Int {
    switch element.key {
    case .row: surroundings.estimates ? element.height : surroundings.told[element.key] ?? estimate
    case .header, .footer: element.height
    }
  }

  private func start(of index: Int, _ elements: [Element]) -> Int { elements[..<index].reduce(0) { $0 + $1.height } }

  /// The elements on the screen: their range, and the line at which the first begins.
  func screen(_ elements: [Element]) -> (range: Range<Int>, line: Int) {
    var (line, range, first) = (-top, 0..<0, 0)
    for (index, element) in elements.enumerated() {
      if line + element.height > 0, line < height {
        if range.isEmpty { (range, first) = (index..<index, line) }
        range = range.lowerBound..<index + 1
      }
      line += element.height
    }
    return (range, first)
  }

  /// The header that is shown at the top instead of in its place: its index, and its line on the screen.
  func pinned(_ elements: [Element]) -> (index: Int, line: Int)? {
    let (range, line) = screen(elements)
    guard pinsHeaders, hasHeaders, let first = elements[range].first else { return nil }
    let isOfSection = { (element: Element) in element.element.section == first.element.section }
    guard let index = elements.firstIndex(where: { $0.key.isHeader && isOfSection($0) }),
      index < range.lowerBound || line < 0, elements[index].height < height
    else { return nil }
    let end = elements[range.lowerBound...].prefix(while: isOfSection).reduce(line) { $0 + $1.height }
    return (index, min(0, end - elements[index].height))
  }

  /// The lines at the top of the screen that a pinned header covers.
  private var covered: Int {
    let elements = elements(list)
    return pinned(elements).map { $0.line + elements[$0.index].height } ?? 0
  }

  /// The header of the section of a row, if it can be pinned.
  private func header(above element: Element, _ elements: [Element]) -> Element? {
    guard pinsHeaders, hasHeaders else { return nil }
    return elements.first { $0.key.isHeader && $0.element.section == element.element.section }
  }

  /// The elements on the screen and those kept ready beside it.
  private func inUse(_ elements: [Element]) -> ArraySlice<Element> {
    let range = screen(elements).range
    if range.isEmpty { return [] }
    return elements[max(0, range.lowerBound - workingRange)..<min(elements.count, range.upperBound + workingRange)]
  }

  /// The rows that are kept ready: those below the screen from its end on, then those above it.
  var ready: [Int] {
    let elements = elements(list)
    let (range, near) = (screen(elements).range, inUse(elements))
    let beside =
      near[max(range.upperBound, near.startIndex)...] + near[..<min(range.lowerBound, near.endIndex)].reversed()
    return beside.compactMap { if case .row(let id) = $0.key { id } else { nil } }
  }

  // MARK: - Steps

  /// Lets an element begin at a line of the screen, as far as the content reaches.
  private mutating func place(_ key: PlacedKey, at line: Int) {
    let elements = elements(list)
    guard let index = elements.firstIndex(where: { $0.key == key }) else { return }
    place(top: start(of: index, elements) - line, elements)
  }

  private mutating func place(top: Int, _ elements: [Element]) {
    self.top = max(0, min(top, elements.reduce(0) { $0 + $1.height } - height))
  }

  /// Keeps the first of some elements in its place; if none of its lines on the screen is left, the second.
  private mutating func keep(_ candidates: [(key: PlacedKey, line: Int)], covered: Int) {
    guard let first = candidates.first, let element = elements(list).first(where: { $0.key == first.key }) else {
      return
    }
    if first.line + element.height > covered { return place(first.key, at: first.line) }
    if candidates.count > 1, candidates[1].line < height { return place(candidates[1].key, at: candidates[1].line) }
    place(first.key, at: covered + 1 - element.height)
  }

  /// The lines of the screen, by key, each with the line behind its element.
  private var places: [(key: PlacedKey, line: Int, end: Int)] {
    let elements = elements(list)
    var (range, line) = screen(elements)
    return elements[range].map { element in
      defer { line += element.height }
      return (element.key, line, line + element.height)
    }
  }

  mutating func scroll(byLines lines: Int) {
    if abs(lines) > 2 * height { return scroll(toLine: topLine + lines) }
    place(top: top + lines, elements(list))
  }

  mutating func scroll(toLine line: Int) {
    let elements = elements(list)
    if elements.isEmpty { return }
    if line >= contentHeight - height, line > 0 { return place(top: .max / 2, elements) }
    var start = 0
    for element in elements {
      if start + known(element) > max(0, line) { return place(element.key, at: start - max(0, line)) }
      start += known(element)
    }
  }

  mutating func scroll(to id: Int, at position: ScrollPosition) {
    let elements = elements(list)
    guard let index = elements.firstIndex(where: { $0.key == .row(id) }) else { return }
    let (key, rows) = (elements[index].key, elements[index].height)
    let start = elements[..<index].reduce(0) { $0 + known($1) }
    let header = header(above: elements[index], elements)
    // A header that leaves no line covers none.
    let (free, taken) = (header.map(\.height) ?? 0, header.map(known) ?? 0)
    let least = free < height ? free : 0
    switch position {
    case .top: place(key, at: least)
    case .middle: place(key, at: max(least, (height - rows) / 2))
    case .bottom: place(key, at: height - rows)
    case .nearest:
      if start < topLine + (taken < height ? taken : 0) { return place(key, at: least) }
      if start + known(elements[index]) > topLine + height { place(key, at: max(least, height - rows)) }
    }
  }

  mutating func resize(to height: Int) {
    let (first, tail) = (places.first, followsTail && isAtEnd)
    self.height = height
    if tail { place(top: .max / 2, elements(list)) } else if let first { place(first.key, at: first.line) }
  }

  /// Another scale, or another size of the screen, has changed the heights. Returns false if the place is not defined: nothing that was on
  /// the screen is left.
  @discardableResult
  mutating func measureAnew(_ change: (inout PlaceModel) -> Void) -> Bool {
    let (before, tail, covered) = (places, followsTail && isAtEnd, covered)
    change(&self)
    let keys = Set(elements(list).map(\.key))
    let places = before.filter { keys.contains($0.key) }
    if tail {
      place(top: .max / 2, elements(list))
      return true
    }
    if places.isEmpty { return false }
    let shown = places.filter { $0.end > covered }
    let isCovered = shown.isEmpty
    keep((isCovered ? places : shown).map { ($0.key, $0.line) }, covered: isCovered ? 0 : covered)
    return true
  }

  /// Takes the mean of the rows in use for an estimate.
  mutating func takeMean() {
    let heights = inUse(elements(list)).compactMap { if case .row = $0.key { $0.height } else { nil } }
    if isMean, !surroundings.estimates, !heights.isEmpty {
      estimate = (heights.reduce(0, +) + heights.count / 2) / heights.count
    }
  }

  /// Returns true if the row is selected then.
  @discardableResult
  mutating func select(_ id: Int) -> Bool {
    if selection.contains(id) { return true }
    if selectionMode == .none { return false }
    if selectionMode == .single { selection = [] }
    selection.insert(id)
    return true
  }

  mutating func moveFocus(byRows count: Int) {
    let rows = list.allRows.map(\.id)
    guard let focus, let index = rows.firstIndex(of: focus) else {
      let rows = places.compactMap { if case .row(let id) = $0.key { (id: id, end: $0.end) } else { nil } }
      return focus = (rows.first { $0.end > covered } ?? rows.first)?.id
    }
    let id = rows[max(0, min(rows.count - 1, index + count))]
    self.focus = id
    scroll(to: id, at: .nearest)
  }

  /// Follows an update. Returns false if the place is not defined: no row in the list before stays where it was.
  mutating func update(to next: PlacedList, _ changes: ListChanges) -> Bool {
    let (before, old, places, wasAtEnd, wasTop) = (list, elements(list), places, isAtEnd, topLine == 0)
    let covered = covered
    let (rows, left) = (before.allRows.map(\.id), Set(next.allRows.map(\.id)))
    if let focused = focus, let index = rows.firstIndex(of: focused) {
      focus = rows[index...].first(where: left.contains) ?? rows[..<index].last(where: left.contains)
    }
    selection = selection.filter(left.contains)
    list = next
    let new = elements(next)
    if followsTail, wasAtEnd {
      place(top: .max / 2, new)
      return true
    }
    if showsArrivals, wasTop {
      place(top: 0, new)
      return true
    }
    // 0 for a row that stays, 1 for a row that crosses to or from a section that is not in both lists, 2 for a row that moves.
    func rank(_ element: Element) -> Int? {
      guard case .row(let id) = element.key, left.contains(id), let path = element.element.rowPath else { return nil }
      let section = before.section(at: path.section).id
      let target = next.contents.first { $0.rows.contains { $0.id == id } }?.section.id
      if !next.sections.contains(where: { $0.id == section }) || !before.sections.contains(where: { $0.id == target }) {
        return 1
      }
      let isMoved =
        changes.rows.moves.contains { $0.from == path } || changes.sections.moves.contains { $0.from == path.section }
      return isMoved ? 2 : 0
    }
    let candidates = places.compactMap { place in
      // A row under the header is taken last.
      old.first { $0.key == place.key }.flatMap(rank).map { (place: place, rank: place.end > covered ? $0 : $0 + 3) }
    }
    // Not sorted in place: equal ranks keep their order.
    let ranked = (0...5).flatMap { rank in candidates.filter { $0.rank == rank } }
    if let best = ranked.first {
      // A row that moves more than the best never takes its place.
      let kept = ranked.filter { $0.rank % 3 <= best.rank % 3 }
      keep(kept.map { ($0.place.key, $0.place.line) }, covered: best.rank < 3 ? covered : 0)
      return true
    }
    // No row on the screen is left: the rows above the screen end where they did, or those below it begin at its top.
    guard let first = places.first, let index = old.firstIndex(where: { $0.key == first.key }) else { return false }
    func stays(_ element: Element) -> Bool { rank(element).map { $0 < 2 } ?? false }
    if let above = old[..<index].last(where: stays), let height = new.first(where: { $0.key == above.key })?.height {
      place(above.key, at: first.line - height)
      return true
    }
    guard let below = old[index...].first(where: stays) else { return false }
    place(below.key, at: 0)
    return true
  }

  /// Ends a step: forgets removed rows.
  mutating func settle() {
    let elements = elements(list)
    let keys = Set(elements.map(\.key))
    surroundings.told = surroundings.told.filter { keys.contains($0.key) }
    let (range, line) = screen(elements)
    contentHeight = elements.reduce(0) { $0 + known($1) }
    topLine = range.isEmpty ? 0 : elements[..<range.lowerBound].reduce(0) { $0 + known($1) } - line
  }
}

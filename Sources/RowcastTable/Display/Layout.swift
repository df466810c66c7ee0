import RowcastDiff

/// An element and its place on the screen, from which the places of all others follow.
struct ScrollAnchor {
  var element: TableElement
  /// The lines of the screen that the element gets; some may lie outside.
  var place: Place

  /// True if the element was on the screen, and some of it stays there, however short it becomes.
  var isKept = false
  /// The element that keeps its place if none of the visible lines of a kept element remains, and the line of the screen at
  /// which it starts. Without such an element, the last line of the kept one stays.
  var next: (element: TableElement, line: Int)?
  /// The lines at the top of the screen that a pinned header covered. Lines of a kept element there do not count.
  var covered = 0
  /// True if the element is to begin below the header of its section, if that is pinned.
  var isBelowHeader = false

  /// An element on the screen that may keep its place: the line at which it starts, and its lines. The one with the lowest
  /// rank is kept.
  typealias Candidate = (element: TableElement, line: Int, height: Int, rank: Int)

  /// The lines of the screen that an element gets.
  enum Place {
    case startingAt(Int)
    case endingAbove(Int)
    case middle
    /// The end of the screen. An element that is too long starts above the screen, or is shown from its start.
    case end(fromStart: Bool = false)
  }

  /// The line at which an element of some height starts.
  func line(_ height: Int, on screenHeight: Int) -> Int {
    switch place {
    case .startingAt(let line): line
    case .endingAbove(let line): line - height
    case .middle: max(0, (screenHeight - height) / 2)
    case .end(let fromStart): fromStart ? max(0, screenHeight - height) : screenHeight - height
    }
  }

  /// Starts at a line.
  static func line(_ line: Int, _ element: TableElement) -> ScrollAnchor {
    ScrollAnchor(element: element, place: .startingAt(line))
  }

  /// Keeps the best of some elements in place or, if that becomes too short, the second best, unless that one moves more.
  ///
  /// - Parameters:
  ///   - candidates: The elements, from top to bottom.
  ///   - covered: The lines at the top of the screen that a pinned header covers. An element behind them is chosen last.
  /// - Returns: The anchor; `nil` if there are no elements.
  static func keeping(_ candidates: [Candidate], covered: Int) -> ScrollAnchor? {
    func isCovered(_ index: Int) -> Bool { candidates[index].line + candidates[index].height <= covered }
    func precedes(_ index: Int, _ other: Int) -> Bool {
      isCovered(index) == isCovered(other) ? candidates[index].rank < candidates[other].rank : isCovered(other)
    }
    guard let best = candidates.indices.min(by: precedes) else { return nil }
    let next = candidates.indices.lazy
      .filter { $0 != best && candidates[$0].rank <= candidates[best].rank }.min(by: precedes)
    return ScrollAnchor(
      element: candidates[best].element, place: .startingAt(candidates[best].line), isKept: true,
      next: next.map { (candidates[$0].element, candidates[$0].line) }, covered: isCovered(best) ? 0 : covered)
  }

  /// Starts the screen at a line of the content, as far as the content reaches; `nil` without content.
  static func top(_ line: Int, of geometry: TableGeometry, height: Int) -> ScrollAnchor? {
    guard geometry.height > 0 else { return nil }
    if line >= geometry.height - height, line > 0 { return end(of: geometry) }
    let element = geometry.element(atLine: max(0, line))
    return .line(geometry.lines(of: element).lowerBound - max(0, line), element)
  }

  /// Shows the end of the content; `nil` without content.
  static func end(of geometry: TableGeometry) -> ScrollAnchor? {
    guard geometry.height > 0 else { return nil }
    return ScrollAnchor(element: geometry.element(atLine: geometry.height - 1), place: .end())
  }

  /// The same anchor for an element that the header of its section must not cover.
  func belowHeader() -> ScrollAnchor {
    var anchor = self
    anchor.isBelowHeader = true
    return anchor
  }
}

/// A screen laid out from an anchor: a plan that has made all steps that can fail, and changed nothing yet.
///
/// Elements in use keep their cells. The provider is asked for the others, and for those that changed.
struct Layout: ~Copyable {
  /// The heights, with those that were measured here.
  private(set) var geometry: TableGeometry
  /// The elements on the screen and near it, in the order of the list.
  private(set) var slots: [Slot] = []
  /// The indexes of the slots on the screen.
  private(set) var visible = 0..<0
  /// The line of the screen at which the first visible element starts: 0, or less if it starts above.
  private(set) var firstLine = 0
  /// The first line of the content on the screen.
  private(set) var topLine = 0
  /// The header that is shown at the top instead of in its place: the index of its slot, and its line on the screen.
  private(set) var pinned: (index: Int, line: Int)?
  private(set) var requests: [CellRequest] = []
  /// True if the same cells are on the screen, and none needs a call.
  private(set) var keepsScreen = false

  /// The number of lines of the screen.
  private let height: Int
  private let pinsHeaders: Bool
  /// The slots in use, in the order of the list.
  private var known: [Slot] = []
  /// The pool as it was, with the classes of cells that are new here.
  private var pool: ReusePool
  /// Returns the cell for an element, or a substitute for a refused one.
  private let request: (TableElement, _ refusal: TableError?) throws(TableError) -> CellRequest
  /// The index of the known slot that was found last.
  private var lastKnown = -1
  /// The lines of the screen that are laid out so far.
  private var (top, bottom) = (0, 0)
  /// All measured elements, including those that are not on the screen after all.
  private var measured: [Slot] = []
  /// The anchor of a screen without lines.
  private var unseen: ScrollAnchor?
  /// Slots that were laid out in advance and are not requested twice: the slot of the anchor, and the slot of its header.
  private var advance: [Slot] = []

  init(
    _ geometry: TableGeometry, height: Int, pinsHeaders: Bool, pool: ReusePool,
    request: @escaping (TableElement, _ refusal: TableError?) throws(TableError) -> CellRequest
  ) {
    (self.geometry, self.height, self.pinsHeaders) = (geometry, height, pinsHeaders)
    (self.pool, self.request) = (pool, request)
  }

  /// Keeps the screen as it is. Its rows, which are neighbours, have moved to other paths.
  mutating func keep(_ display: Display, movedTo start: RowPath) {
    slots = display.slots
    for index in slots.indices {
      slots[index].element = .row(RowPath(section: start.section, row: start.row + index))
    }
    (visible, firstLine, keepsScreen) = (display.visible, display.firstLine, true)
    setTopLine()
  }

  /// Fills the screen from the anchor in both directions, as far as the content reaches; a list without lines has no anchor.
  /// Known elements have a slot.
  ///
  /// - Complexity: O(v + m log n) for v elements on the screen, m elements that are measured and n runs of heights.
  mutating func fill(_ known: [Slot], from anchor: ScrollAnchor?, workingRange: Int) throws(TableError) {
    self.known = known
    guard let anchor else { return }
    guard height > 0 else {
      unseen = anchor
      return setTopLine()
    }
    var first = try slot(for: anchor.element)
    top = anchor.line(first.height, on: height)
    if anchor.isKept, top + first.height <= anchor.covered {
      if let next = anchor.next, next.line < height {
        advance.append(first)
        first = try slot(for: next.element)
        top = next.line
      } else {
        top = anchor.covered + 1 - first.height
      }
    }
    if anchor.isBelowHeader, pinsHeaders {
      advance.append(first)
      if let header = try header(ofSection: first.element.section) { top = max(top, header.height) }
    }
    bottom = top + first.height
    slots.reserveCapacity(known.count + 2)
    slots.append(first)
    try fillDown()
    try fillUp()
    // The content ends above the end of the screen.
    if bottom < height {
      top += height - bottom
      bottom = height
      try fillUp()
    }
    // The content starts below the start of the screen.
    if top > 0 {
      bottom -= top
      top = 0
      try fillDown()
    }
    removeHidden()
    keepReady(workingRange)
    if pinsHeaders { try pinHeader() }
    // Measuring the elements kept ready above the screen moves the first line.
    setTopLine()
  }

  /// The slot of the header of a section, unless there is none, or it would leave no line to the rows.
  private mutating func header(ofSection section: Int) throws(TableError) -> Slot? {
    let element = TableElement.header(section: section)
    guard !geometry.lines(of: element).isEmpty else { return nil }
    let slot = try slot(for: element)
    advance.append(slot)
    return slot.height < height ? slot : nil
  }

  /// Shows the header of the first section on the screen at the top, as far as the next section leaves room.
  private mutating func pinHeader() throws(TableError) {
    let first = slots[visible.lowerBound].element
    if case .header = first, firstLine == 0 { return }
    // The header is requested only once, even if it is partly above the screen, or was kept ready there.
    if let asked = slots.first(where: { $0.element == .header(section: first.section) }) { advance.append(asked) }
    guard let header = try header(ofSection: first.section) else { return }
    // The elements kept ready above the screen may include it.
    let index = slots.firstIndex { $0.element.section == first.section } ?? visible.lowerBound
    if slots[index].element != header.element {
      slots.insert(header, at: index)
      visible = visible.lowerBound + 1..<visible.upperBound + 1
    }
    let end = geometry.lines(of: .footer(section: first.section)).upperBound
    let room = end - geometry.lines(of: first).lowerBound + firstLine
    pinned = (index, min(0, room - header.height))
  }

  /// Finds the first line of the content on the screen, by the first element there.
  private mutating func setTopLine() {
    if let anchor = unseen {
      let lines = geometry.lines(of: anchor.element)
      topLine = max(
        0, min(lines.lowerBound - anchor.line(lines.count, on: 0), anchor.isKept ? lines.upperBound : geometry.height))
    } else if !slots.isEmpty {
      topLine = geometry.lines(of: slots[visible.lowerBound].element).lowerBound - firstLine
    }
  }

  private mutating func fillDown() throws(TableError) {
    var last = slots[slots.count - 1].element
    while bottom < height, let next = element(after: last) {
      let slot = try slot(for: next)
      slots.append(slot)
      bottom += slot.height
      last = next
    }
  }

  private mutating func fillUp() throws(TableError) {
    var above: [Slot] = []
    var first = slots[0].element
    while top > 0, let next = geometry.element(before: first) {
      let slot = try slot(for: next)
      above.append(slot)
      top -= slot.height
      first = next
    }
    if !above.isEmpty { slots = above.reversed() + slots }
  }

  /// Removes the slots that are laid out but lie outside of the screen.
  private mutating func removeHidden() {
    assert(slots.reduce(top) { $0 + $1.height } == bottom, "\(slots) are laid out from line \(top) to line \(bottom)")
    var hidden = 0
    while top + slots[hidden].height <= 0 {
      top += slots[hidden].height
      hidden += 1
    }
    slots.removeFirst(hidden)
    while let last = slots.last, bottom - last.height >= height {
      bottom -= last.height
      slots.removeLast()
    }
    (visible, firstLine) = (slots.indices, top)
  }

  /// Adds the elements near the screen. An element without a cell is left out until it appears.
  private mutating func keepReady(_ count: Int) {
    guard count > 0 else { return }
    let (first, last) = (slots[0].element, slots[slots.count - 1].element)
    let below = neighbours(of: last, count, areAbove: false)
    let above = neighbours(of: first, count, areAbove: true)
    visible = above.count..<above.count + slots.count
    slots = above.reversed() + slots + below
  }

  /// The elements above or below another one that have a cell, the nearest first.
  private mutating func neighbours(of element: TableElement, _ count: Int, areAbove: Bool) -> [Slot] {
    var (slots, last): ([Slot], TableElement) = ([], element)
    for _ in 0..<count {
      guard let next = areAbove ? geometry.element(before: last) : self.element(after: last) else { break }
      last = next
      if let slot = try? slot(for: next) { slots.append(slot) }
    }
    return slots
  }

  // MARK: - Elements

  private func element(after element: TableElement) -> TableElement? {
    // Most of the screen is in use already, and needs no search for the next row.
    if lastKnown + 1 < known.count {
      let next = known[lastKnown + 1].element
      if element.isFollowed(by: next) { return next }
    }
    return geometry.element(after: element)
  }

  /// The slot of an element, whose height is measured unless it is in use and unchanged.
  private mutating func slot(for element: TableElement) throws(TableError) -> Slot {
    if !advance.isEmpty, let slot = advance.first(where: { $0.element == element }) { return slot }
    var slot = known(element) ?? Slot(element: element, height: 0)
    if slot.cell != nil, !slot.isChanged, slot.isMeasured { return slot }
    let request = try checkedRequest(element)
    // Headers and footers that do not exist never get here.
    let height = max(1, request.height)
    geometry.measure(element, height)
    (slot.height, slot.isMeasured) = (height, true)
    measured.append(slot)
    // A cell of the right kind, with the right content, is only measured.
    if let cell = slot.cell, !slot.isChanged, pool[cell].reuseIdentifier == request.reuseIdentifier { return slot }
    slot.request = requests.count
    requests.append(request)
    return slot
  }

  private mutating func checkedRequest(_ element: TableElement) throws(TableError) -> CellRequest {
    do throws(TableError) { return try checkedRequest(element, nil) } catch {
      return try checkedRequest(element, error)
    }
  }

  /// Checks that a reuse identifier is used for one class, as the pool could provide the wrong cell otherwise.
  private mutating func checkedRequest(
    _ element: TableElement, _ refusal: TableError?
  ) throws(TableError) -> CellRequest {
    let request = try request(element, refusal)
    let cellType = pool.cellType(for: request, of: element)
    if cellType != request.cellType { throw .ambiguity(request.reuseIdentifier, cellType, request.cellType) }
    return request
  }

  // MARK: - Estimates

  /// The first and the last element in use. All elements between them are in use, too; a pinned header may be above the
  /// first.
  var ends: (first: TableElement, last: TableElement)? {
    let first = pinned?.index == 0 && !visible.contains(0) ? 1 : 0
    return first < slots.count ? (slots[first].element, slots[slots.count - 1].element) : nil
  }

  /// The mean height of the rows in use, or `nil` if there are none.
  var meanRowHeight: Int? {
    var (sum, count) = (0, 0)
    for slot in slots where slot.element.rowPath != nil { (sum, count) = (sum + slot.height, count + 1) }
    return count == 0 ? nil : (sum + count / 2) / count
  }

  /// Replaces the heights of elements that are not in use and were not measured. The screen stays as it is.
  mutating func estimate(by estimates: TableGeometry) {
    geometry = estimates
    for slot in measured + slots { geometry.measure(slot.element, slot.height) }
    setTopLine()
  }

  /// The slot of an element in use: the one after the slot found last, or else found by binary search.
  private mutating func known(_ element: TableElement) -> Slot? {
    var index = lastKnown + 1
    if index == known.count || known[index].element != element {
      index = known.indices.countPrefix { known[$0].element.precedes(element) }
      guard index < known.count, known[index].element == element else { return nil }
    }
    lastKnown = index
    return known[index]
  }
}

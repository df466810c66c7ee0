import RowcastDiff

/// An element and its place on the screen, from which the places of all others follow.
struct Anchor {
  var element: TableElement
  /// Returns the line of the screen at which the element starts; it may lie outside.
  var line: (_ elementHeight: Int, _ screenHeight: Int) -> Int

  /// Starts at a line.
  static func line(_ line: Int, _ element: TableElement) -> Anchor { Anchor(element: element) { _, _ in line } }
}

/// A screen that is laid out from an anchor: a plan, made by all steps that can fail, that has changed nothing yet.
///
/// Elements in use keep their cells. For the others, and for those that changed, the provider is asked.
struct Layout {
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
  private(set) var requests: [CellRequest] = []

  /// The number of lines of the screen.
  private let height: Int
  /// The slots in use, in the order of the list.
  private let known: [Slot]
  private let pool: ReusePool
  private let request: (TableElement) throws(TableError) -> CellRequest
  /// The index of the known slot that was met last.
  private var lastKnown = -1
  /// The lines of the screen that are laid out so far.
  private var (top, bottom) = (0, 0)
  /// The classes of the kinds of cells that the pool does not know yet.
  private var newKinds: [ReusePool.Kind: Cell.Type] = [:]

  init(
    _ geometry: TableGeometry, height: Int, known: [Slot], pool: ReusePool,
    request: @escaping (TableElement) throws(TableError) -> CellRequest
  ) {
    (self.geometry, self.height, self.known, self.pool, self.request) = (geometry, height, known, pool, request)
  }

  /// Fills the screen from the anchor in both directions, as far as the content reaches; a list without lines has no anchor.
  ///
  /// - Complexity: O(v + m log n) for v elements on the screen, m elements that are measured and n runs of heights.
  mutating func fill(from anchor: Anchor?, workingRange: Int) throws(TableError) {
    guard let anchor else { return }
    guard height > 0 else {
      topLine = max(0, geometry.lines(of: anchor.element).lowerBound - anchor.line(1, 0))
      return
    }
    let first = try slot(for: anchor.element)
    top = anchor.line(first.height, height)
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
    // Measuring what is kept ready above the screen moves the first line.
    topLine = geometry.lines(of: slots[visible.lowerBound].element).lowerBound - firstLine
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
    slots.insert(contentsOf: above.reversed(), at: 0)
  }

  /// Removes the slots that are laid out and lie outside of the screen.
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

  /// Adds the elements near the screen. One without a cell is left out until it comes into view.
  private mutating func keepReady(_ count: Int) {
    guard count > 0 else { return }
    var (above, below): ([Slot], [Slot]) = ([], [])
    var (first, last) = (slots[0].element, slots[slots.count - 1].element)
    for _ in 0..<count {
      guard let next = element(after: last) else { break }
      last = next
      if let slot = try? slot(for: next) { below.append(slot) }
    }
    for _ in 0..<count {
      guard let next = geometry.element(before: first) else { break }
      first = next
      if let slot = try? slot(for: next) { above.append(slot) }
    }
    visible = above.count..<above.count + slots.count
    slots = above.reversed() + slots + below
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
    var slot = known(element) ?? Slot(element: element, height: 0)
    if slot.cell != nil, !slot.isChanged { return slot }
    let request = try request(element)
    try check(request, for: element)
    geometry.measure(element, request.height)
    slot.height = request.height
    slot.request = requests.count
    requests.append(request)
    return slot
  }

  /// The slot of an element in use: the one after that met last, or else found by binary search.
  private mutating func known(_ element: TableElement) -> Slot? {
    var index = lastKnown + 1
    if index == known.count || known[index].element != element {
      index = known.indices.countPrefix { known[$0].element.precedes(element) }
      guard index < known.count, known[index].element == element else { return nil }
    }
    lastKnown = index
    return known[index]
  }

  /// Checks that a reuse identifier stands for one class, as the pool could hand out the wrong cell otherwise.
  private mutating func check(_ request: CellRequest, for element: TableElement) throws(TableError) {
    let kind = ReusePool.Kind(request.reuseIdentifier, of: element)
    guard let cellType = pool.cellType(of: kind) ?? newKinds[kind] else {
      newKinds[kind] = request.cellType
      return
    }
    guard cellType == request.cellType else {
      throw .ambiguousIdentifier(
        kind.identifier, cells: String(reflecting: cellType), and: String(reflecting: request.cellType))
    }
  }
}

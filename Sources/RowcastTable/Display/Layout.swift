import RowcastDiff
import RowcastModel

/// Lays a screen out from an anchor: measures what comes into view, and fills the screen in both directions.
struct Layout<Section: SectionViewModel, Row: RowViewModel> {
  typealias Plan = DisplayPlan<Section, Row>
  typealias Content = TableContent<Section, Row>

  let snapshot: ListSnapshot<Section, Row>
  let providers: TableProviders<Section, Row>
  /// The class that a reuse identifier stands for already, of rows and of headers and footers.
  let kind: (_ identifier: String, _ isRow: Bool) -> Cell.Type?
  /// The number of lines of the screen.
  let height: Int
  /// The heights as they are known by now.
  private(set) var geometry: TableGeometry
  /// What is laid out so far, from top to bottom, and the lines on the screen that it takes.
  private var items: [Plan.Item] = []
  private var (top, bottom) = (0, 0)
  /// The classes that this layout is the first to ask for, of headers and footers and of rows.
  private var newKinds: [Bool: [String: Cell.Type]] = [:]
  /// What is in use already, and is what the list has there.
  private let known: [TableElement: ShownElement<Section, Row>]

  init(
    _ snapshot: ListSnapshot<Section, Row>, geometry: TableGeometry, height: Int,
    providers: TableProviders<Section, Row>, known: [ShownElement<Section, Row>],
    kind: @escaping (String, Bool) -> Cell.Type?
  ) {
    self.known = Dictionary(known.map { ($0.element, $0) }) { first, _ in first }
    self.snapshot = snapshot
    self.geometry = geometry
    self.height = height
    self.providers = providers
    self.kind = kind
  }

  /// Plans a screen.
  ///
  /// - Parameters:
  ///   - anchor: What stands where, as far as the content reaches; `nil` for a list without lines.
  ///   - workingRange: How many elements are kept ready above and below the screen.
  /// - Returns: What is to be on the screen and near it.
  /// - Throws: ``TableError`` if an element that would be on the screen has no cell.
  /// - Complexity: O(m log n) for m elements that are measured and n runs of heights.
  mutating func plan(_ anchor: Anchor?, workingRange: Int) throws(TableError) -> Plan {
    guard let anchor, height > 0 else { return Plan(geometry: geometry, top: anchor.map(hiddenTop) ?? 0) }
    let first = try item(anchor.element)
    top = anchor.line(elementHeight: first.request.height, screenHeight: height)
    bottom = top + first.request.height
    items = [first]
    try fillDown()
    try fillUp()
    if bottom < height {
      // The content ends above the end of the screen.
      shift(by: height - bottom)
      try fillUp()
    }
    if top > 0 {
      // The content starts below the start of the screen.
      shift(by: -top)
      try fillDown()
    }
    return finished(workingRange: workingRange)
  }

  /// Where a screen without lines stands.
  private func hiddenTop(_ anchor: Anchor) -> Int {
    max(0, geometry.line(of: anchor.element) - anchor.line(elementHeight: 1, screenHeight: 0))
  }

  private mutating func shift(by lines: Int) {
    top += lines
    bottom += lines
  }

  private mutating func fillDown() throws(TableError) {
    while bottom < height, let last = items.last, let next = geometry.element(after: last.element) {
      items.append(try item(next))
      bottom += items[items.count - 1].request.height
    }
  }

  private mutating func fillUp() throws(TableError) {
    var above: [Plan.Item] = []
    while top > 0, let first = above.last ?? items.first, let next = geometry.element(before: first.element) {
      above.append(try item(next))
      top -= above[above.count - 1].request.height
    }
    items.insert(contentsOf: above.reversed(), at: 0)
  }

  /// The visible part of what is laid out, and what is to be ready near it.
  private mutating func finished(workingRange: Int) -> Plan {
    var visible: [Plan.Item] = []
    var line = top
    for var item in items {
      item.line = line
      line += item.request.height
      if line > 0, item.line < height { visible.append(item) }
    }
    var near: [Plan.Item] = []
    if workingRange > 0, let first = visible.first, let last = visible.last {
      near += ready(workingRange, from: last.element) { $0.element(after: $1) }
      near += ready(workingRange, from: first.element) { $0.element(before: $1) }
    }
    let start = visible.first.map { geometry.line(of: $0.element) - $0.line } ?? 0
    return Plan(geometry: geometry, top: start, visible: visible, prefetched: near)
  }

  /// The elements next to another one. What has no cell is left for when it comes into view.
  private mutating func ready(
    _ count: Int, from start: TableElement, next: (TableGeometry, TableElement) -> TableElement?
  ) -> [Plan.Item] {
    var ready: [Plan.Item] = []
    var element = start
    for _ in 0..<count {
      guard let following = next(geometry, element) else { break }
      element = following
      if let item = try? item(element) { ready.append(item) }
    }
    return ready
  }

  // MARK: - Elements

  /// An element with its cell; its height is known from now on.
  private mutating func item(_ element: TableElement) throws(TableError) -> Plan.Item {
    if let shown = known[element] {
      return Plan.Item(element: element, content: shown.content, request: shown.request)
    }
    let content = content(of: element)
    let request = try providers.request(for: content)
    try check(request, isRow: content.row != nil)
    geometry.measure(element, request.height)
    return Plan.Item(element: element, content: content, request: request)
  }

  private func content(of element: TableElement) -> Content {
    switch element {
    case .header(let section): .header(snapshot.section(at: section))
    case .row(let path): .row(snapshot.row(at: path))
    case .footer(let section): .footer(snapshot.section(at: section))
    }
  }

  /// A reuse identifier stands for one class, or the pool would hand out cells that cannot show their rows.
  private mutating func check(_ request: CellRequest, isRow: Bool) throws(TableError) {
    let identifier = request.reuseIdentifier
    let known = kind(identifier, isRow) ?? newKinds[isRow, default: [:]][identifier]
    if known == nil { newKinds[isRow, default: [:]][identifier] = request.cellType }
    guard let known, known != request.cellType else { return }
    throw .ambiguousIdentifier(
      identifier, cells: String(reflecting: known), and: String(reflecting: request.cellType))
  }
}

/// Who chooses the cells of a table.
struct TableProviders<Section: SectionViewModel, Row: RowViewModel> {
  var rows: any CellProvider<Row>
  var headers: (any CellProvider<Section>)?
  var footers: (any CellProvider<Section>)?

  func request(for content: TableContent<Section, Row>) throws(TableError) -> CellRequest {
    switch content {
    case .header(let section): try request(for: section, headers)
    case .row(let row): try rows.request(for: row)
    case .footer(let section): try request(for: section, footers)
    }
  }

  private func request(
    for section: Section, _ provider: (any CellProvider<Section>)?
  ) throws(TableError) -> CellRequest {
    guard let provider else { throw .unregistered(identifier: section.reuseIdentifier) }
    return try provider.request(for: section)
  }
}

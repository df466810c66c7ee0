/// What is counted of a table: ids that were asked for and hashed, rows that were compared, rows for which the provider was asked for
/// a cell, calls of cells, of any kind, and cells that were configured.
enum TableMetric: CaseIterable {
  case ids, hashes, comparisons, requests, cellCalls, configured
}

/// What a step of a table does, in counts, as far as there are any.
typealias TableWork = [TableMetric: Int]

extension TableWork {
  /// How often any row was looked at.
  var looks: Int { [.ids, .comparisons, .requests].reduce(0) { $0 + self[$1, default: 0] } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class TableMeter: Sendable {
  private let counts = Dictionary(uniqueKeysWithValues: TableMetric.allCases.map { ($0, CallCount()) })

  func note<Value>(_ metric: TableMetric, _ value: Value) -> Value { counts[metric]?.note(value) ?? value }

  /// The work of a step of a table.
  func work<Section, Row>(in table: RetainedTable<Section, Row>, of step: () throws -> Void) rethrows -> TableWork {
    let (before, configured) = (counts.mapValues(\.value), table.configurationCount)
    try step()
    var work = counts.mapValues(\.value).merging(before, uniquingKeysWith: -)
    work[.configured] = table.configurationCount - configured
    return work.filter { $0.value != 0 }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct MeteredRow: RowViewModel {
  struct ID: Hashable, Sendable {
    let number: Int
    let meter: TableMeter

    static func == (lhs: ID, rhs: ID) -> Bool { lhs.number == rhs.number }

    func hash(into hasher: inout Hasher) { meter.note(.hashes, number.hash(into: &hasher)) }
  }

  let number: Int
  var text = ""
  let meter: TableMeter

  init(_ number: Int, _ text: String = "", _ meter: TableMeter) {
    (self.number, self.text, self.meter) = (number, text, meter)
  }

  var id: ID { meter.note(.ids, ID(number: number, meter: meter)) }

  static func == (lhs: MeteredRow, rhs: MeteredRow) -> Bool {
    lhs.meter.note(.comparisons, lhs.number == rhs.number && lhs.text == rhs.text)
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class MeteredCell: Cell, RowCell {
  private var meter: TableMeter?

  func configure(with row: MeteredRow) {
    meter = row.meter
    count()
  }

  override func prepareForReuse() { count() }
  override func willDisplay() { count() }
  override func didEndDisplaying() { count() }

  private func count() { meter?.note(.cellCalls, ()) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct MeteredCells: CellProvider {
  let meter: TableMeter

  func request(for row: MeteredRow) throws(TableError) -> CellRequest {
    meter.note(.requests, CellRequest(MeteredCell.self, showing: row))
  }
}

/// A table of metered rows in the middle of its list.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct MeteredTable {
  typealias Draft = ListDraft<TestSection, MeteredRow>

  let meter = TableMeter()
  let table: RetainedTable<TestSection, MeteredRow>
  /// The first row on the screen.
  let top: Int

  init(rows count: Int, height: Int) throws {
    table = RetainedTable(cells: MeteredCells(meter: meter), height: height)
    top = count / 2
    let rows = (0..<count).map { [meter] in MeteredRow($0, "", meter) }
    try table.apply(ListUpdate(initial: ListSnapshot([ListSection(TestSection("a"), rows: rows)]), revision: 0))
    try table.scroll(toLine: top)
  }

  func row(_ number: Int, _ text: String = "") -> MeteredRow { MeteredRow(number, text, meter) }

  func scroll(_ step: (RetainedTable<TestSection, MeteredRow>) throws -> ApplyReport) rethrows -> TableWork {
    try meter.work(in: table) { _ = try step(table) }
  }

  /// The work of an update; its difference is made before.
  func update(_ edit: (inout Draft) -> Void) throws -> TableWork {
    var draft = Draft(table.snapshot)
    let before = draft.snapshot
    // A draft has a list of its own: the table is brought onto it.
    try table.apply(ListUpdate(revision: 1, previous: 0, changes: ListChanges(), snapshot: before))
    edit(&draft)
    draft.commit()
    let after = draft.snapshot
    let update = ListUpdate(revision: 2, previous: 1, changes: before.changes(to: after), snapshot: after)
    return try meter.work(in: table) { try table.apply(update) }
  }
}

import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// A row on the screen that changes its kind, and with it its cell.
@Suite(.watched) struct KindTests {
  struct Note: RowViewModel, Hashable {
    let id: Int
    var kind: String
    var text = ""
    var reuseIdentifier: String { kind }
  }

  typealias List = ListSnapshot<TestSection, Note>
  typealias Table = RetainedTable<TestSection, Note>

  /// What cells were called for, in order.
  final class Journal { var entries: [String] = [] }

  final class NoteCell: Cell, RowCell {
    private(set) var row: Note?
    private(set) var configurations = 0
    private(set) var displays = 0
    private(set) var endings = 0
    var journal: Journal?

    static func height(of row: Note) -> Int { row.kind == "tall" ? 3 : 1 }

    func configure(with row: Note) {
      self.row = row
      configurations += 1
      journal?.entries.append("configure \(reuseIdentifier) \(row.id)")
    }

    override func prepareForReuse() { journal?.entries.append("prepare \(reuseIdentifier)") }

    override func willDisplay() {
      displays += 1
      journal?.entries.append("begin \(reuseIdentifier)")
    }

    override func didEndDisplaying() {
      endings += 1
      journal?.entries.append("end \(reuseIdentifier)")
    }
  }

  struct NoteCells: CellProvider {
    var journal: Journal?

    func request(for row: Note) throws(TableError) -> CellRequest {
      CellRequest(
        NoteCell.self, showing: row, reuseIdentifier: row.kind,
        registration: .prototype { identifier in
          let cell = NoteCell(reuseIdentifier: identifier)
          cell.journal = journal
          return cell
        })
    }
  }

  private func list(_ rows: [Note]) throws -> List { try List([ListSection(TestSection("a"), rows: rows)]) }

  @discardableResult
  private func show(_ list: List, in table: Table) throws -> ApplyReport {
    guard let revision = table.revision else { return try table.apply(ListUpdate(initial: list, revision: 0)) }
    return try table.apply(
      ListUpdate(
        revision: revision + 1, previous: revision, changes: table.snapshot.changes(to: list), snapshot: list))
  }

  @Test func `R5 R7 the new cell is dequeued, the old one ends and is pooled, and the new one is displayed`() throws {
    let journal = Journal()
    let table = Table(cells: NoteCells(journal: journal), height: 2)
    try show(list([Note(id: 1, kind: "x"), Note(id: 2, kind: "y")]), in: table)
    let old = try #require(table.visibleRows[0].cell as? NoteCell)
    journal.entries = []
    let report = try show(list([Note(id: 1, kind: "y"), Note(id: 2, kind: "y")]), in: table)
    #expect(journal.entries == ["configure y 1", "end x", "begin y"])
    #expect(report.cells.map(\.event) == [.replaced] && report.cells.map(\.reuseIdentifier) == ["y"])
    #expect(old.displays == 1 && old.endings == 1 && table.statistics["x"]?.pooled == 1)
    #expect(table.configurationCount == 3 && report.configuredCount == 1)
    journal.entries = []
    try show(list([Note(id: 1, kind: "x"), Note(id: 2, kind: "y")]), in: table)
    #expect(journal.entries == ["prepare x", "configure x 1", "end y", "begin x"])
    #expect(table.visibleRows[0].cell === old)
  }

  /// A table whose rows change their kinds, beside what the rules say of every cell and every row.
  @Test func `R5 R7 R10 display calls come in pairs for cells and rows whose kinds change at random`() async throws {
    var random = SeededGenerator.forFuzzing("kinds")
    for _ in 0..<SeededGenerator.rounds(40, long: 2_000) {
      var cells: [ObjectIdentifier: NoteCell] = [:]
      var table: Table? = Table(
        cells: NoteCells(), height: Int.random(in: 1...9, using: &random),
        poolCap: Int.random(in: 0...3, using: &random))
      let stream = try #require(table?.eventStream(keeping: 100_000))
      var (last, versions): ([Note], Set<Note>) = ([], [])
      var note: Comment = ""
      if let table {
        for _ in 0..<30 {
          let before = table.summary
          table.workingRange = Int.random(in: 0...3, using: &random)
          switch Int.random(in: 0..<6, using: &random) {
          case 0: try table.scroll(byLines: Int.random(in: -4...4, using: &random))
          case 1: try table.reloadAll()
          case 2: try table.resize(toHeight: Int.random(in: 0...9, using: &random))
          default:
            let ids = (0..<14).filter { _ in Int.random(in: 0..<6, using: &random) > 0 }
            let order = Bool.random(using: &random) ? ids : ids.shuffled(using: &random)
            let rows = order.map { id in
              let kind = ["x", "y", "tall"].randomElement(using: &random) ?? "x"
              return Note(id: id, kind: kind, text: String(Int.random(in: 0..<2, using: &random)))
            }
            try show(list(rows), in: table)
          }
          note = "seed \(random.seed): \(before), then \(table.summary), \(table.workingRange) kept ready"
          check(table, &cells, note)
          last = table.visibleRows.map(\.row)
          versions.formUnion(last)
        }
      }
      table = nil
      var shown: [Int: Note] = [:]
      for await event in stream {
        switch event {
        case .willDisplay(let row, _): #expect(shown.updateValue(row, forKey: row.id) == nil, note)
        case .didEndDisplaying(let row):
          #expect(shown.removeValue(forKey: row.id)?.kind == row.kind && versions.contains(row), note)
        default: break
        }
      }
      #expect(Set(shown.keys) == Set(last.map(\.id)), note)
      #expect(last.allSatisfy { shown[$0.id]?.kind == $0.kind }, note)
    }
  }

  private func check(_ table: Table, _ cells: inout [ObjectIdentifier: NoteCell], _ note: Comment) {
    let visible = table.visibleRows.compactMap { $0.cell as? NoteCell }
    let ready = table.prefetchedRows.compactMap { $0.cell as? NoteCell }
    for cell in visible + ready { cells[ObjectIdentifier(cell)] = cell }
    let displayed = Set(visible.map(ObjectIdentifier.init))
    // Every cell that was ever in use, also those that are pooled or let go by now.
    for (identity, cell) in cells {
      #expect(cell.displays == cell.endings + (displayed.contains(identity) ? 1 : 0), note)
    }
    for shown in table.visibleRows + table.prefetchedRows {
      #expect(shown.cell.reuseIdentifier == shown.row.kind, note)
      #expect((shown.cell as? NoteCell)?.row == shown.row, note)
      #expect(table.snapshot.row(at: shown.path) == shown.row, note)
    }
    let all = table.totals
    #expect(all.visible == visible.count && all.prefetched == ready.count, note)
    #expect(all.created == visible.count + ready.count + all.pooled + all.discarded, note)
    #expect(all.dequeues == all.hits + all.created, note)
    #expect(table.lines.count == min(table.height, table.contentHeight), note)
  }
}

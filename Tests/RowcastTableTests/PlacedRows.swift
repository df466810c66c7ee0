/// A row that says how many lines it has.
struct PlacedRow: RowViewModel {
  let id: Int
  var lines: Int
  /// What lists are regrouped by, and what decides the kind of the cell.
  var group: Int
  var kind: String { group.isMultiple(of: 2) ? "even" : "odd" }

  /// The group of rows that have no cell.
  static let unshowable = -1
}

struct PlacedSection: SectionViewModel {
  let id: Int
  var lines = 1
}

typealias PlacedList = ListSnapshot<PlacedSection, PlacedRow>
typealias PlacedTable = RetainedTable<PlacedSection, PlacedRow>

/// A header, a row or a footer by its identity.
enum PlacedKey: Hashable {
  case header(Int)
  case row(Int)
  case footer(Int)

  var isHeader: Bool { if case .header = self { true } else { false } }
}

/// What the heights of rows depend on besides the rows, and the heights that the table was told.
final class Surroundings {
  var scale = 1
  var extra: [Int: Int] = [:]
  /// The height at each call of a provider: what the table knows.
  var told: [PlacedKey: Int] = [:]
  /// True if the provider estimates every height rightly; false if it estimates none.
  let estimates: Bool
  /// What cells do while they are configured.
  var whileConfigured: (() -> Void)?

  init(estimates: Bool) { self.estimates = estimates }

  func height(of row: PlacedRow) -> Int { row.lines * scale + extra[row.id, default: 0] }
}

/// A row as its cell shows it.
struct SizedRow: RowViewModel {
  let row: PlacedRow
  let height: Int
  var id: Int { row.id }
}

/// What a cell shows.
enum PlacedContent: Equatable {
  case row(PlacedRow), section(PlacedSection)

  var kind: String? { if case .row(let row) = self { row.kind } else { nil } }
}

/// A cell that counts what is done to it.
class CountingCell: Cell {
  private(set) var content: PlacedContent?
  private(set) var displays = 0
  private(set) var endings = 0
  private(set) var configurations = 0

  fileprivate func show(_ content: PlacedContent) { (self.content, configurations) = (content, configurations + 1) }
  override func willDisplay() { displays += 1 }
  override func didEndDisplaying() { endings += 1 }
}

final class PlacedCell: CountingCell, RowCell {
  fileprivate var surroundings: Surroundings?
  static func height(of row: SizedRow) -> Int { row.height }
  func configure(with row: SizedRow) {
    show(.row(row.row))
    surroundings?.whileConfigured?()
  }
}

/// Another look of the same rows, under the same identifiers.
final class OtherPlacedCell: CountingCell, RowCell {
  static func height(of row: SizedRow) -> Int { row.height }
  func configure(with row: SizedRow) { show(.row(row.row)) }
}

final class PlacedHeader: CountingCell, RowCell {
  static func height(of section: PlacedSection) -> Int { section.lines }
  func configure(with section: PlacedSection) { show(.section(section)) }
}

struct PlacedCells: CellProvider {
  let surroundings: Surroundings
  var isOther = false

  func request(for row: PlacedRow) throws(TableError) -> CellRequest {
    if row.group == PlacedRow.unshowable { throw .unregistered(identifier: "unshowable") }
    let height = surroundings.height(of: row)
    surroundings.told[.row(row.id)] = height
    let sized = SizedRow(row: row, height: height)
    if isOther { return CellRequest(OtherPlacedCell.self, showing: sized, reuseIdentifier: row.kind) }
    let registration = CellRegistration<PlacedCell>.prototype { [surroundings] identifier in
      let cell = PlacedCell(reuseIdentifier: identifier)
      cell.surroundings = surroundings
      return cell
    }
    return CellRequest(PlacedCell.self, showing: sized, reuseIdentifier: row.kind, registration: registration)
  }

  var estimatedHeight: ((PlacedRow) -> Int)? { surroundings.estimates ? surroundings.height : nil }
}

/// Headers as their sections say, with the sections for which the table has asked.
final class PlacedHeaders: CellProvider {
  var requests: [Int] = []

  func request(for section: PlacedSection) throws(TableError) -> CellRequest {
    requests.append(section.id)
    return CellRequest(PlacedHeader.self, showing: section)
  }
}

final class PlacedFooter: CountingCell, RowCell {
  static func height(of section: PlacedSection) -> Int { 3 - section.lines }
  func configure(with section: PlacedSection) { show(.section(section)) }
}

struct PlacedFooters: CellProvider {
  let surroundings: Surroundings

  func request(for section: PlacedSection) throws(TableError) -> CellRequest {
    surroundings.told[.footer(section.id)] = 3 - section.lines
    return CellRequest(PlacedFooter.self, showing: section)
  }
}

import RowcastModel
import RowcastTable

/// A row that says how many lines it has.
struct PlacedRow: RowViewModel {
  let id: Int
  var lines: Int
  /// What lists are regrouped by.
  var group: Int

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

final class PlacedCell: Cell, RowCell {
  private(set) var row: PlacedRow?
  fileprivate var surroundings: Surroundings?
  static func height(of row: SizedRow) -> Int { row.height }
  func configure(with row: SizedRow) {
    self.row = row.row
    surroundings?.whileConfigured?()
  }
}

/// Another look of the same rows, under the same identifier.
final class OtherPlacedCell: Cell, RowCell {
  private(set) var row: PlacedRow?
  static var reuseIdentifier: String { PlacedCell.reuseIdentifier }
  static func height(of row: SizedRow) -> Int { row.height }
  func configure(with row: SizedRow) { self.row = row.row }
}

final class PlacedHeader: Cell, RowCell {
  private(set) var section: PlacedSection?
  static func height(of section: PlacedSection) -> Int { section.lines }
  func configure(with section: PlacedSection) { self.section = section }
}

struct PlacedCells: CellProvider {
  let surroundings: Surroundings
  var isOther = false

  func request(for row: PlacedRow) throws(TableError) -> CellRequest {
    if row.group == PlacedRow.unshowable { throw .unregistered(identifier: "unshowable") }
    let height = surroundings.height(of: row)
    surroundings.told[.row(row.id)] = height
    let sized = SizedRow(row: row, height: height)
    if isOther { return CellRequest(OtherPlacedCell.self, showing: sized) }
    let registration = CellRegistration<PlacedCell>.prototype { [surroundings] identifier in
      let cell = PlacedCell(reuseIdentifier: identifier)
      cell.surroundings = surroundings
      return cell
    }
    return CellRequest(PlacedCell.self, showing: sized, registration: registration)
  }

  var estimatedHeight: ((PlacedRow) -> Int)? { surroundings.estimates ? surroundings.height : nil }
}

struct PlacedHeaders: CellProvider {
  let surroundings: Surroundings

  func request(for section: PlacedSection) throws(TableError) -> CellRequest {
    return CellRequest(PlacedHeader.self, showing: section)
  }
}

final class PlacedFooter: Cell, RowCell {
  private(set) var section: PlacedSection?
  static func height(of section: PlacedSection) -> Int { 3 - section.lines }
  func configure(with section: PlacedSection) { self.section = section }
}

struct PlacedFooters: CellProvider {
  let surroundings: Surroundings

  func request(for section: PlacedSection) throws(TableError) -> CellRequest {
    surroundings.told[.footer(section.id)] = 3 - section.lines
    return CellRequest(PlacedFooter.self, showing: section)
  }
}

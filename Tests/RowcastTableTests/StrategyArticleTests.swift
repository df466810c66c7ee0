import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// The first article's example: a profile table whose rows say of which kind they are, and whose kinds know the drawer.
@Suite(.watched) struct StrategyArticleTests {
  struct UserInformation: RowViewModel {
    var title: String
    var value: String
    var id: String { title }
  }

  struct UserPicture: RowViewModel {
    var imageURL: String
    var id: String { "picture" }
  }

  /// What the table shows: a row knows its kind.
  enum ProfileRow: RowViewModel {
    case information(UserInformation)
    case picture(UserPicture)

    var id: String {
      switch self {
      case .information(let row): row.id
      case .picture(let row): row.id
      }
    }

    var kind: ProfileKind {
      switch self {
      case .information: .userInformation
      case .picture: .userPicture
      }
    }

    var information: UserInformation? { if case .information(let row) = self { row } else { nil } }
    var picture: UserPicture? { if case .picture(let row) = self { row } else { nil } }
  }

  enum ProfileKind: CellStrategy {
    case userInformation, userPicture

    var drawer: CellDrawer<ProfileRow> {
      switch self {
      case .userInformation: CellDrawer(InformationCell.self) { $0.information }
      case .userPicture: CellDrawer(PictureCell.self) { $0.picture }
      }
    }
  }

  final class InformationCell: Cell, RowCell {
    static let reuseIdentifier = "ATableViewCell"
    private(set) var title: String?
    private(set) var value: String?

    func configure(with row: UserInformation) {
      title = row.title
      value = row.value
    }
  }

  final class PictureCell: Cell, RowCell {
    static let reuseIdentifier = "BTableViewCell"
    private(set) var address: String?
    func configure(with row: UserPicture) { address = row.imageURL }
  }

  struct Profile {
    var nombre: String?
    var apellidos: String?
    var imgURL: String?

    /// A row for each field that is there, in the article's order.
    var rows: [ProfileRow] {
      [
        imgURL.map { .picture(UserPicture(imageURL: $0)) },
        nombre.map { .information(UserInformation(title: "Nombre", value: $0)) },
        apellidos.map { .information(UserInformation(title: "Apellidos", value: $0)) },
      ].compactMap(\.self)
    }
  }

  struct Part: SectionViewModel { let id = 0 }

  private func show(_ profile: Profile, in table: RetainedTable<Part, ProfileRow>) throws -> ApplyReport {
    let list = try ListSnapshot([ListSection(Part(), rows: profile.rows)])
    return try table.apply(ListUpdate(initial: list, revision: (table.revision ?? -1) + 1))
  }

  private func makeTable() -> RetainedTable<Part, ProfileRow> {
    RetainedTable(cells: StrategyCells<ProfileKind> { $0.kind }, height: 10)
  }

  @Test func `a picture row and a titled row for each field, each drawn by its own kind of cell`() throws {
    let table = makeTable()
    _ = try show(Profile(nombre: "Pablo", apellidos: "Sánchez", imgURL: "http://a.example/p.png"), in: table)
    #expect(table.visibleRows.map(\.cell.reuseIdentifier) == ["BTableViewCell", "ATableViewCell", "ATableViewCell"])
    #expect((table.visibleRows[0].cell as? PictureCell)?.address == "http://a.example/p.png")
    let cells = table.visibleRows.dropFirst().compactMap { $0.cell as? InformationCell }
    #expect(cells.map(\.title) == ["Nombre", "Apellidos"] && cells.map(\.value) == ["Pablo", "Sánchez"])
  }

  @Test func `fields may be missing, and a field that comes or changes touches its own cell only`() throws {
    let table = makeTable()
    _ = try show(Profile(nombre: "Pablo"), in: table)
    #expect(table.visibleRows.map(\.row.id) == ["Nombre"])
    let cell = table.visibleRows[0].cell
    let came = try show(Profile(nombre: "Pablo", imgURL: "p.png"), in: table)
    #expect(came.cells.map(\.event) == [.created] && table.visibleRows[1].cell === cell)
    let changed = try show(Profile(nombre: "Paula", imgURL: "p.png"), in: table)
    #expect(changed.cells.map(\.event) == [.reconfigured] && (cell as? InformationCell)?.value == "Paula")
  }

  @Test func `a kind whose drawer cannot show the row is a typed error`() throws {
    enum Confused: CellStrategy {
      case all
      var drawer: CellDrawer<ProfileRow> { CellDrawer(PictureCell.self) { $0.picture } }
    }
    let table = RetainedTable<Part, ProfileRow>(cells: StrategyCells<Confused> { _ in .all }, height: 3)
    #expect { try show(Profile(nombre: "Pablo"), in: table) } throws: { error in
      guard case .mismatch("all", let type) = error as? TableError else { return false }
      return type.contains("ProfileRow")
    }
    #expect(table.visibleRows.isEmpty && table.revision == nil)
  }
}

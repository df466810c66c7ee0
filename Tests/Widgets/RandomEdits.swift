import RowcastDiff
import RowcastModel
import RowcastTestSupport

/// A list that is edited at random, as plain arrays. Its texts repeat, its sections may be empty.
struct RandomList {
  private(set) var sections: [ListSection<TestSection, TestRow>] = []
  private let sectionLimit: Int
  private let rowLimit: Int
  private var random: SeededGenerator

  init(sections sectionLimit: Int, rows rowLimit: Int, seed: UInt64) {
    (self.sectionLimit, self.rowLimit) = (sectionLimit, rowLimit)
    random = SeededGenerator(seed: seed)
    rebuild()
  }

  func snapshot() throws -> TestSnapshot { try TestSnapshot(sections) }

  /// Goes on from another list.
  mutating func adopt(_ list: TestSnapshot) {
    sections = (0..<list.sectionCount).map { ListSection(list.section(at: $0), rows: Array(list.rows(inSection: $0))) }
  }

  /// Makes one to four edits, or now and then another list of the same ids.
  mutating func edit() {
    if Int.random(in: 0..<60, using: &random) == 0 { return rebuild() }
    for _ in 0..<Int.random(in: 1...4, using: &random) { editOnce() }
  }

  private mutating func editOnce() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: insert()
    case 4..<7: if let path = path() { sections[path.section].rows.remove(at: path.row) }
    case 7..<10: move(changed: false)
    case 10..<12: move(changed: true)
    case 12..<15: if let path = path() { sections[path.section].rows[path.row].text = text() }
    case 15:
      let free = missing(sectionLimit, sections.map(\.model.id)) { "s\($0)" }
      guard let id = free.randomElement(using: &random) else { return }
      sections.insert(ListSection(TestSection(id, text())), at: Int.random(in: 0...sections.count, using: &random))
      for _ in 0..<Int.random(in: 0..<3, using: &random) { insert() }
    case 16:
      guard sections.count > 1 || Int.random(in: 0..<10, using: &random) == 0, !sections.isEmpty else { return }
      sections.remove(at: .random(in: sections.indices, using: &random))
    case 17, 18:
      guard !sections.isEmpty else { return }
      let section = sections.remove(at: .random(in: sections.indices, using: &random))
      sections.insert(section, at: .random(in: 0...sections.count, using: &random))
    default:
      guard !sections.isEmpty else { return }
      sections[Int.random(in: sections.indices, using: &random)].model.content.title = text()
    }
  }

  private mutating func rebuild() {
    sections = []
    for id in (0..<sectionLimit).shuffled(using: &random).prefix(.random(in: 0...sectionLimit, using: &random)) {
      sections.append(ListSection(TestSection("s\(id)", text())))
    }
    for _ in 0..<rowLimit where Int.random(in: 0..<3, using: &random) > 0 { insert() }
  }

  private mutating func insert() {
    let free = missing(rowLimit, sections.flatMap { $0.rows.map(\.id) }) { $0 }
    guard !sections.isEmpty, let id = free.randomElement(using: &random) else { return }
    put(TestRow(id, text()))
  }

  private mutating func move(changed: Bool) {
    guard let path = path() else { return }
    var row = sections[path.section].rows.remove(at: path.row)
    if changed { row.text = text() }
    put(row)
  }

  private mutating func put(_ row: TestRow) {
    let section = Int.random(in: sections.indices, using: &random)
    sections[section].rows.insert(row, at: .random(in: 0...sections[section].rows.count, using: &random))
  }

  /// The place of any row.
  private mutating func path() -> RowPath? {
    sections.indices.filter { !sections[$0].rows.isEmpty }.randomElement(using: &random).map { section in
      RowPath(section: section, row: .random(in: sections[section].rows.indices, using: &random))
    }
  }

  private mutating func text() -> String {
    let kind = Int.random(in: 0..<4, using: &random) == 0 ? "¿" : ""
    let number = Int.random(in: 0..<20, using: &random)
    return "\(["a", "b", "c", "d"][number / 5])\(number % 5)\(kind)"
  }

  private func missing<ID: Hashable>(_ count: Int, _ ids: [ID], _ id: (Int) -> ID) -> [ID] {
    let taken = Set(ids)
    return (0..<count).map(id).filter { !taken.contains($0) }
  }
}

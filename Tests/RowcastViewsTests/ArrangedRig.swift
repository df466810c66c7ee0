import RowcastDiff
import RowcastModel
import RowcastTestSupport

/// How much there is of everything in a random list.
struct RigSize {
  let ids: Int
  let sections: Int
  /// How many values the keys have.
  let a: Int
  let b: Int
  /// One in how many sections or lists that might be dropped is dropped.
  let rarity: Int

  /// So small that all cases occur again and again.
  static let small = RigSize(ids: 14, sections: 4, a: 4, b: 5, rarity: 1)
  /// So large that lists and sections have many leaves.
  static let large = RigSize(ids: 400, sections: 24, a: 20, b: 90, rarity: 12)
  /// So large that sections have leaves, nodes above them, and nodes above these.
  static let deep = RigSize(ids: 3_600, sections: 3, a: 2, b: 700, rarity: 40)
}

/// The clock of recent rows, in seconds, which a test advances. Now and then it goes back.
struct RigTime: Sendable {
  let now: @Sendable () -> Double
  let pass: @Sendable () -> Void

  init() {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      (now, pass) = ({ 0 }, {})
      return
    }
    let passed = CallCount()
    now = { Double(passed.value % 11) }
    pass = { passed.note(()) }
  }
}

/// A list that random edits change, read by nodes without any actor between.
final class ArrangedRig<ID: Hashable & Sendable> {
  typealias Snapshot = ListSnapshot<TestSection, Card<ID>>
  typealias Model = NaiveList<TestSection, Card<ID>>

  let makeID: (Int) -> ID
  private let prefix: String
  let size: RigSize
  var draft = ListDraft<TestSection, Card<ID>>()
  private(set) var random: SeededGenerator
  let time = RigTime()

  /// - Parameters:
  ///   - random: Decides about everything.
  ///   - prefix: What the names of sections begin with.
  ///   - size: How much there is of everything.
  ///   - makeID: Makes an id of a number.
  init(_ random: SeededGenerator, prefix: String = "s", size: RigSize = .small, makeID: @escaping (Int) -> ID) {
    self.random = random
    self.size = size
    self.prefix = prefix
    self.makeID = makeID
  }

  func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// The draft as a source of other lists.
  var source: MadeList<TestSection, Card<ID>> { .source { [self] in draft.snapshot } }

  /// One random edit.
  func edit() {
    let list = draft.snapshot
    let sections = list.sectionCount
    guard sections > 0 else { return draft.insertSection(TestSection("\(prefix)\(int(0..<size.sections))"), at: 0) }
    func path(spare: Int = 1) -> RowPath {
      let section = int(0..<sections)
      return RowPath(section: section, row: int(0..<list.rows(inSection: section).count + spare))
    }
    switch int(0..<40) {
    case 0..<14:
      let id = makeID(int(0..<size.ids))
      if draft.path(ofRow: id) == nil { return draft.insertRow(card(id), at: path()) }
      updateRow(id)
    case 14..<24:
      let id = makeID(int(0..<size.ids))
      if draft.path(ofRow: id) != nil { updateRow(id) } else { draft.insertRow(card(id), at: path()) }
    case 24..<29: if let from = anyRow() { draft.removeRow(at: from) }
    case 29..<34:
      if let from = anyRow() {
        let row = draft.removeRow(at: from)
        let section = int(0..<sections)
        draft.insertRow(
          row, at: RowPath(section: section, row: int(0..<draft.snapshot.rows(inSection: section).count + 1)))
      }
    case 34: if int(0..<size.rarity) == 0 { draft.removeSection(at: int(0..<sections)) }
    case 35, 36:
      let section = TestSection("\(prefix)\(int(0..<size.sections))", "\(int(0..<3))")
      if let index = draft.index(ofSection: section.id) {
        draft.replaceSection(at: index, with: section)
      } else {
        draft.insertSection(section, at: int(0..<sections + 1))
      }
    case 37, 38: draft.moveSection(from: int(0..<sections), to: int(0..<sections))
    default: if int(0..<size.rarity) == 0 { reset() }
    }
  }

  /// Empties the list, or makes another one of it.
  private func reset() {
    if int(0..<2) == 0 { fill() } else { draft.replace(with: Snapshot()) }
  }

  /// Makes another list.
  func fill() {
    var sections: [ListSection<TestSection, Card<ID>>] = []
    var ids = (0..<size.ids).filter { _ in int(0..<2) == 0 }.shuffled(using: &random)[...]
    for name in 0..<int(0..<size.sections) {
      let part = ids.prefix(int(0..<size.ids * 6 / 7))
      ids = ids.dropFirst(part.count)
      sections.append(ListSection(TestSection("\(prefix)\(name)"), rows: part.map { card(makeID($0)) }))
    }
    draft.replace(with: Snapshot(unchecked: sections))
  }

  private func card(_ id: ID) -> Card<ID> { Card(id: id, a: int(0..<size.a), b: int(0..<size.b)) }

  private func updateRow(_ id: ID) {
    guard let (path, row) = draft.find(id) else { return }
    var new = row
    if int(0..<2) == 0 { new.a = int(0..<size.a) }
    if int(0..<2) == 0 { new.b = int(0..<size.b) }
    draft.replaceRow(row, at: path, with: new)
  }

  private func anyRow() -> RowPath? {
    let count = draft.snapshot.rowCount
    guard count > 0 else { return nil }
    var rest = int(0..<count)
    for section in 0..<draft.snapshot.sectionCount {
      let rows = draft.snapshot.rows(inSection: section).count
      if rest < rows { return RowPath(section: section, row: rest) }
      rest -= rows
    }
    return nil
  }
}

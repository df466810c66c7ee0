import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport

/// An edit of a person, for a store, and for arrays.
enum CardEdit: Sendable {
  case update(Int, b: Int)
  case remove(Int)
  case moveToFront(Int)
  case append(Card<Int>, to: String)
  case removeSection(String)
  /// Throws after half of it, if the second row is missing.
  case removeBoth(Int, Int)

  typealias Model = NaiveList<TestSection, Card<Int>>
  struct IsMissing: Error {}

  static func random(using random: inout SeededGenerator) -> CardEdit {
    func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    // Often the same ones, as edits meet there.
    func row() -> Int { int(0..<3) == 0 ? int(0..<14) : int(0..<4) }
    let (id, other) = (row(), row())
    switch int(0..<12) {
    case 0..<3: return .update(id, b: int(0..<5))
    case 3: return .remove(id)
    case 4, 5: return .moveToFront(id)
    case 6, 7: return .append(Card(id: id, a: int(0..<4), b: int(0..<5)), to: "s\(int(0..<4))")
    case 8: return .removeSection("s\(int(0..<4))")
    default: return .removeBoth(id, other)
    }
  }

  @Sendable func edit(_ list: inout ListEditor<TestSection, Card<Int>>) throws {
    switch self {
    case .update(let id, let b): try list.update(id) { $0.b = b }
    case .remove(let id): try list.remove(id)
    case .moveToFront(let id):
      guard let path = list.path(ofRow: id) else { throw IsMissing() }
      try list.move(id, to: RowPath(section: path.section, row: 0))
    case .append(let card, let section): try list.append(card, to: section)
    case .removeSection(let id): try list.removeSection(id)
    case .removeBoth(let first, let second):
      try list.remove(first)
      try list.remove(second)
    }
  }

  /// The list after the edit; `nil` if it does not apply.
  func applied(to list: Model) -> Model? {
    var list = list
    func place(_ id: Int) -> (part: Int, row: Int)? {
      for (part, content) in list.parts.enumerated() {
        if let row = content.rows.firstIndex(where: { $0.id == id }) { return (part, row) }
      }
      return nil
    }
    func part(_ id: String) -> Int? { list.parts.firstIndex { $0.section.id == id } }
    switch self {
    case .update(let id, let b):
      guard let (part, row) = place(id) else { return nil }
      list.parts[part].rows[row].b = b
    case .moveToFront(let id):
      guard let (part, row) = place(id) else { return nil }
      list.parts[part].rows.insert(list.parts[part].rows.remove(at: row), at: 0)
    case .append(let card, let section):
      guard let part = part(section), place(card.id) == nil else { return nil }
      list.parts[part].rows.append(card)
    case .removeSection(let section):
      guard let part = part(section) else { return nil }
      list.parts.remove(at: part)
    case .remove(let id):
      guard let (part, row) = place(id) else { return nil }
      list.parts[part].rows.remove(at: row)
    case .removeBoth(let first, let second):
      return CardEdit.remove(first).applied(to: list).flatMap { CardEdit.remove(second).applied(to: $0) }
    }
    return list
  }
}

/// Recognises a row in a confirmed list.
func isEcho<Section, Row>(ofRow id: Row.ID?) -> (@Sendable (borrowing ListEditor<Section, Row>) -> Bool)? {
  guard let id else { return nil }
  return { list in list.row(id) != nil }
}

/// A list with edits that are not answered yet, which marks what is not confirmed, and the same over arrays.
final class PendingCards {
  typealias Model = NaiveList<TestSection, Card<Int>>
  typealias Snapshot = ListSnapshot<TestSection, Card<Int>>

  private struct Pending {
    let edit: CardEdit
    let number: Int
    /// The row whose presence shows that the source has the edit.
    let echo: Int?
  }

  private let store: ListStore<TestSection, Card<Int>>
  private let edits: PendingEditsProbe<TestSection, Card<Int>>
  private var pending: [Pending] = []
  private var confirmed = Model()
  /// The rows that were marked at the last read.
  private var marked: Set<Int> = []

  init(on store: ListStore<TestSection, Card<Int>>) {
    self.store = store
    edits = PendingEditsProbe(on: store) { $0.b += 5 }
  }

  /// The list.
  var list: any LiveList<TestSection, Card<Int>> { edits.list }

  /// The confirmed list with the pending edits, and without marks.
  private var shown: Model { pending.reduce(confirmed) { $1.edit.applied(to: $0) ?? $0 } }

  /// The list as it should be.
  var model: Model {
    var list = shown
    for part in list.parts.indices {
      for row in list.parts[part].rows.indices where marked.contains(list.parts[part].rows[row].id) {
        list.parts[part].rows[row].b += 5
      }
    }
    return list
  }

  /// Reads the list, after its store was edited.
  func read() async throws {
    confirmed = Model(await store.snapshot)
    marked = await edits.marked
    dropEchoes()
    try Mismatch.unless(areMarked(marked), "\(marked) are pending in \(shown), of \(confirmed)")
    let count = await edits.count
    try Mismatch.unless(count == pending.count, "\(count) edits are pending, not \(pending.count)")
  }

  /// Asks for some edits. Returns false if none of them applies.
  func ask(using random: inout SeededGenerator) async throws -> Bool {
    var isAsked = false
    for _ in 0..<Int.random(in: 1..<6, using: &random) where try await askOnce(using: &random) { isAsked = true }
    return isAsked
  }

  /// Removes the edits that the confirmed list has by itself.
  private func dropEchoes() {
    pending.removeAll { pending in pending.echo.map { id in rows(of: confirmed).contains { $0.id == id } } ?? false }
  }

  private func askOnce(using random: inout SeededGenerator) async throws -> Bool {
    // An edit may be recognised as soon as it is asked for.
    dropEchoes()
    let edit = CardEdit.random(using: &random)
    let echo = Int.random(in: 0..<5, using: &random) == 0 ? Int.random(in: 0..<14, using: &random) : nil
    var number: Int?
    do { number = try await edits.add(edit.edit, until: isEcho(ofRow: echo)) } catch {}
    try Mismatch.unless((number == nil) == (edit.applied(to: shown) == nil), "asked for \(edit): \(number as Any)")
    guard let number else { return false }
    pending.append(Pending(edit: edit, number: number, echo: echo))
    return true
  }

  /// Answers an edit. Returns the confirmed list; `nil` if there is no edit.
  func answer(using random: inout SeededGenerator) async throws -> Snapshot? {
    guard let index = pending.indices.randomElement(using: &random) else { return nil }
    let answered = pending.remove(at: index)
    if answered.echo != nil || Int.random(in: 0..<3, using: &random) == 0 {
      await edits.refuse(answered.number)
    } else {
      let after = answered.edit.applied(to: confirmed)
      var isReported = false
      do { try await edits.confirm(answered.number) } catch { isReported = true }
      try Mismatch.unless(isReported == (after == nil), "confirmed \(answered.edit): \(isReported)")
      let list = await store.snapshot
      try Mismatch.unless(Model(list) == after ?? confirmed, "confirmed \(answered.edit): \(list)")
    }
    return await store.snapshot
  }

  /// The end of the store, after which nothing is pending.
  func finish() async {
    await store.finish()
    (pending, marked) = ([], [])
  }

  private func rows(of list: Model) -> [Card<Int>] { list.parts.flatMap(\.rows) }

  /// True if all rows that differ from the confirmed ones are marked, and no more other rows than the order needs.
  private func areMarked(_ marked: Set<Int>) -> Bool {
    let (rows, former) = (rows(of: shown), rows(of: confirmed))
    let changed = Set(rows.filter { !former.contains($0) }.map(\.id))
    let common = Set(rows.map(\.id)).intersection(former.map(\.id))
    func isInOrder(without marked: Set<Int>) -> Bool {
      func ids(_ list: Model) -> [String: [Int]] {
        var ids: [String: [Int]] = [:]
        for part in list.parts {
          let own = part.rows.map(\.id).filter { common.contains($0) && !marked.contains($0) }
          if !own.isEmpty { ids[part.section.id] = own }
        }
        return ids
      }
      return ids(shown) == ids(confirmed)
    }
    // A row may have passed a changed row, which then has a place, too.
    let moved = marked.subtracting(changed)
    return changed.isSubset(of: marked) && isInOrder(without: marked)
      && moved.allSatisfy { !isInOrder(without: moved.subtracting([$0])) }
  }
}

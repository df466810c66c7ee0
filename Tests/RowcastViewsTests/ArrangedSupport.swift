import RowcastDiff
import RowcastModel
import TestSupport

@testable import RowcastStore
@testable import RowcastViews

/// A row with two keys of few values, so that many are equal.
struct Card<ID: Hashable & Sendable>: RowViewModel {
  let id: ID
  var a: Int
  var b: Int

  struct Trouble: Error, Equatable {
    let b: Int
  }

  /// A key that may be no number, or a zero with a sign.
  var price: Double { [.nan, -0.0, 0, 2.5, -.nan][b % 5] }
}

/// An id without an order.
struct Label: Hashable, Sendable {
  let number: Int
}

/// One step of an arrangement, as the library does it, and as anybody would do it with arrays.
struct ArrangedStep<ID: Hashable & Sendable>: Sendable, CustomStringConvertible {
  typealias Plan = Arrangement<TestSection, Card<ID>, TestSection, Card<ID>>
  typealias Model = NaiveList<TestSection, Card<ID>>

  let description: String
  let declare: @Sendable (Plan) -> Plan
  let recompute: @Sendable (Model) -> Model
}

extension ArrangedStep {
  /// Applies a function to the rows of each section.
  private static func onRows(
    _ change: @escaping @Sendable ([Card<ID>]) -> [Card<ID>]
  ) -> @Sendable (Model) -> Model {
    { model in
      var model = model
      for index in model.parts.indices { model.parts[index].rows = change(model.parts[index].rows) }
      return model
    }
  }

  static func filter(_ rest: Int) -> ArrangedStep {
    let isIncluded: @Sendable (Card<ID>) -> Bool = { $0.b % 3 != rest }
    return ArrangedStep(
      description: "filter(\(rest))", declare: { $0.filter(isIncluded) },
      recompute: onRows { $0.filter(isIncluded) })
  }

  static func map(throwingAt trouble: Int, shows: Bool) -> ArrangedStep {
    let transform: @Sendable (Card<ID>) throws -> Card<ID> = { card in
      if card.a == trouble { throw Card<ID>.Trouble(b: card.b) }
      return Card(id: card.id, a: card.a, b: card.b + 1)
    }
    let show: @Sendable (Card<ID>, any Error) -> Card<ID> = { card, error in
      Card(id: card.id, a: -1, b: ((error as? Card<ID>.Trouble)?.b ?? -7) % 2)
    }
    return ArrangedStep(
      description: "map(\(trouble), shows: \(shows))",
      declare: { $0.map(onFailure: shows ? .show(show) : .omit, transform) },
      recompute: onRows { rows in
        rows.compactMap { row in
          do { return try transform(row) } catch { return shows ? show(row, error) : nil }
        }
      })
  }

  static func sectioned(_ direction: SortDirection, keeping kept: [Int]) -> ArrangedStep {
    let section: @Sendable (Int) -> TestSection = { TestSection("k\($0)", "title \($0)") }
    return ArrangedStep(
      description: "sectioned(\(direction), \(kept))",
      declare: { $0.sectioned(by: { $0.a }, order: direction, keeping: kept, section: section) },
      recompute: { model in
        let rows = model.parts.flatMap(\.rows)
        let keys = Set(rows.map(\.a) + kept).sorted { direction == .ascending ? $0 < $1 : $0 > $1 }
        var result = Model()
        result.parts = keys.map { key in .init(section: section(key), rows: rows.filter { $0.a == key }) }
        return result
      })
  }

  /// A section for each price, of which some are not numbers and some are zeros with a sign.
  static func priced(_ direction: SortDirection, keeping kept: [Double]) -> ArrangedStep {
    let section: @Sendable (Double) -> TestSection = { TestSection("p\($0)", "price \($0)") }
    return ArrangedStep(
      description: "priced(\(direction), \(kept))",
      declare: { $0.sectioned(by: { $0.price }, order: direction, keeping: kept, section: section) },
      recompute: { model in
        let rows = model.parts.flatMap(\.rows)
        // Adding 0 makes 0 of −0. Numbers that are none are told apart by their texts, and come last.
        let texts = Set((rows.map(\.price) + kept).map { "\($0 + 0)" })
        let numbers = texts.compactMap { Double($0) }.filter { !$0.isNaN }
        let sorted = direction == .ascending ? numbers.sorted() : numbers.sorted(by: >)
        let names = sorted.map { "\($0)" } + texts.filter { $0.contains("nan") }.sorted()
        var result = Model()
        result.parts = names.map { name in
          .init(section: TestSection("p\(name)", "price \(name)"), rows: rows.filter { "\($0.price + 0)" == name })
        }
        return result
      })
  }

  /// A section for two keys each.
  static func shared(_ direction: SortDirection, keeping kept: [Int]) -> ArrangedStep {
    let section: @Sendable (Int) -> TestSection = { TestSection("h\($0 / 2)", "title \($0)") }
    return ArrangedStep(
      description: "shared(\(direction), \(kept))",
      declare: { $0.sectioned(by: { $0.a }, order: direction, keeping: kept, section: section) },
      recompute: { model in
        let rows = model.parts.flatMap(\.rows)
        let keys = Set(rows.map(\.a) + kept).sorted { direction == .ascending ? $0 < $1 : $0 > $1 }
        var result = Model()
        for key in keys where !result.parts.contains(where: { $0.section.id == section(key).id }) {
          result.parts.append(
            .init(section: section(key), rows: rows.filter { section($0.a).id == section(key).id }))
        }
        return result
      })
  }

  /// A section for each key, with summaries of all kinds in its title.
  static func summarized(_ direction: SortDirection, keeping kept: [Int]) -> ArrangedStep {
    let title: @Sendable (Int, Double, Int?, Double?, Bool) -> String = { count, sum, most, mean, hasZero in
      "\(count) \(sum.isNaN ? "none" : "\(sum)") \(most ?? -1) \(mean ?? -1) \(hasZero)"
    }
    return ArrangedStep(
      description: "summarized(\(direction), \(kept))",
      declare: {
        $0.sectioned(
          by: { $0.a }, summary: .count, .sum(\.price), .max(\.b), .average(\.b), Summary.any { $0.b == 0 },
          order: direction, keeping: kept
        ) { TestSection("k\($0)", title($1, $2, $3, $4, $5)) }
      },
      recompute: { model in
        let rows = model.parts.flatMap(\.rows)
        let keys = Set(rows.map(\.a) + kept).sorted { direction == .ascending ? $0 < $1 : $0 > $1 }
        var result = Model()
        result.parts = keys.map { key in
          let rows = rows.filter { $0.a == key }
          let mean = rows.isEmpty ? nil : Double(rows.reduce(0) { $0 + $1.b }) / Double(rows.count)
          // Halves have an exact sum, which has no sign if it is 0.
          let text = title(
            rows.count, rows.reduce(0) { $0 + $1.price }, rows.map(\.b).max(), mean, rows.contains { $0.b == 0 })
          return .init(section: TestSection("k\(key)", text), rows: rows)
        }
        return result
      })
  }

  static func window(_ window: RowWindow<ID>) -> ArrangedStep {
    ArrangedStep(
      description: "window(\(window))", declare: { $0.window(window) },
      recompute: { model in
        let all = model.parts.flatMap(\.rows)
        let shown: ArraySlice<Card<ID>>
        switch window {
        case .rows(let range): shown = all.prefix(max(0, range.upperBound)).dropFirst(max(0, range.lowerBound))
        case .last(let count): shown = all.suffix(max(0, count))
        case .around(let id, let count):
          var rows = all[...]
          if let place = all.firstIndex(where: { $0.id == id }) {
            rows = all[max(0, min(place - max(0, count) / 2, all.count - max(0, count)))...]
          }
          shown = rows.prefix(max(0, count))
        case .page(let number, let size, let policy):
          var pages: [ArraySlice<Card<ID>>] = []
          for start in size > 0 ? Array(stride(from: 0, to: all.count, by: size)) : [] {
            pages.append(all[start..<min(start + size, all.count)])
          }
          shown = pages.indices.contains(number) ? pages[number] : number > 0 && policy == .last ? pages.last ?? [] : []
        }
        let ids = Set(shown.map(\.id))
        var result = model
        for index in result.parts.indices { result.parts[index].rows.removeAll { !ids.contains($0.id) } }
        result.parts.removeAll { $0.rows.isEmpty }
        return result
      })
  }

  static func withoutEmptySections() -> ArrangedStep {
    ArrangedStep(
      description: "withoutEmptySections", declare: { $0.withoutEmptySections() },
      recompute: { model in
        var result = model
        result.parts.removeAll { $0.rows.isEmpty }
        return result
      })
  }

  static func distinct() -> ArrangedStep {
    ArrangedStep(
      description: "distinct", declare: { $0.distinct { $0.b } },
      recompute: { model in
        var seen: Set<Int> = []
        var result = model
        for index in result.parts.indices { result.parts[index].rows.removeAll { !seen.insert($0.b).inserted } }
        return result
      })
  }

  /// Sorts by one key or two.
  ///
  /// - Parameters:
  ///   - variant: Which keys.
  ///   - isBefore: The order of ids, if they have one.
  ///   - sort: Calls the method; which one that is depends on what the type of the ids is known to be able to.
  /// - Returns: The step.
  static func sorted(
    _ variant: Int, _ isBefore: (@Sendable (ID, ID) -> Bool)?,
    _ sort: @escaping @Sendable (Plan, [SortKey<Card<ID>>]) -> Plan
  ) -> ArrangedStep {
    let keys: [SortKey<Card<ID>>]
    let precedes: @Sendable (Card<ID>, Card<ID>) -> Bool?
    switch variant {
    case 0:
      keys = [.ascending { $0.b }]
      precedes = { $0.b != $1.b ? $0.b < $1.b : nil }
    case 1:
      keys = [.descending { $0.a }, .ascending { $0.b }]
      precedes = { $0.a != $1.a ? $0.a > $1.a : $0.b != $1.b ? $0.b < $1.b : nil }
    case 2:
      keys = [.by { $0.b % 2 < $1.b % 2 }]
      precedes = { $0.b % 2 != $1.b % 2 ? $0.b % 2 < $1.b % 2 : nil }
    case 3, 4:
      keys = [variant == 3 ? .ascending { $0.price } : .descending { $0.price }]
      precedes = { first, second in
        let (first, second) = (first.price, second.price)
        if first.isNaN || second.isNaN { return first.isNaN == second.isNaN ? nil : second.isNaN }
        return first == second ? nil : variant == 3 ? first < second : first > second
      }
    default:
      // A number that is none is equal to all others, which are not equal to each other; scissors cut paper, which
      // wraps the rock; and rows that are equal stand before each other.
      let isBefore: @Sendable (Card<ID>, Card<ID>) -> Bool =
        switch variant {
        case 5: { $0.price < $1.price }
        case 6: { ($0.b - $1.b + 15) % 3 == 1 }
        default: { $0.b <= $1.b }
        }
      keys = [.by(isBefore)]
      precedes = { isBefore($0, $1) == isBefore($1, $0) ? nil : isBefore($0, $1) }
    }
    let isContradictory = (5...6).contains(variant)
    return ArrangedStep(
      description: "sorted(\(variant))", declare: { sort($0, keys) },
      recompute: onRows { rows in
        if isContradictory {
          let ranked = rows.enumerated().map { (place: $0, row: $1) }
          return pivotSorted(ranked) {
            precedes($0.row, $1.row) ?? isBefore?($0.row.id, $1.row.id) ?? ($0.place < $1.place)
          }.map(\.row)
        }
        // An insertion sort: stable, and nobody else's.
        var sorted: [Card<ID>] = []
        for row in rows {
          let place = sorted.firstIndex { precedes(row, $0) ?? isBefore?(row.id, $0.id) ?? false }
          sorted.insert(row, at: place ?? sorted.count)
        }
        return sorted
      })
  }
}

/// What an order that contradicts itself makes of rows, as its documentation says.
func pivotSorted<ID>(
  _ rows: [(place: Int, row: Card<ID>)], _ precedes: ((place: Int, row: Card<ID>), (place: Int, row: Card<ID>)) -> Bool
) -> [(place: Int, row: Card<ID>)] {
  guard let pivot = rows.max(by: { $0.row.id.hashValue < $1.row.id.hashValue }) else { return [] }
  let others = rows.filter { $0.row.id != pivot.row.id }
  return pivotSorted(others.filter { precedes($0, pivot) }, precedes) + [pivot]
    + pivotSorted(others.filter { !precedes($0, pivot) }, precedes)
}

extension NaiveList {
  /// Where a list differs from this one first, for the messages of tests.
  func firstDifference(from other: NaiveList) -> String {
    for index in 0..<max(parts.count, other.parts.count) {
      guard index < parts.count, index < other.parts.count else {
        return "sections \(parts.map(\.section)), found \(other.parts.map(\.section))"
      }
      let (part, found) = (parts[index], other.parts[index])
      if part == found { continue }
      if part.section != found.section { return "section \(index): \(part.section), found \(found.section)" }
      let row = zip(part.rows, found.rows).enumerated().first { $1.0 != $1.1 }?.offset
      return "section \(index), row \(row ?? min(part.rows.count, found.rows.count)): \(part.rows), found \(found.rows)"
    }
    return "nothing"
  }
}

/// How much there is of everything in a random list.
struct RigSize {
  let ids: Int
  let sections: Int
  /// How many values the keys have.
  let a: Int
  let b: Int
  /// One in how many sections or lists that might be dropped is dropped.
  let rarity: Int

  /// So small that all cases come up again and again.
  static let small = RigSize(ids: 14, sections: 4, a: 4, b: 5, rarity: 1)
  /// So large that lists and sections have many leaves.
  static let large = RigSize(ids: 400, sections: 24, a: 20, b: 90, rarity: 12)
}

/// A list that random edits change, read by nodes without any actor between.
final class ArrangedRig<ID: Hashable & Sendable> {
  typealias Snapshot = ListSnapshot<TestSection, Card<ID>>
  typealias Model = NaiveList<TestSection, Card<ID>>
  typealias Slot = ArrangementSlot<TestSection, Card<ID>, TestSection, Card<ID>>

  let makeID: (Int) -> ID
  private let prefix: String
  let size: RigSize
  var draft = ListDraft<TestSection, Card<ID>>()
  private(set) var random: SeededGenerator

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

  /// The draft as a node.
  var source: ListNode<TestSection, Card<ID>> {
    var seen: Snapshot?
    return ListNode(
      pull: { [self] in
        let before = seen
        let after = draft.snapshot
        if before == after { return nil }
        seen = after
        return ListStep(before: before, after: after)
      },
      snapshot: { seen ?? Snapshot() }, failures: { [:] })
  }

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
    for name in (0..<int(0..<size.sections)) {
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

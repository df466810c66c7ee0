import RowcastModel
import RowcastTestSupport

@testable import RowcastViews

/// An outline, flattened as anybody would do it with arrays.
struct NaiveOutline<ID: Hashable & Sendable> {
  typealias Model = NaiveList<TestSection, Card<ID>>

  let parent: (Card<ID>) -> ID?
  var passes: (Card<ID>) -> Bool = { _ in true }
  var policy = MissingParentPolicy.top
  var expanded = ExpandedRows<ID>()

  /// The rows of a model by the row above them, `nil` for the top. Of a loop, the first row is at the top.
  private func children(_ model: Model) -> [ID?: [Card<ID>]] {
    let rows = model.parts.flatMap(\.rows)
    let named = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, parent($0)) })
    var children: [ID?: [Card<ID>]] = [:]
    var placed: Set<ID> = []
    for row in rows {
      var walk = [row.id]
      while let last = walk.last, let next = named[last] ?? nil, named[next] != nil, !walk.contains(next) {
        walk.append(next)
      }
      // The row is in a loop if the walk's end leads back to it.
      let isInLoop = (named[walk.last ?? row.id] ?? nil) == row.id
      let isCut = isInLoop && placed.isDisjoint(with: walk)
      placed.insert(row.id)
      guard let above = named[row.id] ?? nil, !isCut else { children[nil, default: []].append(row); continue }
      if named[above] != nil {
        children[above, default: []].append(row)
      } else if policy == .top {
        children[nil, default: []].append(row)
      }
    }
    return children
  }

  func flattened(_ model: Model, _ make: (Card<ID>, OutlinePlace<ID>, _ subtree: [Card<ID>]) -> Card<ID>) -> Model {
    let children = children(model)
    func subtree(_ row: Card<ID>) -> [Card<ID>] { [row] + (children[row.id] ?? []).flatMap(subtree) }
    func isKept(_ row: Card<ID>) -> Bool { subtree(row).contains(where: passes) }
    func shown(_ row: Card<ID>, _ level: ExpandedRows<ID>.Level, parent: ID?) -> [Card<ID>] {
      let below = (children[row.id] ?? []).filter(isKept)
      let isExpanded = !below.isEmpty && expanded.isExpanded(row.id, at: level)
      let place = OutlinePlace(
        depth: level.depth, parent: parent, hasChildren: !below.isEmpty, isExpanded: isExpanded, isMatch: passes(row))
      let next = expanded.level(below: row.id, at: level)
      return [make(row, place, subtree(row))]
        + (isExpanded ? below.flatMap { shown($0, next, parent: row.id) } : [])
    }
    let top = (children[nil] ?? []).filter(isKept)
    var result = model
    for index in result.parts.indices {
      let ids = Set(model.parts[index].rows.map(\.id))
      result.parts[index].rows = top.filter { ids.contains($0.id) }.flatMap {
        shown($0, (0, nil), parent: nil)
      }
    }
    return result
  }
}

extension ArrangedStep {
  /// Rows under others, by their keys. Some parents are never there.
  static func parent(_ ids: [ID]) -> @Sendable (Card<ID>) -> ID? {
    { card in (card.a + card.b) % 4 == 0 ? nil : ids[abs(card.a &* 5 &+ card.b) % ids.count] }
  }

  /// A row with its place in its keys.
  static func show(_ card: Card<ID>, _ place: OutlinePlace<ID>, _ count: Int) -> Card<ID> {
    let flags = (place.hasChildren ? 1 : 0) + (place.isExpanded ? 2 : 0) + (place.isMatch ? 4 : 0)
    return Card(id: card.id, a: card.a + place.depth, b: card.b + 10 * flags + 1_000 * count)
  }

  /// What the rows of an outline sum up.
  enum Totals: CaseIterable, Sendable {
    /// Nothing.
    case none
    /// The keys.
    case sum
    /// The greatest of keys that are equal and not the same.
    case extreme

    func summary() -> Summary<Card<ID>, Int> {
      if self == .sum { return .sum(\.b) }
      return Summary { path in
        let state = Summary<Card<ID>, TextKey?>.max { TextKey($0.b) }.make(path)
        return SummaryState(
          rebuild: state.rebuild, insert: state.insert, remove: state.remove, value: { state.value()?.number ?? -5 },
          usesOrder: state.usesOrder)
      }
    }

    /// The total of some rows of a list.
    func total(_ rows: [Card<ID>], in model: Model) -> Int {
      switch self {
      case .none: return 0
      case .sum: return rows.reduce(0) { $0 + $1.b }
      case .extreme:
        let ids = Set(rows.map(\.id))
        var greatest: TextKey?
        for row in model.parts.flatMap(\.rows) where ids.contains(row.id) {
          if greatest.map({ $0 < TextKey(row.b) }) ?? true { greatest = TextKey(row.b) }
        }
        return greatest?.number ?? -5
      }
    }
  }

  static func outlined(
    _ ids: [ID], policy: MissingParentPolicy, filter rest: Int?, totals: Totals,
    expansion: OutlineExpansion<ID>? = nil, expanded: ExpandedRows<ID> = ExpandedRows()
  ) -> ArrangedStep {
    let parent = parent(ids)
    let passes: @Sendable (Card<ID>) -> Bool = { rest == nil || $0.b % 3 == rest }
    let filter = rest == nil ? nil : passes
    return ArrangedStep(
      description: "outlined(\(policy), \(rest ?? -1), \(totals))",
      declare: { plan in
        if totals != .none {
          return plan.outlined(
            parent: parent, summary: totals.summary(), missingParent: policy, expansion: expansion, where: filter
          ) { show($0, $1, $2) }
        }
        return plan.outlined(parent: parent, missingParent: policy, expansion: expansion, where: filter) {
          show($0, $1, 0)
        }
      },
      recompute: { model in
        NaiveOutline(parent: parent, passes: passes, policy: policy, expanded: expanded)
          .flattened(model) { show($0, $1, totals.total($2, in: model)) }
      })
  }
}

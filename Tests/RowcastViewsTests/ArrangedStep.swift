import RowcastModel
import RowcastTestSupport

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
  /// Rebuilds the sections after an order that directly follows; `nil` if they do not depend on the order.
  var reorder: (@Sendable (Model) -> Model)?
  /// True for an order, which may follow directly.
  var isOrder = false
  /// The steps among which a parameter chooses.
  var choices: (parameter: Parameter<Int>, steps: [[ArrangedStep]], value: Int)?
}

extension ArrangedStep {
  /// Applies a function to the rows of each section.
  static func onRows(
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

  static func window(_ window: RowWindow<ID>) -> ArrangedStep {
    ArrangedStep(
      description: "window(\(window))", declare: { $0.window(window) },
      recompute: { model in
        let ids = Set(shown(model.parts.flatMap(\.rows), window).map(\.id))
        var result = onRows { $0.filter { ids.contains($0.id) } }(model)
        result.parts.removeAll { $0.rows.isEmpty }
        return result
      })
  }

  static func windows(_ window: RowWindow<ID>) -> ArrangedStep {
    ArrangedStep(
      description: "window(inEachSection: \(window))", declare: { $0.window(inEachSection: window) },
      recompute: onRows { shown($0, window) })
  }

  private static func shown(_ all: [Card<ID>], _ window: RowWindow<ID>) -> [Card<ID>] {
    switch window {
    case .rows(let range): return Array(all.prefix(max(0, range.upperBound)).dropFirst(max(0, range.lowerBound)))
    case .last(let count): return all.suffix(max(0, count))
    case .around(let id, let count):
      var rows = all[...]
      if let place = all.firstIndex(where: { $0.id == id }) {
        rows = all[max(0, min(place - max(0, count) / 2, all.count - max(0, count)))...]
      }
      return Array(rows.prefix(max(0, count)))
    case .after(let id, let count):
      let rows = all.contains { $0.id == id } ? all.drop { $0.id != id }.dropFirst() : all[...]
      return Array(rows.prefix(max(0, count)))
    case .page(let number, let size, let policy):
      var pages: [ArraySlice<Card<ID>>] = []
      for start in size > 0 ? Array(stride(from: 0, to: all.count, by: size)) : [] {
        pages.append(all[start..<min(start + size, all.count)])
      }
      let page = pages.indices.contains(number) ? pages[number] : number > 0 && policy == .last ? pages.last ?? [] : []
      return Array(page)
    }
  }

  /// Recent rows. Times are between the times that the clock shows, and some are not numbers.
  static func recent(_ time: RigTime, within seconds: Int, keys: Int) -> ArrangedStep {
    let moment: @Sendable (Card<ID>) -> Double = { card in
      [3: .nan, 4: .infinity, 5: -.infinity, 6: 1e300][card.b % 13] ?? Double(card.b) * 9 / Double(keys)
    }
    return ArrangedStep(
      description: "recent(\(seconds))",
      declare: { $0.recent(moment, within: .seconds(seconds), now: time.now) },
      recompute: onRows { rows in
        let now = time.now()
        return rows.filter { now - moment($0) < Double(seconds) }
      })
  }

  /// Steps that depend on a parameter, with several for each value.
  static func choosing(
    among steps: [[ArrangedStep]], by parameter: Parameter<Int> = Parameter(0), value: Int
  ) -> ArrangedStep {
    ArrangedStep(
      description: "choosing(\(value), \(steps))",
      declare: { $0.arranged(by: parameter) { plan, value in steps[value].reduce(plan) { $1.declare($0) } } },
      recompute: { steps[value].recompute($0) }, choices: (parameter, steps, value))
  }

  /// The step with another value of its parameter; `nil` if it has none.
  func choosing(_ value: (_ count: Int) -> Int) -> ArrangedStep? {
    choices.map { .choosing(among: $0.steps, by: $0.parameter, value: value($0.steps.count)) }
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

  /// The first row of each key.
  static func distinct<Key: Hashable & Sendable>(_ key: @escaping @Sendable (Card<ID>) -> Key) -> ArrangedStep {
    ArrangedStep(
      description: "distinct(\(Key.self))", declare: { $0.distinct(by: key) },
      recompute: { model in
        var (seen, result): (Set<Key>, Model) = ([], model)
        for index in result.parts.indices { result.parts[index].rows.removeAll { !seen.insert(key($0)).inserted } }
        return result
      })
  }
}

/// Kinds of steps of arrangements.
enum StepKind: CaseIterable {
  case filter, map, failingMap
  case sectioned, keptSections, priced, pairedSections, summarized, coarseSections, listed, withoutEmpty
  case sorted, sortedTwice, distinct, coarseDistinct, rows, first, last, around, after, page, windows, windowsAround,
    recent, reversed, neighbours
  case outlined, filteredOutline, searched
}

extension ArrangedStep {
  /// A step for the rows of a rig. `int` returns a number of a range.
  static func random(_ kind: StepKind, _ rig: ArrangedRig<ID>, _ int: (Range<Int>) -> Int) -> ArrangedStep {
    let order = int(0..<2) == 0 ? SortDirection.ascending : .descending
    switch kind {
    case .filter: return .filter(int(0..<3))
    case .map, .failingMap: return .map(throwingAt: kind == .map ? -1 : int(0..<4), shows: int(0..<2) == 0)
    case .sectioned: return .sectioned(order, keeping: [])
    case .keptSections: return .sectioned(order, keeping: [2, 7])
    case .priced: return .priced(order, keeping: int(0..<2) == 0 ? [-0.0, 7, .nan] : [])
    case .pairedSections: return .sectioned(order, keeping: int(0..<2) == 0 ? [2, 7] : [], keys: 2)
    case .summarized: return .summarized(order, keeping: int(0..<2) == 0 ? [2, 7] : [], averaging: int(0..<2) == 0)
    case .coarseSections: return .randomCoarse(rig)
    case .listed: return .randomListed(rig)
    case .withoutEmpty: return .withoutEmptySections()
    case .sorted: return .sorted([0, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12][int(0..<11)])
    case .sortedTwice: return .sorted([1, 6][int(0..<2)])
    case .distinct: return int(0..<2) == 0 ? .distinct { $0.b } : .distinct { $0.price }
    case .coarseDistinct: return .distinct { TextKey($0.b) }
    case .reversed: return .reversed()
    case .neighbours: return .neighbours(isFilter: int(0..<3) == 0)
    case .rows, .first, .last, .around, .after, .page: return .window(randomWindow(kind, rig, int))
    case .windows: return .windows(randomWindow([.first, .last, .rows, .page][int(0..<4)], rig, int))
    case .windowsAround: return .windows(randomWindow([.after, .around][int(0..<2)], rig, int))
    case .recent: return .recent(rig.time, within: int(-1..<6), keys: rig.size.b)
    case .outlined, .filteredOutline:
      return .outlined(
        (0..<rig.size.ids + 2).map(rig.makeID), policy: int(0..<2) == 0 ? .top : .hidden,
        filter: kind == .outlined ? nil : int(0..<3), totals: .allCases[int(0..<3)])
    case .searched:
      return .choosing(
        among: [[], [.filter(int(0..<3))], [.sorted(0), .window(.first(int(1..<9)))], [.distinct { $0.b }]],
        value: int(0..<4))
    }
  }

  /// A window, which may be larger than the list, or nothing.
  private static func randomWindow(
    _ kind: StepKind, _ rig: ArrangedRig<ID>, _ int: (Range<Int>) -> Int
  ) -> RowWindow<ID> {
    let (most, id) = (rig.size.ids * 4 / 7, rig.makeID(int(0..<rig.size.ids)))
    let start = int(-3..<most)
    switch kind {
    case .first: return .first(start)
    case .last: return .last(start)
    case .around: return .around(id, count: start)
    case .after: return .after(id, count: int(0..<3) == 0 ? .max : start)
    case .page:
      return .page(number: int(-1..<5), size: int(-1..<most), beyondEnd: int(0..<2) == 0 ? .empty : .last)
    default: return .rows(start..<start + int(0..<most))
    }
  }
}

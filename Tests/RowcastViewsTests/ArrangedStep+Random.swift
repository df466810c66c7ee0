import RowcastModel
import RowcastTestSupport
import RowcastViews

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
    case .pairedSections: return .shared(order, keeping: int(0..<2) == 0 ? [2, 7] : [])
    case .summarized: return .summarized(order, keeping: int(0..<2) == 0 ? [2, 7] : [], averaging: int(0..<2) == 0)
    case .coarseSections: return .randomCoarse(rig)
    case .listed: return .randomListed(rig)
    case .withoutEmpty: return .withoutEmptySections()
    case .sorted: return .sorted([0, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12][int(0..<11)])
    case .sortedTwice: return .sorted([1, 6][int(0..<2)])
    case .distinct: return .distinct()
    case .coarseDistinct: return .coarselyDistinct()
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
        among: [[], [.filter(int(0..<3))], [.sorted(0), .window(.first(int(1..<9)))], [.distinct()]],
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

import RowcastModel
import RowcastTestSupport

@testable import RowcastViews

/// Steps that divide rows into sections.
extension ArrangedStep {
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

  /// A section for each key, with summaries of some kinds in its title, or of the others.
  static func summarized(_ direction: SortDirection, keeping kept: [Int], averaging: Bool) -> ArrangedStep {
    let sums: @Sendable (Int, Double, Int?) -> String = { count, sum, most in
      "\(count) \(sum.isNaN ? "none" : "\(sum)") \(most ?? -1)"
    }
    let means: @Sendable (Int, Double?, Bool) -> String = { count, mean, hasZero in "\(count) \(mean ?? -1) \(hasZero)"
    }
    return ArrangedStep(
      description: "summarized(\(direction), \(kept)\(averaging ? ", averaging" : ""))",
      declare: {
        averaging
          ? $0.sectioned(
            by: { $0.a }, summary: .count, .average(\.b), .any { $0.b == 0 }, order: direction, keeping: kept
          ) { TestSection("k\($0)", means($1, $2, $3)) }
          : $0.sectioned(
            by: { $0.a }, summary: .count, .sum(\.price), .max(\.b), order: direction, keeping: kept
          ) { TestSection("k\($0)", sums($1, $2, $3)) }
      },
      recompute: { model in
        let rows = model.parts.flatMap(\.rows)
        let keys = Set(rows.map(\.a) + kept).sorted { direction == .ascending ? $0 < $1 : $0 > $1 }
        var result = Model()
        result.parts = keys.map { key in
          let rows = rows.filter { $0.a == key }
          let mean = rows.isEmpty ? nil : Double(rows.reduce(0) { $0 + $1.b }) / Double(rows.count)
          // Halves have an exact sum, which has no sign if it is 0.
          let text =
            averaging
            ? means(rows.count, mean, rows.contains { $0.b == 0 })
            : sums(rows.count, rows.reduce(0) { $0 + $1.price }, rows.map(\.b).max())
          return .init(section: TestSection("k\(key)", text), rows: rows)
        }
        return result
      })
  }

  /// Sections in the order of a list of keys that are no `Comparable`, one for each key or for two, or with a summary.
  static func listed(
    _ order: [Int], keeping kept: [Int], keys perSection: Int, isSummarized: Bool
  ) -> ArrangedStep {
    let section: @Sendable (Label, Int) -> TestSection = {
      TestSection("l\($0.number / perSection)", "title \($0.number), \($1)")
    }
    let (keys, keptKeys) = (order.map { Label(number: $0) }, kept.map { Label(number: $0) })
    return ArrangedStep(
      description: "listed(\(order), \(kept), \(perSection)\(isSummarized ? ", summarized" : ""))",
      declare: { plan in
        isSummarized
          ? plan.sectioned(
            by: { Label(number: $0.a) }, summary: .count, order: keys, keeping: keptKeys, section: section)
          : plan.sectioned(by: { Label(number: $0.a) }, order: keys, keeping: keptKeys) { section($0, 0) }
      },
      recompute: { model in
        let rows = model.parts.flatMap(\.rows)
        let found = Set(rows.map(\.a) + kept)
        var seen: Set<Int> = []
        let listed = order.filter { found.contains($0) && seen.insert($0).inserted }
        let others = found.subtracting(listed).sorted { "\(Label(number: $0))" < "\(Label(number: $1))" }
        var result = Model()
        for key in listed + others {
          let own = rows.filter { $0.a / perSection == key / perSection }
          let new = section(Label(number: key), isSummarized ? own.count : 0)
          if !result.parts.contains(where: { $0.section.id == new.id }) {
            result.parts.append(.init(section: new, rows: own))
          }
        }
        return result
      })
  }

  static func randomListed(_ rig: ArrangedRig<ID>) -> ArrangedStep {
    // Some keys of the rows are not in the list, and some of the list are not those of rows.
    let order = (0..<rig.int(0..<5)).map { _ in rig.int(0..<rig.size.a + 2) }
    return .listed(
      order, keeping: rig.int(0..<2) == 0 ? [2, 7] : [], keys: rig.int(1..<3), isSummarized: rig.int(0..<2) == 0)
  }
}

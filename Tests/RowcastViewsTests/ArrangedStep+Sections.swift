import RowcastModel
import RowcastTestSupport

@testable import RowcastViews

/// Steps that divide rows into sections.
extension ArrangedStep {
  /// The rows of a list in the sections of some keys. If several keys give sections with one id, the first makes the section.
  private static func divided<Key>(
    _ model: Model, by key: (Card<ID>) -> Key, into keys: [Key], _ section: (Key, [Card<ID>]) -> TestSection
  ) -> Model {
    var rows = Dictionary(grouping: model.parts.flatMap(\.rows)) { section(key($0), []).id }
    var (result, seen): (Model, Set<String>) = (Model(), [])
    for key in keys {
      let id = section(key, []).id
      if !seen.insert(id).inserted { continue }
      let own = rows.removeValue(forKey: id) ?? []
      result.parts.append(.init(section: section(key, own), rows: own))
    }
    return result
  }

  /// The first keys of rows, and those for which sections are kept, in order.
  private static func keys(_ model: Model, _ direction: SortDirection, _ kept: [Int]) -> [Int] {
    let keys = Set(model.parts.flatMap { $0.rows.map(\.a) } + kept).sorted()
    return direction == .ascending ? keys : keys.reversed()
  }

  /// A section for each key, or for several.
  static func sectioned(_ direction: SortDirection, keeping kept: [Int], keys perSection: Int = 1) -> ArrangedStep {
    let section: @Sendable (Int) -> TestSection = { TestSection("k\($0 / perSection)", "title \($0)") }
    return ArrangedStep(
      description: "sectioned(\(direction), \(kept), \(perSection))",
      declare: { $0.sectioned(by: { $0.a }, order: direction, keeping: kept, section: section) },
      recompute: { model in
        divided(model, by: \.a, into: keys(model, direction, kept)) { key, _ in section(key) }
      })
  }

  /// A section for each price. Some prices are not numbers, and some are zeros with a sign.
  static func priced(_ direction: SortDirection, keeping kept: [Double]) -> ArrangedStep {
    ArrangedStep(
      description: "priced(\(direction), \(kept))",
      declare: {
        $0.sectioned(by: { $0.price }, order: direction, keeping: kept) { TestSection("p\($0)", "price \($0)") }
      },
      recompute: { model in
        // Adding 0 makes 0 of −0. NaNs are distinguished by their texts, and are last.
        let texts = Set((model.parts.flatMap { $0.rows.map(\.price) } + kept).map { "\($0 + 0)" })
        let numbers = texts.compactMap { Double($0) }.filter { !$0.isNaN }
        let sorted = direction == .ascending ? numbers.sorted() : numbers.sorted(by: >)
        let names = sorted.map { "\($0)" } + texts.filter { $0.contains("nan") }.sorted()
        return divided(model, by: { "\($0.price + 0)" }, into: names) { name, _ in
          TestSection("p\(name)", "price \(name)")
        }
      })
  }

  /// A section for each key, with summaries of some kinds in its title, or of the others.
  static func summarized(_ direction: SortDirection, keeping kept: [Int], averaging: Bool) -> ArrangedStep {
    let sums: @Sendable (Int, Double, Int?) -> String = { count, sum, most in
      "\(count) \(sum.isNaN ? "none" : "\(sum)") \(most ?? -1)"
    }
    let means: @Sendable (Int, Double?, Bool) -> String = { "\($0) \($1 ?? -1) \($2)" }
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
        divided(model, by: \.a, into: keys(model, direction, kept)) { key, rows in
          let mean = rows.isEmpty ? nil : Double(rows.reduce(0) { $0 + $1.b }) / Double(rows.count)
          // Halves have an exact sum, which has no sign if it is 0.
          let text =
            averaging
            ? means(rows.count, mean, rows.contains { $0.b == 0 })
            : sums(rows.count, rows.reduce(0) { $0 + $1.price }, rows.map(\.b).max())
          return TestSection("k\(key)", text)
        }
      })
  }

  /// Sections in the order of a list of keys that are no `Comparable`, one for each key or for two, or with a summary.
  static func listed(
    _ order: [Int], keeping kept: [Int], keys perSection: Int, isSummarized: Bool
  ) -> ArrangedStep {
    let section: @Sendable (Label, Int) -> TestSection = {
      TestSection("l\($0.number / perSection)", "title \($0.number), \($1)")
    }
    let (listed, keptKeys) = (order.map { Label(number: $0) }, kept.map { Label(number: $0) })
    return ArrangedStep(
      description: "listed(\(order), \(kept), \(perSection)\(isSummarized ? ", summarized" : ""))",
      declare: { plan in
        isSummarized
          ? plan.sectioned(
            by: { Label(number: $0.a) }, summary: .count, order: listed, keeping: keptKeys, section: section)
          : plan.sectioned(by: { Label(number: $0.a) }, order: listed, keeping: keptKeys) { section($0, 0) }
      },
      recompute: { model in
        let found = keys(model, .ascending, kept)
        let others = found.filter { !order.contains($0) }.sorted { "\(Label(number: $0))" < "\(Label(number: $1))" }
        return divided(model, by: \.a, into: order.filter(found.contains) + others) { key, rows in
          section(Label(number: key), isSummarized ? rows.count : 0)
        }
      })
  }

  static func randomListed(_ rig: ArrangedRig<ID>) -> ArrangedStep {
    // Some keys of the rows are not in the list, and some keys of the list have no rows.
    let order = (0..<rig.int(0..<5)).map { _ in rig.int(0..<rig.size.a + 2) }
    return .listed(
      order, keeping: rig.int(0..<2) == 0 ? [2, 7] : [], keys: rig.int(1..<3), isSummarized: rig.int(0..<2) == 0)
  }
}

import RowcastModel
import RowcastTestSupport

@testable import RowcastViews

/// A key whose `==` ignores a part: numbers of one class are equal, like names that differ only in case.
protocol CoarseKey: Hashable, Comparable, Sendable {
  init(_ number: Int)
  var number: Int { get }
}

extension CoarseKey {
  /// What `==` sees.
  var kind: Int { (number % 3 + 3) % 3 }
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind }
  static func < (lhs: Self, rhs: Self) -> Bool { lhs.kind < rhs.kind }
  func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// A key that is nothing but its bytes.
struct PlainKey: CoarseKey {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// A key with a text in it.
struct TextKey: CoarseKey {
  let text: String
  var number: Int { Int(text) ?? 0 }
  init(_ number: Int) { text = "\(number)" }
}

/// What the sections of a step are made of.
enum CoarseSections: CaseIterable, Sendable {
  /// One for each key.
  case each
  /// One for two keys.
  case shared
  /// One section for each key, with the id of the key's spelling.
  case torn
  /// One for each key, with summaries.
  case summarized
}

extension ArrangedStep {
  /// Sections by keys that are equal and not the same. What a section shows tells them apart.
  static func coarse<Key: CoarseKey>(
    _ type: Key.Type, _ sections: CoarseSections, _ direction: SortDirection, keeping kept: [Int]
  ) -> ArrangedStep {
    let id: @Sendable (Key) -> String = { key in
      switch sections {
      case .each, .summarized: "c\(key.kind)"
      case .shared: "h\(key.kind / 2)"
      case .torn: "t\(key.number)"
      }
    }
    let section: @Sendable (Key, Int, Key?, Key?) -> TestSection = { key, count, least, most in
      TestSection(id(key), "spelt \(key.number), \(count), \(least?.number ?? -9) to \(most?.number ?? -9)")
    }
    let precedes: @Sendable (Key, Key) -> Bool = { direction == .ascending ? $0 < $1 : $1 < $0 }
    let keys = kept.map { Key($0) }
    /// The section of some rows, in order, and some keys for which it is kept.
    let made: @Sendable ([Card<ID>], [Key]) -> TestSection? = { rows, kept in
      var first: Key?
      for key in rows.map({ Key($0.b) }) + kept where first.map({ precedes(key, $0) }) ?? true { first = key }
      guard let first else { return nil }
      if sections != .summarized { return section(first, 0, nil, nil) }
      var (least, most): (Key?, Key?) = (nil, nil)
      for key in rows.map({ Key($0.a) }) {
        if least.map({ key < $0 }) ?? true { least = key }
        if most.map({ $0 < key }) ?? true { most = key }
      }
      return section(first, rows.count, least, most)
    }
    /// What belongs together.
    let group: @Sendable (Key) -> Int = { sections == .shared ? $0.kind / 2 : $0.kind }
    return ArrangedStep(
      description: "coarse(\(type), \(sections), \(direction), \(kept))",
      declare: { plan in
        if sections == .summarized {
          return plan.sectioned(
            by: { Key($0.b) }, summary: .count, .min { Key($0.a) }, .max { Key($0.a) }, order: direction,
            keeping: keys, section: section)
        }
        return plan.sectioned(by: { Key($0.b) }, order: direction, keeping: keys) { section($0, 0, nil, nil) }
      },
      recompute: { model in
        let rows = model.parts.flatMap(\.rows)
        var result = Model()
        let all = (rows.map { Key($0.b) } + keys).sorted(by: precedes)
        var seen: Set<Int> = []
        for key in all where seen.insert(group(key)).inserted {
          let own = rows.filter { group(Key($0.b)) == group(key) }
          if let section = made(own, keys.filter { group($0) == group(key) }) {
            result.parts.append(.init(section: section, rows: own))
          }
        }
        return result
      },
      reorder: { model in
        var result = model
        for index in result.parts.indices {
          let (rows, id) = (result.parts[index].rows, result.parts[index].section.id)
          // The rows or, if there are none, the name of the section tell what it is of.
          let own =
            rows.first.map { group(Key($0.b)) }
            ?? (sections == .torn ? group(Key(Int(id.dropFirst()) ?? 0)) : Int(id.dropFirst()) ?? 0)
          if let section = made(rows, keys.filter { group($0) == own }) { result.parts[index].section = section }
        }
        return result
      })
  }

  static func randomCoarse(_ rig: ArrangedRig<ID>) -> ArrangedStep {
    let sections = CoarseSections.allCases[rig.int(0..<4)]
    let direction = rig.int(0..<2) == 0 ? SortDirection.ascending : .descending
    let kept = rig.int(0..<3) == 0 ? [rig.int(0..<9), rig.int(0..<9)] : []
    return rig.int(0..<2) == 0
      ? .coarse(PlainKey.self, sections, direction, keeping: kept)
      : .coarse(TextKey.self, sections, direction, keeping: kept)
  }
}

extension Array {
  /// Sets the parameters of an arrangement, or only the parameters outside of other parameters' functions.
  func setParameters<ID>(
    of choice: ArrangementChoice<TestSection, Card<ID>>, inside: Bool = true
  ) where Element == ArrangedStep<ID> {
    for case let choices? in map(\.choices) {
      choice.set(choices.value, of: choices.parameter)
      // Only operators that there are keep what they read.
      if inside { choices.steps[choices.value].setParameters(of: choice) }
    }
  }

  /// True if a parameter is in the function of another one.
  func haveParametersInside<ID>() -> Bool where Element == ArrangedStep<ID> {
    contains { step in step.choices.map { $0.steps[$0.value].contains { $0.choices != nil } } ?? false }
  }

  /// Gives the parameter of a step another value, by a function that returns a number below the one that it is given. Returns false if no
  /// step has one.
  @discardableResult
  mutating func chooseAgain<ID>(
    of choice: ArrangementChoice<TestSection, Card<ID>>, _ random: (Int) -> Int
  ) -> Bool where Element == ArrangedStep<ID> {
    let indices = indices.filter { self[$0].choices != nil }
    guard !indices.isEmpty else { return false }
    let index = indices[random(indices.count)]
    guard let step = self[index].choosing(random) else { return false }
    self[index] = step
    [step].setParameters(of: choice)
    return true
  }

  /// The model after all steps. An order that directly follows sections is theirs: it decides which row is the first.
  func recompute<ID>(_ model: ArrangedStep<ID>.Model) -> ArrangedStep<ID>.Model where Element == ArrangedStep<ID> {
    var model = model
    var reorder: (@Sendable (ArrangedStep<ID>.Model) -> ArrangedStep<ID>.Model)?
    for step in self {
      model = step.recompute(model)
      if step.isOrder { model = reorder?(model) ?? model } else { reorder = step.reorder }
    }
    return model
  }
}

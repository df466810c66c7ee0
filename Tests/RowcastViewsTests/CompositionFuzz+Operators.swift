import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews

/// The operators, each with the same over arrays.
extension CompositionFuzz {
  /// An operator of one list or of two.
  func operation(
    _ feature: CompositionFeature
  ) -> (make: (Cards, Cards) -> Cards, recompute: (Model, Model) -> Model) {
    let reference: @Sendable (Card<Int>) -> Int? = { $0.a == 3 ? nil : $0.a * 2 + $0.b % 2 }
    let made: @Sendable (Card<Int>, Int) -> Card<Int> = { Card(id: $0.id, a: $0.a, b: $1 % 7) }
    let both: @Sendable (Card<Int>, Card<Int>?) -> Card<Int> = { made($0, $0.b + 3 * ($1?.b ?? 1)) }
    let isSorted = int(0..<2) == 0
    let order = isSorted ? SortKey<Card<Int>>.descending(\.b) : .by { _, _ in false }
    /// A join with many by arrays.
    func many(_ combine: @escaping (Card<Int>, [Card<Int>]) -> Card<Int>?) -> (Model, Model) -> Model {
      { .joining($0, withMany: $1, on: reference, sortedBy: { isSorted && $0.b > $1.b }, combine) }
    }
    func ids(_ model: Model) -> Set<Int> { Set(model.parts.flatMap { $0.rows.map(\.id) }) }
    switch feature {
    case .joined:
      return (
        { $0.joined(with: $1, on: reference) { both($0, $1) } },
        { .joining($0, $1, key: reference) { row, other in other.map { both(row, $0) } } }
      )
    case .leftJoined:
      return (
        { $0.joined(withOptional: $1, on: reference, combine: both) }, { .joining($0, $1, key: reference, both) }
      )
    case .joinedByKeys: return isSorted ? joined(by: \.price) : joined { TextKey($0.a + $0.b) }
    case .manyByKeys: return isSorted ? joinedWithMany(by: \.price) : joinedWithMany { TextKey($0.a + $0.b) }
    case .withMany:
      return (
        {
          $0.joined(withMany: $1, on: reference, sortedBy: order) { card, others in
            made(card, others.reduce(card.b) { (3 * $0 + $1.b) % 1_000 })
          }
        }, many { card, others in made(card, others.reduce(card.b) { (3 * $0 + $1.b) % 1_000 }) }
      )
    case .withFirst:
      return (
        { $0.joined(withFirst: $1, on: reference, sortedBy: order, combine: both) }, many { both($0, $1.first) }
      )
    case .withSummary:
      return (
        {
          $0.joined(withMany: $1, on: reference, summary: .sum(\.b), .max { TextKey($0.b) }, .sum(\.price)) {
            made($0, $1 + ($2?.kind ?? 5) + ($3.isNaN ? 1 : Int(2 * $3)))
          }
        },
        many { card, others in
          let (sum, price) = (others.reduce(0) { $0 + $1.b }, others.reduce(0) { $0 + $1.price })
          return made(card, sum + (others.map { TextKey($0.b).kind }.max() ?? 5) + (price.isNaN ? 1 : Int(2 * price)))
        }
      )
    case .intersecting: return ({ $0.intersecting($1, on: reference) }, many { $1.isEmpty ? nil : $0 })
    case .excluding: return ({ $0.excluding($1, on: reference) }, many { $1.isEmpty ? $0 : nil })
    case .shared:
      return (
        { $0.intersecting($1) },
        { left, right in left.mapped { [ids = ids(right)] in $0.filter { ids.contains($0.id) } } }
      )
    case .others:
      return (
        { $0.excluding($1) },
        { left, right in left.mapped { [ids = ids(right)] in $0.filter { !ids.contains($0.id) } } }
      )
    case .flatMap, .keyed:
      // Several rows may have one element.
      let step = int(1..<4)
      let elements: @Sendable (Card<Int>) -> [Card<Int>] = { card in
        let count = feature == .keyed ? card.a == 2 ? 0 : 1 : abs(card.a + card.b) % 4
        return (0..<count).map { Card(id: card.id + (card.b + $0) / 2 * step, a: (card.a + $0) % 4, b: card.b) }
      }
      return (
        { list, _ in feature == .keyed ? list.keyed { elements($0).first } : list.flatMap(elements) },
        { list, _ in
          var seen: Set<Int> = []
          return list.mapped { $0.flatMap(elements).filter { seen.insert($0.id).inserted } }
        }
      )
    case .asRows:
      let card: @Sendable (String, String) -> Card<Int> = {
        Card(id: Self.number($0) % 14, a: Self.number($0) % 3, b: Self.number($1) % 5)
      }
      let section: @Sendable (Int) -> TestSection = { TestSection("g\($0)") }
      return (
        { list, _ in
          list.asRows { Group(id: $0.id, title: $0.content.title) }.keyed { card($0.id, $0.title) }
            .arranged { $0.sectioned(by: \.a, section: section) }
        },
        { list, _ in
          var seen: Set<Int> = []
          let rows = list.parts.map { card($0.section.id, $0.section.content.title) }
            .filter { seen.insert($0.id).inserted }
          var groups = Model()
          for key in Set(rows.map(\.a)).sorted() {
            groups.parts.append(.init(section: section(key), rows: rows.filter { $0.a == key }))
          }
          return groups
        }
      )
    case .loading:
      // No load ever ends.
      return (
        { list, _ in
          list.loading {
            $0.b % 2 == 0 ? nil : $0.b
          } load: { _ in
            for await _ in AsyncStream<Int>.makeStream().stream {}
          } row: {
            made($0, $0.b + ($1.isPending ? 3 : 0))
          }
        }, { list, _ in list.mapped { $0.map { made($0, $0.b + ($0.b % 2 == 0 ? 0 : 3)) } } }
      )
    default:
      let policy = isSorted ? MergePolicy.first : .last
      return ({ MergedList($0, $1, preferring: policy) }, { .merging([$0, $1], policy) })
    }
  }

  private struct Group: RowViewModel {
    let id: String
    let title: String
  }

  /// A card under another key, which may be equal to others and not the same, or not equal to itself.
  struct Keyed<Key: Hashable & Sendable>: RowViewModel {
    let id: Key
    let cards: [Card<Int>]
  }

  /// A small number that differs with a text.
  @Sendable private static func number(_ text: String) -> Int { text.utf8.reduce(0) { (31 * $0 + Int($1)) % 97 } }

  /// A join that shows the keys of the other rows: one may be equal to the key, and not the same.
  private func joined<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Card<Int>) -> Key
  ) -> ((Cards, Cards) -> Cards, (Model, Model) -> Model) {
    let combine: @Sendable (Card<Int>, Key?) -> Card<Int> = { card, key in
      Card(id: card.id, a: card.a, b: (card.b + (key.map { Self.number("\($0)") } ?? 4)) % 7)
    }
    return (
      { left, right in
        left.joined(withOptional: right.keyed { Keyed(id: key($0), cards: [$0]) }, on: key) { combine($0, $1?.id) }
      },
      { left, right in
        let partners = Dictionary(grouping: right.parts.flatMap(\.rows).map(key)) { $0 }
        return left.mapped { $0.map { combine($0, partners[key($0)]?.first) } }
      }
    )
  }

  /// A join of cards under another key with many.
  private func joinedWithMany<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Card<Int>) -> Key
  ) -> ((Cards, Cards) -> Cards, (Model, Model) -> Model) {
    let combine: @Sendable (Card<Int>, [Card<Int>]) -> Card<Int> = {
      Card(id: $0.id, a: $0.a, b: $1.reduce($0.b) { 3 * $0 + $1.b } % 7)
    }
    return (
      { left, right in
        left.keyed { Keyed(id: key($0), cards: [$0]) }
          .joined(withMany: right, on: { $0.a == 2 ? nil : key($0) }) {
            Keyed(id: $0.id, cards: [combine($0.cards[0], $1.suffix(9).map { $0 })])
          }.keyed { $0.cards[0] }
      },
      { left, right in
        let others = Dictionary(grouping: right.parts.flatMap(\.rows).filter { $0.a != 2 }, by: key)
        var seen: Set<Key> = []
        return left.mapped { rows in
          rows.filter { key($0) == key($0) && seen.insert(key($0)).inserted }.map {
            combine($0, (others[key($0)] ?? []).suffix(9))
          }
        }
      }
    )
  }
}

extension NaiveList where Row == Card<Int> {
  /// The list with other rows in each section.
  func mapped(_ change: ([Row]) -> [Row]) -> NaiveList {
    var list = self
    for index in list.parts.indices { list.parts[index].rows = change(list.parts[index].rows) }
    return list
  }
}

import RowcastDemoBench
import Foundation
import RowcastDiff

/// A pair of flat lists, made of UUIDs.
struct FlatWorkload: Sendable {
  let name: String
  /// The number of ids before the change.
  let count: Int
  let make: @Sendable (_ random: inout SplitMix64) -> (old: [UUID], new: [UUID])

  /// A workload that edits a list: of different ids, unless said otherwise.
  init(
    _ name: String, _ count: Int, start: (@Sendable (inout SplitMix64) -> [UUID])? = nil,
    edit: @escaping @Sendable (inout [UUID], inout SplitMix64) -> Void
  ) {
    self.name = name
    self.count = count
    make = { random in
      let old = start?(&random) ?? random.uuids(count)
      var new = old
      edit(&new, &random)
      return (old, new)
    }
  }
}

extension DiffBenchmarks {
  static let workloads: [FlatWorkload] = [
    FlatWorkload("dk-5k", 5_000) { $0.editLikeDifferenceKit(from: 2_000, count: 1_000, shuffled: 200, &$1) },
    FlatWorkload("dk-100k", 100_000) { $0.editLikeDifferenceKit(from: 20_000, count: 10_000, shuffled: 2_000, &$1) },
    FlatWorkload("dk-1m", 1_000_000) { $0.editLikeDifferenceKit(from: 200_000, count: 100_000, shuffled: 20_000, &$1) },
    FlatWorkload("mixed-10k", 10_000) { $0.mix(2_000, &$1) },
    FlatWorkload("mixed-50k", 50_000) { $0.mix(10_000, &$1) },
    FlatWorkload("half-10k", 10_000) { list, random in list = list[5_000...] + random.uuids(5_000) },
    FlatWorkload("scattered-10k", 10_000) { $0.scatter(100, &$1) },
    FlatWorkload("scattered-100k", 100_000) { $0.scatter(5_000, &$1) },
    FlatWorkload("none-10k", 10_000) { list, _ in list = Array(list.lazy.map { $0 }) },
    FlatWorkload("shuffle-10k", 10_000) { $0.shuffle(using: &$1) },
    FlatWorkload("shuffle-100k", 100_000) { $0.shuffle(using: &$1) },
    FlatWorkload("one-100k", 100_000) { list, _ in list.remove(at: 50_000) },
    FlatWorkload("one-1m", 1_000_000) { list, _ in list.remove(at: 500_000) },
    FlatWorkload("reverse-10k", 10_000) { list, _ in list.reverse() },
    FlatWorkload("rotate-10k", 10_000) { list, _ in list = Array(list[3_333...] + list[..<3_333]) },
    FlatWorkload("disjoint-10k", 10_000) { list, random in list = random.uuids(10_000) },
    FlatWorkload("interleaved-10k", 10_000) { list, random in
      let fresh = random.uuids(10_000)
      list = zip(list, fresh).flatMap { [$0, $1] }
    },
    FlatWorkload("replaced-10k", 10_000) { list, random in
      for index in Array(0..<10_000).shuffled(using: &random).prefix(5_000) { list[index] = random.uuid() }
    },
    FlatWorkload("one-row", 1) { list, random in list = random.uuids(1) },
    FlatWorkload("empty", 0) { list, _ in list = [] },
    FlatWorkload("equal-10k", 10_000, start: { Array(repeating: $0.uuid(), count: 10_000) }) { list, random in
      list = random.uuids(1) + list.dropLast(1_000) + random.uuids(1)
    },
  ]
}

extension [UUID] {
  /// DifferenceKit's published benchmark: a block deleted, a block inserted, the head shuffled.
  fileprivate mutating func editLikeDifferenceKit(
    from start: Int, count changed: Int, shuffled: Int, _ random: inout SplitMix64
  ) {
    removeSubrange(start..<start + changed)
    insert(contentsOf: random.uuids(changed), at: start + changed)
    self[0..<shuffled].shuffle(using: &random)
  }

  /// ListKit's benchmark: deletes from the front, moves to the end, inserts.
  fileprivate mutating func mix(_ changed: Int, _ random: inout SplitMix64) {
    let moved = self[changed..<2 * changed]
    self = Array(self[(2 * changed)...] + moved)
    insert(contentsOf: random.uuids(changed), at: count / 2)
  }

  /// Deletes, inserts and moves as many single ids at random places.
  fileprivate mutating func scatter(_ changed: Int, _ random: inout SplitMix64) {
    let order = Array<Int>(indices).shuffled(using: &random)
    let leaving = Set(order.prefix(2 * changed))
    let travellers = order[changed..<2 * changed].map { self[$0] }
    let staying = indices.filter { !leaving.contains($0) }.map { self[$0] }
    var arriving = (travellers + random.uuids(changed)).shuffled(using: &random)
    var places = arriving.map { _ in Int.random(in: 0...staying.count, using: &random) }.sorted()
    var result: [UUID] = []
    result.reserveCapacity(count)
    for (index, id) in staying.enumerated().reversed() {
      while let place = places.last, place > index, let next = arriving.popLast() {
        result.append(next)
        places.removeLast()
      }
      result.append(id)
    }
    self = (result + arriving).reversed()
  }
}

extension SplitMix64 {
  mutating func uuid() -> UUID {
    // Both are 16 bytes that may have any value.
    let words = (next(), next())
    return UUID(uuid: unsafe unsafeBitCast(words, to: uuid_t.self))
  }

  mutating func uuids(_ count: Int) -> [UUID] {
    var result: [UUID] = []
    result.reserveCapacity(count)
    for _ in 0..<count { result.append(uuid()) }
    return result
  }
}

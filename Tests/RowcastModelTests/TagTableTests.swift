import RowcastTestSupport
import Testing

@testable import RowcastModel

/// The table of tags on its own.
@Suite(.watched) struct TagTableTests {
  /// A table, and the pairs that it has to have.
  private struct Pair {
    var table = TagTable()
    var model: [UInt32: [Int32]] = [:]
    var next: Int32 = 1

    mutating func insert(_ tag: UInt32) {
      table.insert(tag, next)
      model[tag, default: []].append(next)
      next += 1
    }

    mutating func removeOne(of tag: UInt32) {
      guard let number = model[tag]?.popLast() else { return }
      let isKnown = table.remove(tag, number)
      #expect(isKnown, "\(tag) is not known in \(number)")
    }

    func check(_ note: String) {
      #expect(table.count == model.values.reduce(0) { $0 + $1.count }, "\(note)")
      var lost: [UInt32] = []
      for (tag, numbers) in model {
        var probe = 0
        var found: [Int32] = []
        while case let number = table.candidate(for: tag, &probe), number != 0 { found.append(number) }
        if found.sorted() != numbers.sorted() { lost.append(tag) }
      }
      #expect(lost.isEmpty, "\(note): \(lost.count) of \(model.count) tags are not found, like \(lost.prefix(3))")
    }
  }

  @Test(arguments: [1, 2, 3, 6])
  func `a shard to which several entries of the directory point is split, and everything is found`(bits: Int) {
    var random = SeededGenerator.forFuzzing("shards that split late")
    var pair = Pair()
    let last = UInt32.max << UInt32(32 - bits)
    // The directory doubles several times for all other tags, while those of the last shard's share it.
    for _ in 0..<30_000 { pair.insert(UInt32.random(in: 0..<last, using: &random)) }
    pair.check("seed \(random.seed), before")
    for step in 1...12_000 {
      pair.insert(UInt32.random(in: last...UInt32.max, using: &random))
      if step % 1_500 == 0 { pair.check("seed \(random.seed), \(step) tags") }
    }
  }

  @Test func `thousands of ids of one hash, among others, are found and removed`() {
    var random = SeededGenerator.forFuzzing("one hash")
    var pair = Pair()
    let dull: [UInt32] = [0x8000_0000, 0x0000_0001, UInt32.max]
    for step in 0..<24_000 {
      pair.insert(step % 3 == 0 ? dull[step / 3 % 3] : UInt32.random(in: 0...UInt32.max, using: &random))
    }
    pair.check("seed \(random.seed)")
    for tag in Array(pair.model.keys) where tag % 2 == 0 || dull.contains(tag) { pair.removeOne(of: tag) }
    for _ in 0..<500 { pair.removeOne(of: dull[0]) }
    pair.check("seed \(random.seed), after removal")
  }

  @Test func `growing never moves more than one shard's worth of pairs at a time`() {
    var random = SeededGenerator.forFuzzing("tags")
    var table = TagTable()
    var most = 0
    for number in 1...200_000 {
      let moved = table.movedCount
      table.insert(UInt32.random(in: 0...UInt32.max, using: &random), Int32(number))
      most = max(most, table.movedCount - moved)
    }
    #expect(table.count == 200_000 && table.movedCount > 200_000)
    #expect(most > 0 && most <= 2_048, "seed \(random.seed): \(most)")
  }

  @Test func `a table whose ids are exchanged does not grow`() {
    var table = TagTable()
    for number in 1...100 { table.insert(UInt32(number) << 20, Int32(number)) }
    let moved = table.movedCount
    for number in 101...10_000 {
      let isKnown = table.remove(UInt32(number - 100) << 20, Int32(number - 100))
      #expect(isKnown)
      table.insert(UInt32(number) << 20, Int32(number))
    }
    #expect(table.count == 100 && table.movedCount == moved)
  }
}

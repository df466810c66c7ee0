import Foundation
import Testing

/// Messages with fields that were changed at random: everything that a mirror accepts, the code behind it accepts, too.
@Suite(.watched) struct MirrorFuzzTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirror = WireReader<TestSection, TestRow>

  /// A JSON value with a change somewhere inside.
  private static func mutated(_ json: Any, _ random: inout SeededGenerator) -> Any {
    switch json {
    case var fields as [String: Any]:
      // Mostly where there are operations: a wrong revision says little.
      let keys = fields.keys.sorted()
      let inner = keys.filter { (fields[$0] as? [Any])?.isEmpty == false || fields[$0] is [String: Any] }
      let isInner = !inner.isEmpty && Int.random(in: 0..<8, using: &random) > 0
      guard let key = (isInner ? inner : keys).randomElement(using: &random), let field = fields[key] else {
        return json
      }
      fields[key] = Int.random(in: 0..<40, using: &random) == 0 ? nil : mutated(field, &random)
      return fields
    case var elements as [Any]:
      guard let index = elements.indices.randomElement(using: &random) else { return json }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      case 2: elements.swapAt(index, 0)
      case 3: elements[index] = elements[0]
      default: elements[index] = mutated(elements[index], &random)
      }
      return elements
    case let number as Int:
      let extremes = [0, 1, 2, -1, 999, Int.max, Int.min, Int.max - 1]
      let others = [number &- 1, number &+ 1, number &+ 2, 0 &- number]
      return (Bool.random(using: &random) ? extremes : others).randomElement(using: &random) ?? 0
    default:
      let values: [Any] = ["s0", "s1", "s2", "n", "", 3, NSNull(), true, 1.5, [Any]()]
      return values.randomElement(using: &random) ?? 0
    }
  }

  @Test func `what a mirror accepts, a table, applying and stages accept, and they agree`() throws {
    var random = SeededGenerator.forFuzzing("mutated messages")
    var (accepted, refused) = (0, 0)
    let rounds = SeededGenerator.rounds(400, long: 200_000)
    for round in 0..<rounds {
      let before = try TestSnapshot.random(sections: 4, rows: 9, using: &random)
      let after = try TestSnapshot.random(sections: 4, rows: 9, using: &random)
      let update = TestUpdate(revision: 5, previous: 3, changes: before.changes(to: after), snapshot: after)
      var json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(Message(update)))
      for _ in 0..<Int.random(in: 1...3, using: &random) { json = Self.mutated(json, &random) }
      let data = try JSONSerialization.data(withJSONObject: json, options: [.sortedKeys])
      guard let message = try? JSONDecoder().decode(Message.self, from: data) else { continue }
      let note =
        "seed \(random.seed) round \(round): \(NaiveList(before)) with \(String(decoding: data, as: UTF8.self))"
      var mirror = Mirror(before, at: ListPosition(epoch: "", revision: 3))
      do {
        guard let update = try mirror.fold(message) else { continue }
        accepted += 1
        try check(update, from: before, Comment(rawValue: note))
      } catch is WireError {
        refused += 1
        #expect(mirror.snapshot == before && mirror.revision == 3, "\(note)")
      }
    }
    let isEnough = accepted > rounds / 20 && refused > rounds / 20
    #expect(isEnough, "seed \(random.seed): \(accepted) accepted, \(refused) refused")
  }

  private func check(_ update: TestUpdate, from before: TestSnapshot, _ note: Comment) throws {
    let table = TestTable.make(height: 5)
    try table.apply(ListUpdate(initial: before, revision: 3))
    #expect(throws: Never.self, note) { try table.apply(update) }
    let start = update.previous == nil ? TestSnapshot() : before
    var folded = NaiveList(start)
    try folded.fold(update.changes, after: update.snapshot)
    #expect(folded == NaiveList(update.snapshot), note)
    let (sections, rows) = (folded.parts.map(\.section.id), folded.parts.flatMap(\.rows).map(\.id))
    #expect(Set(sections).count == sections.count && Set(rows).count == rows.count, note)
    #expect(start.applying(update.changes, inserting: update.snapshot) == update.snapshot, note)
    #expect(throws: Never.self, note) { try update.changes.checkedStages(from: start, to: update.snapshot) }
  }
}

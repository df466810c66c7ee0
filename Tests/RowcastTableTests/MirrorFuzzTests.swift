import Foundation
import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// Messages with fields that were changed at random: what a mirror accepts, everything behind it accepts.
@Suite(.watched) struct MirrorFuzzTests {
  typealias Message = WireMessage<TestSection, TestRow>
  typealias Mirror = WireReader<TestSection, TestRow>

  /// A JSON value that can be changed in one place.
  indirect enum Value {
    case object([String: Value])
    case array([Value])
    case leaf(Any)

    init(_ json: Any) {
      switch json {
      case let object as [String: Any]: self = .object(object.mapValues(Value.init))
      case let array as [Any]: self = .array(array.map(Value.init))
      default: self = .leaf(json)
      }
    }

    var json: Any {
      switch self {
      case .object(let fields): fields.mapValues(\.json)
      case .array(let elements): elements.map(\.json)
      case .leaf(let value): value
      }
    }

    /// The number of values inside, and this one.
    var count: Int {
      switch self {
      case .object(let fields): fields.values.reduce(1) { $0 + $1.count }
      case .array(let elements): elements.reduce(1) { $0 + $1.count }
      case .leaf: 1
      }
    }

    /// Changes the value with a number, counted from this one on.
    mutating func mutate(at index: Int, _ random: inout SeededGenerator) {
      if index == 0 { return mutate(&random) }
      var rest = index - 1
      switch self {
      case .object(var fields):
        for key in fields.keys.sorted() {
          guard var field = fields[key] else { continue }
          let count = field.count
          if rest < count {
            field.mutate(at: rest, &random)
            fields[key] = field
            break
          }
          rest -= count
        }
        self = .object(fields)
      case .array(var elements):
        for index in elements.indices {
          let count = elements[index].count
          if rest < count {
            elements[index].mutate(at: rest, &random)
            break
          }
          rest -= count
        }
        self = .array(elements)
      case .leaf: break
      }
    }

    private mutating func mutate(_ random: inout SeededGenerator) {
      switch self {
      case .object(var fields):
        guard Int.random(in: 0..<8, using: &random) == 0, let key = fields.keys.sorted().randomElement(using: &random)
        else { return }
        fields[key] = nil
        self = .object(fields)
      case .array(var elements):
        guard let index = elements.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: elements.remove(at: index)
        case 1: elements.append(elements[index])
        case 2: elements.swapAt(index, 0)
        default: elements[index] = elements[0]
        }
        self = .array(elements)
      case .leaf(let number as Int):
        let extremes = [0, 1, 2, -1, 999, Int.max, Int.min, Int.max - 1]
        let others = [number &- 1, number &+ 1, number &+ 2, 0 &- number]
        self = .leaf((Bool.random(using: &random) ? extremes : others).randomElement(using: &random) ?? 0)
      case .leaf:
        let values: [Any] = ["s0", "s1", "s2", "n", "", 3, NSNull(), true, 1.5, [Any]()]
        self = .leaf(values.randomElement(using: &random) ?? 0)
      }
    }
  }

  @Test func `what a mirror accepts, a table, applying and stages accept, and they agree`() throws {
    var random = SeededGenerator.forFuzzing("mutated messages")
    var (accepted, refused) = (0, 0)
    for round in 0..<SeededGenerator.rounds(2_000, long: 200_000) {
      let before = try TestSnapshot.random(sections: 4, rows: 9, using: &random)
      let after = try TestSnapshot.random(sections: 4, rows: 9, using: &random)
      let update = TestUpdate(revision: 5, previous: 3, changes: before.changes(to: after), snapshot: after)
      var value = Value(try JSONSerialization.jsonObject(with: try JSONEncoder().encode(Message(update))))
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        value.mutate(at: Int.random(in: 0..<value.count, using: &random), &random)
      }
      let data = try JSONSerialization.data(withJSONObject: value.json, options: [.sortedKeys])
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
    #expect(accepted > 100 && refused > 100, "seed \(random.seed): \(accepted) accepted, \(refused) refused")
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
    var list = start
    for stage in update.changes.stages(from: start, to: update.snapshot) {
      #expect(throws: Never.self, note) {
        try BatchValidator.validate(
          TableBatch(stage.changes), from: list, to: stage.snapshot, refusingRowsInMovedSections: true)
      }
      list = stage.snapshot
    }
    #expect(update.changes.isEmpty || list == update.snapshot, note)
  }
}

import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastViews

/// Lists that are made of several mirrors of one space.
@Suite(.watched) struct MirroredSpaceViewTests {
  typealias Rows = ListStore<SoleSection, TestRow>
  typealias View = any LiveList<SoleSection, TestRow>

  struct Shop: Codable {
    var orders: WireMessage<SoleSection, TestRow>?
    var customers: WireMessage<SoleSection, TestRow>?
  }

  private struct Abort: Error {}

  /// Orders, each with its one customer; and the rows of both.
  private static func views(_ orders: View, _ customers: View) -> [View] {
    [
      orders.joined(withOptional: customers, on: { $0.id + 100 }) { TestRow($0.id, "\($0.text) \($1?.text ?? "–")") },
      MergedList(orders, customers.arranged { $0.filter { $0.id > 0 } }).arranged { $0.sorted(by: \.id) },
    ]
  }

  /// The same of plain arrays.
  private static func models(_ orders: [TestRow], _ customers: [TestRow]) -> [[TestRow]] {
    [
      orders.map { order in
        TestRow(order.id, "\(order.text) \(customers.first { $0.id == order.id + 100 }?.text ?? "–")")
      },
      (orders + customers).sorted { $0.id < $1.id },
    ]
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `under any schedule lists made of mirrors show states that the stores had at one moment, in their order`()
    async throws
  {
    await Schedule.explore("a mirrored space", 12, long: 20_000) { try await Self.scene(SeededGenerator(seed: $0)) }
  }

  /// Two stores of a space, and their lines.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func server() -> (
    space: ListSpace, orders: ListStore<SoleSection, TestRow>, customers: ListStore<SoleSection, TestRow>,
    lines: EncodedSpace<Shop, SpaceMessage<Shop>>
  ) {
    let space = ListSpace()
    let (orders, customers) = (
      space.store(of: TestRow.self, history: .last(3)), space.store(of: TestRow.self, history: .last(3))
    )
    var lines = EncodedSpace(Shop()) { $0 }
    lines.add(orders, as: \.orders)
    lines.add(customers, as: \.customers)
    return (space, orders, customers, lines)
  }

  /// A task that edits both stores, or one, and two clients whose lines get lost; returns the faults.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func scene(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let (space, orders, customers, lines) = server()
    let plan = (0..<9).map { step in
      (kind: Int.random(in: 0..<6, using: &random), id: Int.random(in: 1..<5, using: &random), text: "\(step)")
    }
    let writer = Task {
      var states: [([TestRow], [TestRow])] = [([], [])]
      for (kind, id, text) in plan {
        switch kind {
        case 0: try await orders.edit { if $0.row(id) != nil { try $0.update(id) { $0.text = text } } }
        case 1:
          try await space.edit(customers, orders) {
            if $1.row(id) == nil { return }
            try $0.remove(id + 100)
            try $1.remove(id)
          }
        default:
          do {
            try await space.edit(orders, customers) {
              try $0.upsert(TestRow(id, text))
              try $1.upsert(TestRow(id + 100, text))
              if kind == 2 { throw Abort() }
            }
          } catch is Abort {}
        }
        states.append((await orders.snapshot.allRows.map { $0 }, await customers.snapshot.allRows.map { $0 }))
      }
      await orders.finish()
      await customers.finish()
      return states
    }
    let clients = (0..<2).map { _ in
      let losses = Set((0..<2).map { _ in Int.random(in: 0..<8, using: &random) })
      return Task { [lines] in try await follow(lines, losing: losses) }
    }
    let states = try await writer.value
    for client in clients {
      let all = try await client.value
      for (index, seen) in all.enumerated() {
        let expected = states.map { models($0.0, $0.1)[index] }
        var next = 0
        for rows in seen {
          if rows.contains(where: { $0.text.contains("–") }) { return "an order without its customer: \(rows)" }
          guard let found = expected[next...].firstIndex(of: rows) else {
            return "\(rows) is none of the states \(expected[next...])"
          }
          next = found
        }
        if seen.last != expected.last { return "ended at \(seen.last ?? []), not at \(expected.last ?? [])" }
      }
    }
    return nil
  }

  /// Brings lines to mirrors until both have ended. Some are lost, alone or with all of their stream.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func bring(
    _ lines: EncodedSpace<Shop, SpaceMessage<Shop>>, to shop: MirroredSpace<Shop>,
    _ orders: MirroredList<SoleSection, TestRow>, _ customers: MirroredList<SoleSection, TestRow>,
    losing losses: Set<Int>, isCut: Bool = false
  ) async {
    var number = 0
    while true {
      if case .ended = await orders.state, case .ended = await customers.state { return }
      for await line in lines.lines(since: await shop.beginStream()) {
        number += 1
        if losses.contains(number) { if isCut { break } else { continue } }
        do { try await shop.receive(line) } catch { break }
      }
    }
  }

  /// What the lists made of the mirrors of a client show, until both mirrors have ended.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func follow(
    _ lines: EncodedSpace<Shop, SpaceMessage<Shop>>, losing losses: Set<Int>
  ) async throws -> [[[TestRow]]] {
    let readers: [Task<[[TestRow]], Never>]
    do {
      var shop = MirroredSpace<Shop>()
      let orders = shop.list(\.orders)
      let customers = shop.list(\.customers)
      readers = views(orders, customers).map { view in
        Task {
          var seen: [[TestRow]] = []
          for await update in view.updates() { seen.append(Array(update.snapshot.allRows)) }
          return seen
        }
      }
      await bring(lines, to: shop, orders, customers, losing: losses)
    }
    var seen: [[[TestRow]]] = []
    for reader in readers { seen.append(await reader.value) }
    return seen
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `under any schedule an edit of a mirror in a space shows from the call on, and never flickers`()
    async throws
  {
    await Schedule.explore("edits in a mirrored space", 12, long: 20_000) {
      try await Self.editingScene(SeededGenerator(seed: $0))
    }
  }

  /// Edits of one mirror that the server makes with a change of the other list, while lines get lost; gives back what went wrong.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func editingScene(_ seeded: SeededGenerator) async throws -> String? {
    var random = seeded
    let (space, orders, customers, lines) = server()
    @Sendable func add(_ id: Int) async throws -> ListPosition {
      try await space.edit(orders, customers) {
        try $0.upsert(TestRow(id))
        try $1.upsert(TestRow(id + 100))
      }
      return await orders.position
    }
    _ = try await add(0)
    var shop = MirroredSpace<Shop>()
    let (mirror, other) = (shop.list(\.orders), shop.list(\.customers))
    let shown = OptimisticList(mirror)
    let losses = Set((0..<3).map { _ in Int.random(in: 1..<8, using: &random) })
    let following = Task { [shop, lines] in await bring(lines, to: shop, mirror, other, losing: losses, isCut: true) }
    // An edit applies to an existing list.
    for await update in mirror.updates() where update.snapshot.rowCount > 0 { break }
    let watching = Task {
      var (seen, lost): (Set<Int>, Set<Int>) = ([], [])
      for await update in shown.updates() {
        let ids = Set(update.snapshot.allRows.map(\.id))
        lost.formUnion(seen.subtracting(ids))
        seen = ids
      }
      return (seen, lost)
    }
    let people = (0..<3).map { person in
      Task {
        for id in [10 * (person + 1), 10 * (person + 1) + 1] {
          try await shown.editMirror(until: \.self) {
            try $0.upsert(TestRow(id))
          } confirming: {
            guard await shown.snapshot.allRows.contains(where: { $0.id == id }) else { throw Abort() }
            return try await add(id)
          }
          guard await mirror.snapshot.allRows.contains(where: { $0.id == id }) else { throw Abort() }
        }
      }
    }
    for id in 1..<4 { _ = try await add(id) }
    for person in people { try await person.value }
    if await shown.pending.value != [] { return "edits are pending after their calls" }
    await orders.finish()
    await customers.finish()
    await following.value
    let newest = Array(await orders.snapshot.allRows)
    if await Array(shown.snapshot.allRows) != newest { return "it shows \(await shown.snapshot), not \(newest)" }
    await mirror.store.finish()
    let (seen, lost) = await watching.value
    if lost.isEmpty, seen == Set(newest.map(\.id)) { return nil }
    return "rows \(lost) were gone for a while; at the end \(seen)"
  }
}

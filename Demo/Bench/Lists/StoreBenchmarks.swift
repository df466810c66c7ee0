import RowcastDemoBench
import Rowcast

/// The cost of one event in a store whose last snapshot a subscriber keeps, and of the difference.
enum StoreBenchmarks {
  static let all: [EventBenchmark] = events + wholes

  private static let sizes: [(name: String, rows: Int)] = [
    ("20", 20), ("100", 100), ("1k", 1_000), ("10k", 10_000), ("100k", 100_000), ("1m", 1_000_000),
  ]

  private static let events: [EventBenchmark] = StoreEvent.allCases.flatMap { event in
    sizes.map { size in
      EventBenchmark(name: "store/\(event)-\(size.name)") {
        await StoreWorkload(rows: size.rows, sections: 1).report(on: event)
      }
    }
      + sizes.filter { $0.rows >= 1_000 }.map { size in
        EventBenchmark(name: "store/\(event)-\(size.name)-s1000") {
          await StoreWorkload(rows: size.rows, sections: 1_000).report(on: event)
        }
      }
  }

  private static let wholes: [EventBenchmark] = [
    EventBenchmark(name: "store/diff1000-1m") {
      await StoreWorkload(rows: 1_000_000, sections: 1).reportOnManyChanges()
    },
    EventBenchmark(name: "store/deliver-1k") { await StoreWorkload(rows: 1_000, sections: 1).reportOnDelivery() },
    EventBenchmark(name: "store/deliver-1m") { await StoreWorkload(rows: 1_000_000, sections: 1).reportOnDelivery() },
    EventBenchmark(name: "store/conflate-1m") {
      await StoreWorkload(rows: 1_000_000, sections: 1).reportOnConflation(edits: 100_000)
    },
    EventBenchmark(name: "store/grow-1m") { await StoreWholes.grow(to: 1_000_000) },
    EventBenchmark(name: "store/build-1m") { StoreWholes.build(rows: 1_000_000) },
    EventBenchmark(name: "store/build-10m") { StoreWholes.build(rows: 10_000_000) },
    EventBenchmark(name: "store/update-10m") {
      await StoreWorkload(rows: 10_000_000, sections: 1).report(on: .update)
    },
    EventBenchmark(name: "store/iterate-1m") { await StoreWholes.iterate(rows: 1_000_000) },
    EventBenchmark(name: "store/access-1m") { await StoreWholes.access(rows: 1_000_000) },
  ]

  static let memory = [EventBenchmark(name: "store/memory-1m") { await StoreWholes.memory(rows: 1_000_000) }]
}

/// One kind of event.
enum StoreEvent: CaseIterable {
  case update, insert, remove, move, diff1
}

/// A row of the store's benchmarks: an integer id and a short title.
struct StoreRow: RowViewModel {
  let id: Int
  var title: String
  var number = 0

  init(_ id: Int) {
    self.id = id
    title = "Row \(id)"
  }
}

/// A section of the store's benchmarks.
struct StoreSection: SectionViewModel {
  let id: Int
}

import RowcastDemoBench

/// What a table of a million rows takes for an update and for a line of scrolling.
///
/// Method: each update and each scroll is timed alone, in a table that is in the middle of its list, and
/// `per_event` is the median. The difference of an update is made before its time is taken, as the table gets updates from a
/// stream. The time has all that the table does, calls of its cells included. Letting go of the list before is timed apart,
/// as `release`: it is what the list costs, whoever shows it, and many times what the table does where much changed.
enum TableBenchmarks {
  static let all: [EventBenchmark] = [
    updates("apply-1-1m"),
    updates("apply-1-1m-h200", TableWorkload.Shape(height: 200)),
    updates("apply-1-1m-off", TableWorkload.Shape(isOffScreen: true)),
    updates("apply-1-1m-headers", TableWorkload.Shape(hasHeaders: true)),
    updates("apply-1-1m-heights", TableWorkload.Shape(hasHeights: true)),
    EventBenchmark(name: "table/apply-1000-1m") {
      TableWorkload(TableWorkload.Shape()).reportOnUpdates(of: 1_000, runs: 40)
    },
    scrolling("scroll-1m"),
    scrolling("scroll-1m-headers", TableWorkload.Shape(hasHeaders: true)),
    scrolling("scroll-1m-heights", TableWorkload.Shape(hasHeights: true)),
  ]

  private static func updates(
    _ name: String, _ shape: TableWorkload.Shape = TableWorkload.Shape()
  ) -> EventBenchmark {
    EventBenchmark(name: "table/" + name) { TableWorkload(shape).reportOnUpdates(of: 1, runs: 2_000) }
  }

  private static func scrolling(
    _ name: String, _ shape: TableWorkload.Shape = TableWorkload.Shape()
  ) -> EventBenchmark {
    EventBenchmark(name: "table/" + name) { TableWorkload(shape).reportOnScrolling(runs: 20_000) }
  }
}

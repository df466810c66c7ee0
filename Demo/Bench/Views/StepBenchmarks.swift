import RowcastDemoBench
import Rowcast

/// What one changed row costs an operator, without actors and streams: from a version of the source to the list that the operator
/// makes of it, while the previous list is kept. The step includes the difference of the two versions, which is also a figure of
/// its own.
enum StepBenchmarks {
  static let all: [EventBenchmark] = [("1k", 1_000), ("100k", 100_000), ("1m", 1_000_000)].flatMap { size, rows in
    [
      benchmark("filter-\(size)", rows, toggle) { $0.filter { !$0.isDone }.steps() },
      benchmark("sort-\(size)", rows, prioritise) { $0.sorted(by: .descending(\.priority)).steps() },
      benchmark("sort-unique-\(size)", rows, prioritise) {
        $0.sorted(by: .descending(\.priority), .ascending(\.id)).steps()
      },
      benchmark("section-\(size)", rows, postpone) { $0.sectioned(by: \.day) { DaySummary(id: $0) }.steps() },
      benchmark("window-\(size)", rows, toggle) { $0.window(.rows(0..<50)).steps() },
      benchmark("top50-\(size)", rows, prioritise) {
        $0.sorted(by: .descending(\.priority)).window(.rows(0..<50)).steps()
      },
      benchmark("join-\(size)", rows, toggle) { _ in
        JoinedList<SoleSection, ViewRow>.steps(with: partners(rows / 10), on: { $0.id / 10 }) { row, partner in
          var row = row
          row.day = partner.priority
          return row
        }
      },
      benchmark("summary-\(size)", rows, prioritise) {
        $0.sectioned(by: \.day, summary: .count, .sum(\.priority)) { DaySummary(id: $0, count: $1, sum: $2) }.steps()
      },
    ]
  }

  private typealias Source = ListSnapshot<SoleSection, ViewRow>
  private typealias Plan = Arrangement<SoleSection, ViewRow, SoleSection, ViewRow>

  private static let toggle: ViewChange = { row, _ in row.isDone.toggle() }
  private static let prioritise: ViewChange = { $0.priority = ($0.priority + 1 + Int($1.next() % 998)) % 1_000 }
  private static let postpone: ViewChange = { $0.day = ($0.day + 1 + Int($1.next() % 28)) % 30 }

  private static func partners(_ count: Int) -> Source {
    var random = SplitMix64(seed: 16)
    return list((0..<count).map { ViewRow($0, &random) })
  }

  private static func list(_ rows: [ViewRow]) -> Source {
    (try? ListSnapshot([ListSection(SoleSection(), rows: rows)])) ?? ListSnapshot()
  }

  private static func benchmark<Section: SectionViewModel>(
    _ name: String, _ rows: Int, _ change: @escaping ViewChange,
    _ steps: @escaping @Sendable (Plan) -> (Source) -> ListSnapshot<Section, ViewRow>
  ) -> EventBenchmark {
    EventBenchmark(name: "view/step-" + name) { report(rows, change, steps(Plan())) }
  }

  private static func report<Section: SectionViewModel>(
    _ rows: Int, _ change: ViewChange, _ step: (Source) -> ListSnapshot<Section, ViewRow>
  ) -> EventReport {
    var random = SplitMix64(seed: UInt64(rows))
    var draft = ListDraft(list((0..<rows).map { ViewRow($0, &random) }))
    let build = Stopwatch.nanoseconds { keepAlive(step(draft.snapshot)) }
    var (steps, differences): ([Double], [Double]) = ([], [])
    let size = 50
    for _ in 0..<400 {
      var versions = [draft.snapshot]
      for _ in 0..<size {
        let path = RowPath(section: 0, row: Int(random.next() % UInt64(rows)))
        var row = draft.snapshot.row(at: path)
        change(&row, &random)
        draft.replaceRow(at: path, with: row)
        draft.commit()
        versions.append(draft.snapshot)
      }
      var shown: [ListSnapshot<Section, ViewRow>] = []
      shown.reserveCapacity(size)
      steps.append(
        Stopwatch.nanoseconds { for index in 1...size { shown.append(step(versions[index])) } } / Double(size))
      differences.append(
        Stopwatch.nanoseconds { for index in 1...size { keepAlive(versions[index - 1].changes(to: versions[index])) } }
          / Double(size))
    }
    return EventReport([
      ("rows", .count(rows)), ("per_event_ns", .nanoseconds(Samples(steps).median)),
      ("p99_ns", .nanoseconds(Samples(steps).percentile(0.99))),
      ("source_diff_ns", .nanoseconds(Samples(differences).median)), ("build_ns", .nanoseconds(build)),
    ])
  }
}

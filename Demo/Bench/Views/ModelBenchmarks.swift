import DemoBench
import Observation
import Rowcast

/// What it takes until a view on the main actor reads what was edited.
enum ModelBenchmarks {
  static let all: [EventBenchmark] = [
    EventBenchmark(name: "ui/model-100k") { await model(rows: 100_000) }
  ]

  /// One row is changed at a time, which a view has read.
  @MainActor
  private static func model(rows: Int) async -> EventReport {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return EventReport([]) }
    var random = BenchRandom(seed: 100)
    let section = ListSection(SoleSection(), rows: (0..<rows).map { ViewRow($0, &random) })
    let list = (try? ListSnapshot([section])) ?? ListSnapshot()
    let store = ListStore(list)
    let model = ListModel(store, startingWith: list)
    while !model.isIndexed {
      keepAlive(model.row(0))
      await Task.yield()
    }
    var (followed, edited): ([Double], [Double]) = ([], [])
    for number in 0..<12_000 {
      let id = Int(random.next() % UInt64(rows))
      let (changes, change) = AsyncStream.makeStream(of: Void.self)
      withObservationTracking {
        keepAlive(model.row(id))
      } onChange: {
        change.finish()
      }
      let start = ContinuousClock.now
      if number.isMultiple(of: 2) {
        // Somebody edits the store, and the view is told.
        do { try await store.edit { try $0.update(id) { $0.title = "\(number)" } } } catch {
          Bench.stop(at: error)
        }
        for await _ in changes {}
      } else {
        // The view itself edits.
        do { try await model.edit { try $0.update(id) { $0.title = "\(number)" } } } catch {
          Bench.stop(at: error)
        }
      }
      keepAlive(model.row(id))
      let time = start.duration(to: .now).nanoseconds
      if number < 2_000 { continue }
      if number.isMultiple(of: 2) { followed.append(time) } else { edited.append(time) }
    }
    let (both, main) = (Samples(followed), Samples(mainActorShare(of: model, &random)))
    return EventReport([
      ("rows", .count(rows)), ("per_event_ns", .nanoseconds(both.median)),
      ("p99_ns", .nanoseconds(both.percentile(0.99))),
      ("own_edit_ns", .nanoseconds(Samples(edited).median)), ("main_actor_ns", .nanoseconds(main.median)),
    ])
  }

  /// What the main actor itself does for each step, in nanoseconds: it takes the step, tells a view, and the view reads.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor
  private static func mainActorShare(of model: ListModel<SoleSection, ViewRow>, _ random: inout BenchRandom) -> [Double]
  {
    var draft = ListDraft(model.snapshot)
    return (0..<10_000).map { number in
      let path = RowPath(section: 0, row: Int(random.next() % UInt64(draft.snapshot.rowCount)))
      var row = draft.snapshot.row(at: path)
      row.title = "\(number)"
      draft.replaceRow(at: path, with: row)
      draft.commit()
      let changes = model.base.snapshot.changes(to: draft.snapshot)
      let step = ModelStep(from: model.base, to: draft.snapshot, revision: 1_000_000 + number, changes)
      withObservationTracking {
        keepAlive(model.row(row.id))
      } onChange: {
      }
      let start = ContinuousClock.now
      keepAlive(model.apply(step))
      keepAlive(model.row(row.id))
      return start.duration(to: .now).nanoseconds
    }
  }
}

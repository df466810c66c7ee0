import RowcastDemoBench
import Observation
import Rowcast

/// The time until a view on the main actor reads an edited row.
///
/// Method: a view has read a row, which is then edited, and reads the row again as soon as it is told of a change.
/// `per_event` begins with an edit where sources make them, which is off the main actor. `from_main` begins on the main actor
/// and has its way to the store in it, and so has `own_edit`, where the view waits for the edit of the model.
enum ModelBenchmarks {
  static let all: [EventBenchmark] = [
    EventBenchmark(name: "ui/model-100k") { await model(rows: 100_000) }
  ]

  /// Who edits.
  private enum Editor: CaseIterable {
    case source, main, model
  }

  /// One row is changed at a time, which a view has read.
  @MainActor
  private static func model(rows: Int) async -> EventReport {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return EventReport([]) }
    var random = SplitMix64(seed: 100)
    let section = ListSection(SoleSection(), rows: (0..<rows).map { ViewRow($0, &random) })
    let list = (try? ListSnapshot([section])) ?? ListSnapshot()
    let store = ListStore(list)
    let model = ListModel(store, startingWith: list)
    while !model.isIndexed {
      keepAlive(model.row(0))
      await Task.yield()
    }
    var samples: [Editor: [Double]] = [:]
    for number in 0..<18_000 {
      let id = Int(random.next() % UInt64(rows))
      let title = "\(number)"
      let (changes, change) = AsyncStream.makeStream(of: Void.self)
      withObservationTracking {
        keepAlive(model.row(id))
      } onChange: {
        change.finish()
      }
      let editor = Editor.allCases[number % 3]
      var start = ContinuousClock.now
      var end = start
      do {
        switch editor {
        case .source:
          let source = Task { @concurrent in
            let start = ContinuousClock.now
            try await store.edit { try $0.update(id) { $0.title = title } }
            return start
          }
          for await _ in changes {}
          keepAlive(model.row(id))
          end = .now
          start = try await source.value
        case .main:
          try await store.edit { try $0.update(id) { $0.title = title } }
          for await _ in changes {}
          keepAlive(model.row(id))
          end = .now
        case .model:
          try await model.edit { try $0.update(id) { $0.title = title } }
          keepAlive(model.row(id))
          end = .now
        }
      } catch {
        Bench.stop(at: error)
      }
      if number >= 3_000 { samples[editor, default: []].append(start.duration(to: end).nanoseconds) }
    }
    let figures = samples.mapValues { Samples($0) }
    guard let source = figures[.source], let other = figures[.main], let own = figures[.model] else {
      preconditionFailure("There are no figures of some editors: \(figures.keys)")
    }
    return EventReport([
      ("rows", .count(rows)), ("per_event_ns", .nanoseconds(source.median)),
      ("p99_ns", .nanoseconds(source.percentile(0.99))),
      ("from_main_ns", .nanoseconds(other.median)), ("own_edit_ns", .nanoseconds(own.median)),
      ("main_actor_ns", .nanoseconds(Samples(mainActorShare(of: model, &random)).median)),
      ("main_handoff_ns", .nanoseconds((await Stopwatch.handOffs(10_000)).median)),
    ])
  }

  /// What the main actor itself does for each step, in nanoseconds: it takes the step, tells a view, and the view reads.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor
  private static func mainActorShare(of model: ListModel<SoleSection, ViewRow>, _ random: inout SplitMix64)
    -> [Double]
  {
    var draft = ListDraft(model.snapshot)
    return (0..<10_000).map { number in
      let path = RowPath(section: 0, row: Int(random.next() % UInt64(draft.snapshot.rowCount)))
      var row = draft.snapshot.row(at: path)
      row.title = "\(number)"
      draft.replaceRow(at: path, with: row)
      draft.commit()
      let changes = model.base.snapshot.changes(to: draft.snapshot)
      let step = ModelStep(
        from: model.base, to: draft.snapshot, at: ListPosition(epoch: "", revision: 1_000_000 + number), changes)
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

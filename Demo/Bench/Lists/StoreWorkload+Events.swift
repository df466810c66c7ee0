import RowcastDemoBench
import Rowcast

extension StoreWorkload {
  /// The cost of one event while the previous list is kept, and of its difference, beside the cost of both with an array.
  ///
  /// Lists are released outside of the time of the events; releasing is a figure of its own.
  consuming func report(on event: StoreEvent) async -> EventReport {
    var costs = EventCosts()
    // Few at a time, so that insertions and deletions do not change the size much.
    let size = max(2, min(100, ids.count / 10))
    for round in 0..<max(30, min(2_000, 20_000 / size)) {
      var held = [await store.snapshot]
      held.reserveCapacity(size + 1)
      let steps = (0..<size).map { _ in step(event) }
      if round % 2 == 0 {
        let start = ContinuousClock.now
        for step in steps { held.append(await perform(step)) }
        costs.events.append(start.duration(to: .now).nanoseconds / Double(size))
      } else {
        for step in steps {
          let start = ContinuousClock.now
          held.append(await perform(step))
          costs.singleEvents.append(start.duration(to: .now).nanoseconds)
        }
      }
      let start = ContinuousClock.now
      for index in 1...size { keepAlive(held[index - 1].changes(to: held[index])) }
      costs.differences.append(start.duration(to: .now).nanoseconds / Double(size))
      costs.singleDifferences.append(Stopwatch.nanoseconds { keepAlive(held[0].changes(to: held[1])) })
      costs.releases.append(Stopwatch.nanoseconds { held.removeAll() } / Double(size))
      await restoreSize(after: event, size)
    }
    return EventReport(
      [("rows", .count(ids.count))] + costs.figures(of: event)
        + [("nodes_copied", .ratio(await nodesCopied(by: event)))] + (await arrayFigures(of: event)))
  }

  /// Goes back to the number of rows that the benchmark's name says.
  private mutating func restoreSize(after event: StoreEvent, _ count: Int) async {
    for _ in 0..<count where event == .insert || event == .remove {
      // Created first: it changes the ids, which would otherwise be shared during the call, and copied.
      let step = step(event == .insert ? .remove : .insert)
      _ = await perform(step)
    }
  }

  /// The nodes of the new list that the old one does not have, on average.
  private mutating func nodesCopied(by event: StoreEvent) async -> Double {
    var copied = 0
    for _ in 0..<4 {
      let before = await store.snapshot
      let step = step(event)
      let after = await perform(step)
      copied += after.nodeCount(besides: before)
    }
    return Double(copied) / 4
  }

  /// The same in a store that keeps a plain array: it finds the row, copies what a subscriber keeps, edits, and the
  /// subscriber compares everything.
  private mutating func arrayFigures(of event: StoreEvent) async -> [(name: String, figure: EventReport.Figure)] {
    let array = ArrayStore(ids.map { StoreRow($0) })
    let size = max(2, min(100, ids.count / 10, 1_000_000 / ids.count))
    var (events, differences): ([Double], [Double]) = ([], [])
    for _ in 0..<max(5, min(2_000, 2_000_000 / ids.count / size)) {
      var held = [await array.rows]
      held.reserveCapacity(size + 1)
      let steps = (0..<size).map { _ in step(event) }
      var start = ContinuousClock.now
      for step in steps { held.append(await array.perform(step)) }
      events.append(start.duration(to: .now).nanoseconds / Double(size))
      start = .now
      for index in 1...size { keepAlive(Changeset(from: held[index - 1], to: held[index])) }
      differences.append(start.duration(to: .now).nanoseconds / Double(size))
      for _ in 0..<size where event == .insert || event == .remove {
        let step = step(event == .insert ? .remove : .insert)
        _ = await array.perform(step)
      }
    }
    return [
      ("array_event_ns", .nanoseconds(Samples(events).median)),
      ("array_diff_ns", .nanoseconds(Samples(differences).median)),
    ]
  }

  /// The difference of two lists a thousand updates apart.
  consuming func reportOnManyChanges() async -> EventReport {
    var figures: [(name: String, figure: EventReport.Figure)] = []
    for (name, event) in [("per_event_ns", StoreEvent.update), ("inserts_ns", .insert), ("moves_ns", .move)] {
      let before = await store.snapshot
      let steps = (0..<1_000).map { _ in step(event) }
      try? await store.edit { list in for step in steps { try step.apply(to: &list) } }
      let after = await store.snapshot
      let samples = (0..<31).map { _ in Stopwatch.nanoseconds { keepAlive(before.changes(to: after)) } }
      figures.append((name, .nanoseconds(Samples(samples).median)))
      if event == .update { figures.append(("p99_ns", .nanoseconds(Samples(samples).percentile(0.99)))) }
    }
    return EventReport(figures)
  }

  /// From an edit to the update in the hands of a subscriber that waits for it.
  consuming func reportOnDelivery() async -> EventReport {
    let store = store
    let (arrivals, arrival) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    let follower = Task { for await _ in store.updates() { arrival.yield(.now) } }
    var next = arrivals.makeAsyncIterator()
    _ = await next.next()
    var samples: [Double] = []
    for _ in 0..<5_000 {
      let step = step(.update)
      // The subscriber is back at its stream before the next event.
      for _ in 0..<20 { await Task.yield() }
      let start = ContinuousClock.now
      try? await store.edit { try step.apply(to: &$0) }
      if let time = await next.next() { samples.append(start.duration(to: time).nanoseconds) }
    }
    follower.cancel()
    let result = Samples(samples)
    return EventReport([
      ("per_event_ns", .nanoseconds(result.median)), ("p99_ns", .nanoseconds(result.percentile(0.99))),
    ])
  }

  /// Many edits while a subscriber sleeps, and then its one update.
  consuming func reportOnConflation(edits: Int) async -> EventReport {
    var stream = store.updates().makeAsyncIterator()
    _ = await stream.next()
    let steps = (0..<edits).map { $0 % 4 == 0 ? step(.move) : step(.update) }
    let start = ContinuousClock.now
    for step in steps { try? await store.edit { try step.apply(to: &$0) } }
    let perEvent = start.duration(to: .now).nanoseconds / Double(edits)
    let asked = ContinuousClock.now
    let update = await stream.next()
    return EventReport([
      ("edits", .count(edits)), ("per_event_ns", .nanoseconds(perEvent)),
      ("update_ns", .nanoseconds(asked.duration(to: .now).nanoseconds)),
      ("operations", .count(update?.changes.count ?? 0)),
    ])
  }
}

@testable import RowcastSources

/// Tasks whose executor is busy for good block no other task that uses the same source.
@Suite(.watched) struct StalledExecutorTests {
  /// Runs a call in many tasks on one executor that stalls again and again, and at the same time in a task without a preference.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func race(_ call: @escaping @Sendable () async -> Void) async {
    let executor = QueueExecutor()
    let calls = CallCount()
    // Many calls at a time, so that some find the actor taken and have to be resumed by it.
    let callers = (0..<50).map { _ in
      Task(executorPreference: executor) { while !Task.isCancelled { calls.note(await call()) } }
    }
    await eventually { calls.value > 100 }
    for _ in 0..<100 {
      executor.suspend()
      for _ in 0..<20 { await call() }
      executor.resume()
      await Task.yield()
    }
    for caller in callers { caller.cancel() }
    // A descriptor is closed after its last reader has left.
    for caller in callers { await caller.value }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the status of a source is there for those whose executor is not stalled`() async throws {
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let binding = try TestStore.with([]).attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    await race { _ = await binding.status }
    await race { await binding.retry() }
    await race { for await _ in binding.statuses { break } }
    continuation.finish()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `pages are loaded for those whose executor is not stalled`() async throws {
    let store = PhasedStore()
    try await store.edit { try $0.append(PhasedTestSection(id: "a")) }
    let paging = Paging(store, section: "a", query: 0) { query, _ in .init(rows: [TestRow(query)], next: nil as Int?) }
    await race {
      await paging.demand()
      _ = await paging.isComplete
      await paging.reload()
      _ = await paging.failure
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `inputs are read for those whose executor is not stalled`() async {
    let pipe = Pipe()
    let reader = DescriptorReader(pipe.fileHandleForReading.fileDescriptor)
    await race { _ = try? await reader.read(upTo: 1, timeout: 0) }
  }
}

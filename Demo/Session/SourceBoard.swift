import RowcastConsole

/// What the sources of a scenario say about themselves, for the screen.
///
///     await run.board.report("sensors", .retrying, "connection reset by peer")
actor SourceBoard {
  /// All sources, in the order in which they were first heard of, as often as something about them changes. A reader
  /// that is slow gets the newest.
  nonisolated let changes: AsyncStream<[SourceReport]>
  private let continuation: AsyncStream<[SourceReport]>.Continuation
  private var sources: [SourceReport] = []

  init() {
    (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Says how a source is doing.
  ///
  /// - Parameters:
  ///   - name: The source.
  ///   - state: What it does.
  ///   - detail: More about it, in a few words: an error, for instance.
  func report(_ name: String, _ state: SourceReport.State, _ detail: String? = nil) {
    let report = SourceReport(name: name, state: state, detail: detail)
    if let index = sources.firstIndex(where: { $0.name == name }) {
      guard sources[index] != report else { return }
      sources[index] = report
    } else {
      sources.append(report)
    }
    continuation.yield(sources)
  }
}

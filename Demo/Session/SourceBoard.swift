import Rowcast
import RowcastConsole

/// The states of the sources of a scenario, for the screen.
///
///     await run.board.report("sensors", .failed(error))
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
  func report(_ name: String, _ status: SourceStatus) {
    let report = SourceReport(name: name, status: status)
    if let index = sources.firstIndex(where: { $0.name == name }) {
      guard sources[index] != report else { return }
      sources[index] = report
    } else {
      sources.append(report)
    }
    continuation.yield(sources)
  }
}

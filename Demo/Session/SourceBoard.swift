import Rowcast

/// The states of the sources of a scenario, for the screen.
///
///     run.board.report("sensors", .failed(error))
struct SourceBoard: Sendable {
  typealias Line = (stream: AsyncStream<SourceStatus>, continuation: AsyncStream<SourceStatus>.Continuation)

  /// The names of the sources that the screen shows, in their order.
  let names: [String]
  private let lines: [String: Line]

  init(_ names: [String] = []) {
    self.names = names
    lines = Dictionary(
      names.map { ($0, AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))) },
      uniquingKeysWith: { line, _ in line })
  }

  /// The statuses of a source, for one reader. One that is slow gets the newest.
  func statuses(of name: String) -> AsyncStream<SourceStatus> { lines[name]?.stream ?? AsyncStream { $0.finish() } }

  /// Says how a source is doing. One that the screen does not show is left out.
  func report(_ name: String, _ status: SourceStatus) { lines[name]?.continuation.yield(status) }
}

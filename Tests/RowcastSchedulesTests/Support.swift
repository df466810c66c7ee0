import RowcastTestSupport
import Testing

/// Numbers in the order in which tasks brought them.
actor Notes {
  private(set) var all: [Int] = []

  func add(_ note: Int) { all.append(note) }

  /// Adds notes, with something between them: the optimizer makes one job of calls of an actor that follow each other.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  nonisolated func add(_ list: [Int]) async {
    let calls = CallCount()
    for note in list { await add(calls.note(note)) }
  }
}

/// What different runs of one body saw.
actor Collector<Value: Hashable & Sendable> {
  private(set) var values: [Value] = []

  nonisolated func add(_ value: Value) async { await append(value) }
  private func append(_ value: Value) { values.append(value) }
}

#if ROWCAST_HOOKS
  /// What a process said before it ended.
  func words(of result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }
#endif

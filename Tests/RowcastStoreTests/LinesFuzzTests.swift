import RowcastTestSupport
import Testing

/// All that happens to a list and to connections that send it, beside its former states. Each case is one schedule of jobs.
@Suite(.watched, .enabled(if: Schedule.canSettle)) struct LinesFuzzTests {
  /// Cases that failed before.
  static let found: [String] = []

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `whatever becomes of a list, each connection gets the way to it in time, and nothing else`() async throws {
    try await FeaturePairs<LineFeature>.drive("lines", runs: 60, long: 20_000, steps: 40, found: Self.found) { run in
      let fuzzCase = run.fuzzCase
      let (result, _) = await Schedule.run(seed: fuzzCase.seed, settles: true) { await LinesFuzz.play(fuzzCase) }
      guard let result else { throw Mismatch("everything waits") }
      for feature in result.used { run.note(feature) }
      if let fault = result.fault { throw Mismatch(fault) }
    }
  }
}

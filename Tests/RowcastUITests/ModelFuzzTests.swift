import RowcastTestSupport
import Testing

/// Models that are edited, followed, read and used by a person, beside lists of all that they may show. Each case is one schedule
/// of jobs.
@Suite(.watched) struct ModelFuzzTests {
  /// Cases that failed before.
  static let found: [String] = []

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test
  func `whenever a person edits what a model shows, it is at a state of its list, or that edit is all it differs by`()
    async throws
  {
    try await FeaturePairs<ModelFeature>.drive("models", runs: 40, long: 36_000, steps: 40, found: Self.found) {
      run in
      let fuzzCase = run.fuzzCase
      let (result, _) = await Schedule.run(seed: fuzzCase.seed) { await ModelFuzz.play(fuzzCase) }
      guard let result else { throw Mismatch("everything waits") }
      for feature in result.used { run.note(feature) }
      if let fault = result.fault { throw Mismatch(fault) }
    }
  }
}

import RowcastTestSupport
import Testing

/// All that can happen to a view that is driven, beside a model over arrays. Each case is one schedule of jobs.
@Suite(.watched) struct BatchFuzzTests {
  /// Cases that failed before.
  static let found = [
    // A list that came from inside a batch waited for ever for a view that never came to rest.
    "831739: regroup 516584, inside 803471, clock 642991"
  ]

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test
  func `whatever comes while a view animates, it shows the newest list at rest, where the person who reads it was`()
    async throws
  {
    try await FeaturePairs<BatchFeature>.drive("batches", runs: 80, long: 70_000, steps: 30, found: Self.found) {
      run in
      let fuzzCase = run.fuzzCase
      let (result, _) = await Schedule.run(seed: fuzzCase.seed) { await BatchFuzz.play(fuzzCase) }
      guard let result else { throw Mismatch("everything waits") }
      for feature in result.used { run.note(feature) }
      if let fault = result.fault { throw Mismatch(fault) }
    }
  }
}

import RowcastTestSupport
import Testing

/// Models and views that are driven, beside models of both over arrays. Each case is one schedule of jobs.
@Suite(.watched) struct ScheduledFuzzTests {
  /// What a case has used, and what went wrong.
  typealias Result<Feature: DrivenFeature> = (used: Set<Feature>, fault: String?)

  private func drive<Feature>(
    _ room: String, runs: Int, long: Int, steps: Int, found: [String],
    _ play: @escaping @Sendable (FuzzCase<Feature>) async -> Result<Feature>
  ) async throws {
    try await FeaturePairs<Feature>.drive(room, runs: runs, long: long, steps: steps, found: found) { run in
      let fuzzCase = run.fuzzCase
      let (result, _) = await Schedule.run(seed: fuzzCase.seed) { await play(fuzzCase) }
      guard let result else { throw Mismatch("everything waits") }
      for feature in result.used { run.note(feature) }
      if let fault = result.fault { throw Mismatch(fault) }
    }
  }

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
    try await drive("batches", runs: 16, long: 70_000, steps: 30, found: Self.found) { await BatchFuzz.play($0) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test
  func `whenever a person edits what a model shows, it is at a state of its list, or that edit is all it differs by`()
    async throws
  {
    try await drive("models", runs: 8, long: 36_000, steps: 40, found: []) { await ModelFuzz.play($0) }
  }
}

import RowcastTestSupport
import Testing

/// All that a person can do to an app while its list changes, beside a model over arrays.
@Suite(.watched) struct ConsoleFuzzTests {
  /// Cases that failed before.
  static let found: [String] = []

  @Test func `any list is shown, and keeps its focus and its selection, whatever a person and its source do`()
    async throws
  {
    try await FeaturePairs<ConsoleFeature>.drive("console", runs: 10, long: 4_000, steps: 40, found: Self.found) {
      run in
      for feature in try await ConsoleDriver.play(run.fuzzCase) { run.note(feature) }
    }
  }
}

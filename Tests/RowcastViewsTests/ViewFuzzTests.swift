import RowcastTestSupport
import Testing

/// Lists made of lists by all operators, rearranged at any time, beside recomputing from nothing after every event.
@Suite(.watched) struct ViewFuzzTests {
  /// Cases that failed before.
  static let found: [String] = []

  @Test func `whatever a list is made with, it equals recomputing after every event`() async throws {
    try await FeaturePairs<ViewFeature>.drive("views", runs: 40, long: 100_000, steps: 28, found: Self.found) {
      try await ViewFuzz.play($0)
    }
  }
}

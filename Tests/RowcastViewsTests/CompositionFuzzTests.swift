import RowcastTestSupport
import Testing

/// Lists made of lists made of lists, and rearranged at any time, against recomputing from nothing after every event.
@Suite(.watched) struct CompositionFuzzTests {
  @Test func `lists of lists by all operators equal recomputing, with every operator on every other`() async throws {
    try await FeaturePairs<CompositionFeature>.drive(
      "compositions", runs: 30, long: 50_000, steps: 28, found: compositionCases + CompositionFeature.shapes
    ) { try await CompositionFuzz.play($0) }
  }
}

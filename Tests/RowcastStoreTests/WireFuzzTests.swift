import RowcastTestSupport
import Testing

/// All that can happen to messages between a writer and mirrors of its list.
@Suite(.watched) struct WireFuzzTests {
  /// Cases that failed before.
  static let found: [String] = []

  @Test func `whatever a line and both of its ends do, a mirror is at a state of its writer, in the end the newest`()
    async throws
  {
    try await FeaturePairs<WireFeature>.drive("wire", runs: 300, long: 100_000, steps: 40, found: Self.found) {
      try await WireFuzz.play($0)
    }
  }

  @Test(arguments: WireFuzz.Fault.allCases)
  func `a mirror with an error is found`(fault: WireFuzz.Fault) async throws {
    await #expect(throws: Mismatch.self) {
      try await FeaturePairs<WireFeature>.drive("wire with \(fault)", runs: 300, long: 300, steps: 40) {
        try await WireFuzz.play($0, fault)
      }
    }
  }
}

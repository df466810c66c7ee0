#if canImport(RowcastPlatform)
  import RowcastTestSupport
  import Testing

  /// All that happens to files of lists and to their mirrors, beside arrays.
  @Suite(.watched) struct ArchiveFuzzTests {
    /// Cases that failed before.
    static let found: [String] = []

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test
    func `whatever becomes of a file, one position never names two lists, and a mirror is right after one message`()
      async throws
    {
      try await FeaturePairs<ArchiveFeature>.drive("archives", runs: 12, long: 10_000, steps: 30, found: Self.found) {
        try await ArchiveFuzz.play($0)
      }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `with one epoch for all runs of a file, mirrors are wrong, and this is seen`() async throws {
      await #expect(throws: Mismatch.self) {
        try await FeaturePairs<ArchiveFeature>.drive("archives of one epoch", runs: 400, long: 400, steps: 40) {
          try await ArchiveFuzz.play($0, .oneEpoch)
        }
      }
    }
  }
#endif

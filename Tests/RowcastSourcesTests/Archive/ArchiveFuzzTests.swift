/// All that happens to files of lists and to their mirrors, beside arrays.
@Suite(.watched) struct ArchiveFuzzTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `whatever becomes of a file, no position names two lists, and one message mends mirrors`() async throws {
    try await FeaturePairs<ArchiveFeature>.drive("archives", runs: 2, long: 10_000, steps: 30) {
      try await ArchiveFuzz.play($0)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `whatever is left of its file, a mirror begins where it was and is right after a message`() async throws {
    try await FeaturePairs<KeptMirrorFeature>.drive("kept mirrors", runs: 2, long: 10_000, steps: 30) {
      try await KeptMirrorFuzz.play($0)
    }
  }
}

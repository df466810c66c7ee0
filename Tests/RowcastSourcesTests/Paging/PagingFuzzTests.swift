/// Pages, sources and mirrors of one list, with arbitrary servers, beside the rules over arrays. Each case is one
/// schedule of jobs.
@Suite(.watched, .enabled(if: Schedule.canSettle)) struct PagingFuzzTests {
  /// Cases that failed before.
  static let found = [
    // Rows of a section that was removed, which an edit puts into another one.
    "840881 endsAreFailures: edited 678689, reload 854626, removeSection 200462, edit 221335, edited 749926",
    // Rows that are removed, or inserted, with their section while a page loads: they are newer than the page, too.
    "326785: spawn 116004, removeSection 65116, edited 54537",
    "67839: removeSection 159546, own 724096, accept 450889, edited 46239",
    // A list that is finished before the refusal of an event is shown.
    "814875: lastPage 242843, event 344624, emptyPage 645157, burst 88424, refusedEvent 830931, finish 531607",
  ]

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `whatever servers, sources and people do, a paged list and what feeds it keep the rules`() async throws {
    try await FeaturePairs<PagingFeature>.drive("paging", runs: 8, long: 12_000, steps: 40, found: Self.found) { run in
      let fuzzCase = run.fuzzCase
      let (result, _) = await Schedule.run(seed: fuzzCase.seed, settles: true) { await PagingFuzz.play(fuzzCase) }
      guard let result else { throw Mismatch("everything waits") }
      for feature in result.used { run.note(feature) }
      if let fault = result.fault { throw Mismatch(fault) }
    }
  }
}

import RowcastTestSupport
import Testing

/// All that a person can do to an app while its list changes, beside a model over arrays.
@Suite(.watched) struct ConsoleFuzzTests {
  /// Cases that failed before.
  static let found = [
    // The first click moved the lines under the second one.
    "853640: pause 102967, right 417629, paste 178553, remove 504307, search 309639, palette 168830, resize 768931, doubleClick 738985",
    "271875: resize 356068, palette 957423, follow 794902, doubleClick 350083, search 237630, delete 353838, pause 992650",
    "397432: resize 494055, sort 836443, pause 599167, left 309491, sort 746389, left 926076",
    // A deleted row had taken the line of the table's first one.
    "488110: filter 338429, follow 595691, paste 47855, resize 9494, remove 991009, up 591327",
    "264312: filter 995601, doubleClick 122383, resize 27304, delete 112966, escape 645560, left 426452",
    "207002: filter 312786, up 67757, left 92620, click 546669, delete 373131, pause 768148, doubleClick 734247",
  ]

  @Test func `any list is shown, and keeps its focus and its selection, whatever a person and its source do`()
    async throws
  {
    try await FeaturePairs<ConsoleFeature>.drive("console", runs: 10, long: 4_000, steps: 40, found: Self.found) {
      run in
      for feature in try await ConsoleDriver.play(run.fuzzCase) { run.note(feature) }
    }
  }
}

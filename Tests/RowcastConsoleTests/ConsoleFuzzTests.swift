import Foundation
import RowcastTestSupport
import Testing

/// All that a person can do to an app while its list changes, beside a model over arrays.
///
/// Only with `ROWCAST_LONG`, as long as a case fails in some hundred that nobody has explained:
/// "853640: pause 102967, right 417629, paste 178553, remove 504307, search 309639, palette 168830, resize 768931, doubleClick 738985".
@Suite(.watched, .enabled(if: ProcessInfo.processInfo.environment["ROWCAST_LONG"] == "1")) struct ConsoleFuzzTests {
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

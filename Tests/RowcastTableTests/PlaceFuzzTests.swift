import Testing

/// All that can happen to a table, beside a model over arrays.
@Suite(.watched) struct PlaceFuzzTests {
  /// Cases that failed before.
  static let found = [
    // A header that was too high to be pinned gets lower out of sight.
    "230601 headers fixedEstimate: pin 603515, regroup 397027, scrollToRow 718660, restart 200489",
    "975334 headers fixedEstimate: swipe 489646, pin 243615, scrollToRow 977313, reentrant 400716",
    // A header that is partly above the screen was asked for twice.
    "414852 headers fixedEstimate: pin 11508, regroup 552981, workingRange 552151, regroup 449791, edit 107629, scrollToLine 130276",
    // The row that keeps the place folds, and the only other one moves away.
    "957418 headers footers estimatingProvider: edit 544819, restart 263619, reentrant 784946, regroup 789203, scrollToLine 233112, restart 438247",
  ]

  @Test
  func
    `B3, R4 to R8, R10, R12, R13, R15 to R17 rows, cells, heights, focus and selection are as a model has them, whatever happens`()
    async throws
  {
    try await FeaturePairs<TableFeature>.drive("table", runs: 80, long: 70_000, steps: 30, found: Self.found) {
      try await PlaceDriver.play($0).check()
    }
  }
}

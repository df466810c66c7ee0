import RowcastTestSupport
import Testing

/// Checks, under many schedules, that several tasks that read one stream get each line once: each line leads on from the one before,
/// and the last one is the end.
///
/// - Parameter read: Reads all lines: the revisions between which each leads, −1 for none, and the number in the end, or 0. They
///   lead to revision 28.
func expectEachLineOnce(_ read: @escaping @Sendable () async throws -> [[Int]]) async {
  for seed in 0..<UInt64(SeededGenerator.rounds(200, long: 10_000)) {
    let result = await Schedule.run(seed: seed) { try? await read() }
    guard let found = result.value ?? nil, !found.isEmpty else {
      Issue.record("seed \(seed) is stuck")
      continue
    }
    let steps = found.sorted { ($0[1], $0[0], $0[2]) < ($1[1], $1[0], $1[2]) }
    #expect(steps[0][0] == -1, "seed \(seed): \(steps)")
    for (step, following) in zip(steps, steps.dropFirst()) {
      #expect(following[0] == step[1], "seed \(seed): \(steps)")
    }
    // The end counts the lines before it.
    #expect(steps.last == [28, 28, steps.count - 1] && steps.count { $0[2] > 0 } == 1, "seed \(seed): \(steps)")
  }
}

import RowcastTestSupport
import Testing

extension Schedule {
  /// Runs a scene under many schedules.
  ///
  /// - Parameters:
  ///   - title: What is explored, printed with the seed.
  ///   - count: The number of schedules.
  ///   - long: Their number in a long run.
  ///   - settles: True if the scene waits until nothing else can run.
  ///   - sourceLocation: Where failures are reported.
  ///   - scene: Gives back what went wrong.
  static func explore(
    _ title: String, _ count: Int, long: Int, settles: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ scene: @escaping @Sendable (_ seed: UInt64) async throws -> String?
  ) async {
    var random = SeededGenerator.forFuzzing(title)
    for _ in 0..<SeededGenerator.rounds(count, long: long) {
      let seed = random.next()
      let result = await run(seed: seed, settles: settles) { () async -> String? in
        do { return try await scene(seed) } catch { return "\(error)" }
      }
      #expect(
        result.value == .some(nil), "seed \(random.seed), schedule \(seed): \(result.value ?? "stuck")",
        sourceLocation: sourceLocation)
    }
  }
}

extension ThrowingTaskGroup<String?, any Error> {
  /// What the first task gives back with which something went wrong.
  mutating func firstFailure() async throws -> String? {
    for try await case let wrong? in self { return wrong }
    return nil
  }
}

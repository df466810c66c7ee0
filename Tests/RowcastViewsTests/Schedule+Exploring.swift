import Testing

extension Schedule {
  /// Runs a scene under a number of schedules, drawn anew for each title. The scene gives back what went wrong. With `settles`, it may
  /// wait until nothing else can run.
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

import Testing

/// A driver of views or models, on the main actor.
@MainActor
protocol ScheduledFuzz: SendableMetatype {
  associatedtype Feature: DrivenFeature
  var used: Set<Feature> { get }
  init(_ fuzzCase: FuzzCase<Feature>) throws
  func step(_ feature: Feature, seed: UInt64) async throws
  /// All animations end.
  func end() async throws
}

extension ScheduledFuzz {
  /// Plays a case. Returns the features used, and the fault.
  static func play(_ fuzzCase: FuzzCase<Feature>) async -> (used: Set<Feature>, fault: String?) {
    guard let fuzz = try? Self(fuzzCase) else { return ([], "no case") }
    var number = 0
    do {
      while number < fuzzCase.steps.count {
        try await fuzz.step(fuzzCase.steps[number].feature, seed: fuzzCase.steps[number].seed)
        number += 1
      }
      try await fuzz.end()
    } catch { return (fuzz.used, "step \(number): \(error)") }
    return (fuzz.used, nil)
  }
}

/// Models and views that are driven, beside models of both over arrays. Each case is one schedule of jobs.
@Suite(.watched) struct ScheduledFuzzTests {
  private func drive<Fuzz: ScheduledFuzz>(
    _ fuzz: Fuzz.Type, _ room: String, runs: Int, long: Int, steps: Int, found: [String] = []
  ) async throws {
    try await FeaturePairs<Fuzz.Feature>.drive(room, runs: runs, long: long, steps: steps, found: found) { run in
      let fuzzCase = run.fuzzCase
      let (result, _) = await Schedule.run(seed: fuzzCase.seed) { await Fuzz.play(fuzzCase) }
      guard let result else { throw Mismatch("everything waits") }
      for feature in result.used { run.note(feature) }
      if let fault = result.fault { throw Mismatch(fault) }
    }
  }

  /// Cases that failed before.
  static let found = [
    // A list given inside a batch waited for ever for a view that never stopped animating.
    "831739: regroup 516584, inside 803471, clock 642991"
  ]

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test
  func `whatever comes while a view animates, it shows the newest list at rest, where the person who reads it was`()
    async throws
  {
    try await drive(BatchFuzz.self, "batches", runs: 16, long: 70_000, steps: 30, found: Self.found)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test
  func
    `whenever a person edits what a model shows, it is at a state of its list, or differs by that edit, and readers are told`()
    async throws
  {
    try await drive(ModelFuzz.self, "models", runs: 8, long: 36_000, steps: 40)
  }
}

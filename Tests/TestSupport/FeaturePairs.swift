private import Foundation
private import RowcastDiff
public import RowcastTesting
private import Testing

/// A feature of a room, which a driver of that room uses.
public protocol DrivenFeature: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The features that apply to a whole run; all others are steps.
  static var settings: Set<Self> { get }
  /// The pairs that no run can have, each with the reason.
  static var impossible: [(Self, Self, because: String)] { get }
}

extension DrivenFeature {
  /// None.
  public static var settings: Set<Self> { [] }
  /// None.
  public static var impossible: [(Self, Self, because: String)] { [] }
}

/// A run of a driver as a value: settings, and steps of one feature each.
///
/// A step draws all that is random in it from its own seed. So a step can be left out, and the others stay as they are. As text:
/// `7 headers: edit 12, swipe 34`.
public struct FuzzCase<Feature: DrivenFeature>: CustomStringConvertible, Sendable {
  /// The seed of everything except steps.
  public var seed: UInt64
  /// The active settings.
  public var settings: [Feature] = []
  /// What is done, in this order.
  public var steps: [(feature: Feature, seed: UInt64)] = []

  /// Creates a case without steps.
  public init(seed: UInt64) { self.seed = seed }

  /// Reads a case, as it was printed.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ")
    guard parts.count == 2, let seed = words.first.flatMap({ UInt64($0) }) else { return nil }
    self.seed = seed
    for word in words.dropFirst() {
      guard let setting = Feature(rawValue: String(word)) else { return nil }
      settings.append(setting)
    }
    for step in parts[1].split(separator: ",") {
      let words = step.split(separator: " ")
      guard words.count == 2, let feature = Feature(rawValue: String(words[0])), let seed = UInt64(words[1]) else {
        return nil
      }
      steps.append((feature, seed))
    }
  }

  /// The case on one line.
  public var description: String {
    (["\(seed)"] + settings.map(\.rawValue)).joined(separator: " ") + ": "
      + steps.map { "\($0.feature.rawValue) \($0.seed)" }.joined(separator: ", ")
  }
}

/// One play of a case. The driver notes which features it has used: a step that found nothing to do is none.
public final class FuzzRun<Feature: DrivenFeature> {
  /// What is played.
  public let fuzzCase: FuzzCase<Feature>
  /// For everything except steps.
  public var random: SeededGenerator
  fileprivate var used: Set<Feature> = []

  fileprivate init(_ fuzzCase: FuzzCase<Feature>) {
    (self.fuzzCase, random) = (fuzzCase, SeededGenerator(seed: fuzzCase.seed))
  }

  /// Notes that a feature was used.
  public func note(_ feature: Feature) { used.insert(feature) }

  /// Plays all steps.
  ///
  /// - Parameters:
  ///   - state: What a driver has, for the error of a step.
  ///   - perform: Makes a step, with numbers of its own. Returns false if there was nothing to do.
  /// - Throws: A ``Mismatch`` that names the step.
  public func playSteps(
    _ state: () -> String = { "" }, perform: (Feature, SeededGenerator) async throws -> Bool
  ) async throws {
    for (number, step) in fuzzCase.steps.enumerated() {
      do {
        if try await perform(step.feature, SeededGenerator(seed: step.seed)) { note(step.feature) }
      } catch { throw Mismatch("step \(number), \(step.feature)\(state()): \(error)") }
    }
  }

  /// True if a setting is active, which is then used.
  public func has(_ setting: Feature) -> Bool {
    guard fuzzCase.settings.contains(setting) else { return false }
    used.insert(setting)
    return true
  }
}

/// A difference from a model. Drivers throw it, so that a case can be shortened before anything is reported.
public struct Mismatch: Error, CustomStringConvertible {
  /// The difference.
  public let description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }

  /// Throws unless a condition is true.
  public static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws {
    if !holds { throw Mismatch(description()) }
  }
}

/// The pairs of a room's features that occurred together in a run of a few steps.
public struct FeaturePairs<Feature: DrivenFeature> {
  private let features = Array(Feature.allCases)
  private var reached: [Set<Feature>: Int] = [:]
  private var tried: [Set<Feature>: Int] = [:]
  private let pairs: [Set<Feature>]

  private init() {
    let impossible = Feature.impossible.map { Set([$0.0, $0.1]) }
    let features = features
    pairs = features.indices.flatMap { first in features[(first + 1)...].map { [features[first], $0] } }
      .filter { !impossible.contains($0) }
  }

  /// A run of some features at random, always with the two that occurred together least often.
  private mutating func next(steps: Int, using random: inout SeededGenerator) -> FuzzCase<Feature> {
    func rank(_ pair: Set<Feature>) -> Int { 4 * reached[pair, default: 0] + tried[pair, default: 0] }
    let least = pairs.map(rank).min() ?? 0
    let wanted = pairs.filter { rank($0) == least }.randomElement(using: &random) ?? []
    tried[wanted, default: 0] += 1
    let share = Int.random(in: 2...5, using: &random)
    let mask = features.filter { wanted.contains($0) || Int.random(in: 0..<5, using: &random) < share }
    // Short seeds, which are read and typed.
    func seed() -> UInt64 { UInt64.random(in: 0..<1_000_000, using: &random) }
    var next = FuzzCase<Feature>(seed: seed())
    next.settings = mask.filter(Feature.settings.contains)
    let choices = mask.filter { !Feature.settings.contains($0) }
    let others = choices.isEmpty ? features.filter { !Feature.settings.contains($0) } : choices
    for _ in 0..<Int.random(in: (steps + 1) / 2...steps, using: &random) {
      if let feature = others.randomElement(using: &random) { next.steps.append((feature, seed())) }
    }
    // Several times: a step may find nothing to do.
    for feature in features.filter(wanted.intersection(choices).contains) {
      for _ in 0..<2 { next.steps[Int.random(in: 0..<next.steps.count, using: &random)] = (feature, seed()) }
    }
    return next
  }

  /// True if of fifty pairs one is left at most.
  private var isEnough: Bool { 50 * pairs.count { reached[$0] == nil } <= pairs.count }

  private mutating func count(_ used: Set<Feature>) {
    for pair in pairs where pair.isSubset(of: used) { reached[pair, default: 0] += 1 }
  }

  /// Plays cases that were found before, and random ones; more than usual, as in an optimised build, until 98 % of all pairs of
  /// features occurred together in one of them. A driver that asks for the last pair fails by chance: a step may find nothing to
  /// do, however often it is drawn.
  ///
  /// Usual runs play the same cases each time. A case that fails is shortened as long as it does. `ROWCAST_CASES=1` prints each case
  /// before it is played, for one that traps.
  ///
  /// - Parameters:
  ///   - room: What is driven, for what is printed.
  ///   - runs: The least number of random cases. More are played until enough pairs were reached, at most 16 times as many.
  ///   - long: The number with `ROWCAST_LONG`.
  ///   - steps: The most steps of a case.
  ///   - found: Cases that failed before.
  ///   - isolation: Where cases are played.
  ///   - play: Plays a case, and throws if anything differs from the model.
  /// - Throws: ``Mismatch`` with the shortest case that fails.
  public static func drive(
    _ room: String, runs: Int, long: Int, steps: Int, found: [String] = [],
    isolation: isolated (any Actor)? = #isolation, _ play: (FuzzRun<Feature>) async throws -> Void
  ) async throws {
    // Others with `ROWCAST_LONG` or `ROWCAST_SEED`: a change of one line does not uncover an unrelated fault.
    let environment = ProcessInfo.processInfo.environment
    let isRepeated = environment["ROWCAST_LONG"] != "1" && SplitMix64.seed(from: environment["ROWCAST_SEED"]) == nil
    var random = isRepeated ? SeededGenerator(seed: 1) : .forFuzzing(room)
    var pairs = FeaturePairs()
    let rounds = SeededGenerator.rounds(runs, long: long)
    let shows = environment["ROWCAST_CASES"] == "1"
    /// The fault of a case.
    func fault(_ fuzzCase: FuzzCase<Feature>) async -> (error: (any Error)?, used: Set<Feature>) {
      if shows { FileHandle.standardError.write(Data("case of \(room): \(fuzzCase)\n".utf8)) }
      let run = FuzzRun(fuzzCase)
      do { try await play(run) } catch { return (error, run.used) }
      return (nil, run.used)
    }
    // Few runs reach a part of the pairs.
    let isWhole = rounds > runs
    var number = -1
    while number + 1 < found.count + rounds
      || isWhole && !pairs.isEnough && number < found.count + 16 * rounds
    {
      number += 1
      let isKnown = number < found.count
      guard let next = isKnown ? FuzzCase<Feature>(found[number]) : pairs.next(steps: steps, using: &random) else {
        throw Mismatch("\(found[number]) is no case of \(room)")
      }
      let (error, used) = await fault(next)
      if !isKnown { pairs.count(used) }
      guard var error else { continue }
      // Deletes ever smaller parts as long as anything fails. What fails at times only stays as it is.
      var short = next
      var size = max(1, next.steps.count / 2)
      while true {
        var (start, isShorter) = (0, false)
        while start < short.steps.count {
          var shorter = short
          shorter.steps.removeSubrange(start..<min(start + size, short.steps.count))
          if let found = await fault(shorter).error {
            (short, error, isShorter) = (shorter, found, true)
          } else {
            start += size
          }
        }
        if size == 1, !isShorter { break }
        size = max(1, size / 2)
      }
      for setting in short.settings {
        var shorter = short
        shorter.settings.removeAll { $0 == setting }
        if let found = await fault(shorter).error { (short, error) = (shorter, found) }
      }
      throw Mismatch("seed \(random.seed), run \(number) of \(room): \(error)\nthe short case: \"\(short)\"")
    }
    let missing = pairs.pairs.filter { pairs.reached[$0] == nil }
    let count = pairs.pairs.count
    print(
      "pairs: \(room) \(count - missing.count) of \(count), in \(number + 1 - found.count) runs of at most \(steps) steps"
    )
    #expect(
      pairs.isEnough || !isWhole,
      "\(room), seed \(random.seed): \(missing.map { $0.map(\.rawValue) }) never came together")
  }
}

import RowcastDiff

/// The state of a section's source. It is part of the content of the header, and diffed with it.
///
/// The phase does not depend on the rows: those of an earlier answer may stay while new ones load, and after a failure.
public enum SectionPhase: Hashable, Sendable {
  /// The attempts that can follow a failure.
  public enum Retry: String, Hashable, Sendable, Codable {
    /// None: the failure is final.
    case never
    /// Another attempt, when the app asks for one.
    case onRequest
    /// Another attempt, by itself, after a while.
    case automatic
  }

  /// Nothing was requested yet.
  case idle
  /// The section waits for an answer.
  case loading
  /// The rows are the source's.
  case loaded
  /// The source answered, and has no rows.
  case empty
  /// The source failed.
  ///
  /// - Parameters:
  ///   - message: The reason, for a person. It may hold any characters.
  ///   - retry: The attempts that can follow.
  case failed(message: String, retry: Retry)
}

/// A section whose header shows the state of its source.
///
///     struct Channel: PhasedSection {
///       let id: String
///       var title: String
///       var phase = SectionPhase.idle
///     }
public protocol PhasedSection<ID>: SectionViewModel {
  /// The state of the section's source. `==` includes it.
  var phase: SectionPhase { get set }
}

extension SectionPhase: Codable {
  /// The phases that are one word on the wire, in the order of their words.
  private static var words: [(word: String, phase: SectionPhase)] {
    [("empty", .empty), ("idle", .idle), ("loaded", .loaded), ("loading", .loading)]
  }

  /// Writes the phase: its name, or for a failure an object of `failed`, the message, and `retry`.
  public func encode(to encoder: any Encoder) throws {
    if case .failed(let message, let retry) = self {
      var container = encoder.container(keyedBy: WireField.self)
      try container.encode(message, forKey: .failed)
      try container.encode(retry, forKey: .retry)
    } else if let (word, _) = Self.words.first(where: { $0.phase == self }) {
      var container = encoder.singleValueContainer()
      try container.encode(word)
    }
  }

  /// Reads the phase as it is written.
  ///
  /// - Throws: `DecodingError` for an unknown name or an object without `failed` and `retry`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let word = try? value.decode(String.self) else {
      let container = try decoder.container(keyedBy: WireField.self)
      self = .failed(
        message: try container.decode(String.self, forKey: .failed),
        retry: try container.decode(Retry.self, forKey: .retry))
      return
    }
    guard let (_, phase) = Self.words.first(where: { $0.word == word }) else {
      throw DecodingError.dataCorruptedError(
        in: value,
        debugDescription: "there is no phase \"\(word)\"; use \(Self.words.map { $0.word }.joined(separator: ", "))")
    }
    self = phase
  }
}

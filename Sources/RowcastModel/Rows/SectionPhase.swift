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

/// How a section stands with its source: part of what its header shows, so that it is diffed like any other content.
///
/// The phase says nothing about the rows: those of an earlier answer may stay while new ones load, and after a failure.
public enum SectionPhase: Hashable, Sendable {
  /// What can follow a failure.
  public enum Retry: String, Hashable, Sendable, Codable {
    /// Nothing: the failure is final.
    case never
    /// Another attempt, when the app asks for one.
    case onRequest
    /// Another attempt, by itself, after a while.
    case automatic
  }

  /// Nothing was asked for yet.
  case idle
  /// An answer is awaited.
  case loading
  /// The rows are the source's.
  case loaded
  /// The source answered, and has no rows.
  case empty
  /// The source failed.
  ///
  /// - Parameters:
  ///   - message: Why, in words for a person. It may hold any characters.
  ///   - retry: What can follow.
  case failed(message: String, retry: Retry)
}

/// A section whose header shows how it stands with its source.
///
///     struct Channel: PhasedSection {
///       let id: String
///       var title: String
///       var phase = SectionPhase.idle
///     }
public protocol PhasedSection<ID>: SectionViewModel {
  /// How the section stands with its source. It takes part in `==`.
  var phase: SectionPhase { get set }
}

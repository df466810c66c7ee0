/// How a source of events is doing, as a screen says it.
public struct SourceReport: Equatable, Sendable {
  /// What a source does.
  public enum State: String, Sendable {
    /// It has not brought anything yet.
    case waiting
    /// It is attached and brings events.
    case live
    /// It failed and will be tried again.
    case retrying
    /// It failed and is given up.
    case failed
    /// It has no more events.
    case ended
  }

  /// The name of the source, not yet neutralised.
  public var name: String
  /// What it does.
  public var state: State
  /// More about it, in a few words, not yet neutralised.
  public var detail: String?

  /// Creates a report.
  public init(name: String, state: State, detail: String? = nil) {
    self.name = name
    self.state = state
    self.detail = detail
  }
}

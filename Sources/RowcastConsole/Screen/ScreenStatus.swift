public import RowcastSources

/// What a screen shows beside the list itself.
public struct ScreenStatus: Sendable {
  /// What became of the events, from the source to the screen.
  public struct Flow: Sendable {
    /// Events that the sources brought.
    public var events = 0
    /// Transactions that changed the list.
    public var edits = 0
    /// Updates that the table took; fewer than edits where several were conflated into one.
    public var updates = 0
    /// Frames that were drawn; fewer than updates where several came between two frames.
    public var frames = 0
    /// From edit to frame, in microseconds: the median, and the longest but for one percent.
    public var latency: (p50: Int, p99: Int)?

    /// Creates a flow in which nothing happened.
    public init() {}
  }

  /// A source of events and how it is doing.
  public struct Source: Equatable, Sendable {
    /// The name of the source, not yet neutralised.
    public var name: String
    /// How it is doing.
    public var status: SourceStatus

    /// Creates the entry of a source.
    public init(name: String, status: SourceStatus) {
      self.name = name
      self.status = status
    }

    /// Whether both read the same.
    public static func == (lhs: Source, rhs: Source) -> Bool { lhs.description == rhs.description }
  }

  /// A key and what it does.
  public struct KeyHelp: Equatable, Sendable {
    /// The key, or several.
    public var key: String
    /// A word for the line of help; empty if the key stands on the page of help only.
    public var label: String
    /// What the page of help says.
    public var explanation: String

    /// Creates the help for a key.
    public init(_ key: String, _ label: String, _ explanation: String) {
      self.key = key
      self.label = label
      self.explanation = explanation
    }
  }

  /// What stands on the last line instead of the help.
  public enum LastLine: Equatable, Sendable {
    /// What was done, or could not be.
    case message(String)
    /// A text that is being typed, behind what it is asked for with.
    case prompt(String, text: String)
  }

  /// What is being watched.
  public var title: String
  /// How the sources are doing.
  public var sources: [Source] = []
  /// What stands beside the list.
  public var panels = Set(ScreenPanel.allCases)
  /// The headings of the columns of rows, if there are any; not yet neutralised.
  public var heading: String?
  /// What stands below the list, if anything; not yet neutralised.
  public var footer: String?
  /// Whether the list stands still while the store goes on.
  public var isPaused = false
  /// Typed texts that are in effect, a filter for instance; not yet neutralised.
  public var typed: [String] = []
  /// Which keys do what, the most important first.
  public var keys: [KeyHelp]
  /// What stands on the last line instead of the help.
  public var lastLine: LastLine?
  /// Whether the page of help covers the list.
  public var showsHelp = false
  /// What became of the events.
  public var flow = Flow()

  /// Creates the status of a screen that has nothing to tell yet.
  public init(title: String, keys: [KeyHelp]) {
    self.title = title
    self.keys = keys
  }
}

extension ScreenStatus.Source: CustomStringConvertible {
  /// The name and the status, not yet neutralised.
  public var description: String { "\(name) \(status)" }
}

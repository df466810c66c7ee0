public import RowcastModel
public import RowcastStore

/// A row that can be written on a console.
public protocol ConsoleRow: RowViewModel {
  /// The main text.
  var title: String { get }
  /// The text after the title, if any.
  var subtitle: String? { get }
}

/// A section that can be written on a console.
public protocol ConsoleSection: SectionViewModel {
  /// The text of the header. A section with an empty one has no header, unless its phase has something to say.
  var title: String { get }
  /// The state of the section's source. The default is `SectionPhase.idle`, which is not shown.
  var phase: SectionPhase { get }
  /// True, the default, if the number of rows is shown after the title; false for a title that already names it.
  var showsRowCount: Bool { get }
}

extension ConsoleSection {
  /// Nothing to show.
  public var phase: SectionPhase { .idle }

  /// The number of rows is shown.
  public var showsRowCount: Bool { true }

  /// The title and the phase in words, unless that is idle or loaded.
  public var header: String {
    guard let words = phase.words else { return title }
    return title.isEmpty ? words : "\(title) – \(words)"
  }

  /// True if there is anything to show above the rows.
  var hasHeader: Bool { !title.isEmpty || phase.words != nil }
}

extension SoleSection: ConsoleSection {
  /// Empty: the rows of a sole section have no header.
  public var title: String { "" }
}

extension SectionPhase {
  /// The phase for a header; `nil` if the rows speak for themselves.
  var words: String? {
    switch self {
    case .idle, .loaded: nil
    case .loading: "loading…"
    case .empty: "nothing here"
    case .failed(let message, .never): message
    case .failed(let message, .onRequest): "\(message), can be retried"
    case .failed(let message, .automatic): "\(message), retrying"
    }
  }
}

extension ConsoleRow {
  package var text: ConsoleText { ConsoleText(title, subtitle: subtitle) }

  /// Title and subtitle in one text, not yet neutralised.
  public var line: String { text.line }
}

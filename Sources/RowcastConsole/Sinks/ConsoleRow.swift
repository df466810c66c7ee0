public import RowcastModel
public import RowcastStore

/// A row that can be written on a console.
public protocol ConsoleRow: RowViewModel {
  /// The main text.
  var title: String { get }
  /// What stands behind the title, if anything.
  var subtitle: String? { get }
}

/// A section that can be written on a console.
public protocol ConsoleSection: SectionViewModel {
  /// The text of the header.
  var title: String { get }
  /// How the section stands with its source. The default is `SectionPhase.idle`, of which nothing is shown.
  var phase: SectionPhase { get }
  /// Whether the number of rows stands behind the title. The default is `true`; a title that says it needs no second one.
  var showsRowCount: Bool { get }
}

extension ConsoleSection {
  /// Nothing to show.
  public var phase: SectionPhase { .idle }

  /// The number of rows is shown.
  public var showsRowCount: Bool { true }

  /// The title and, in words, the phase, if it is worth a word; not yet neutralised.
  public var header: String { phase.words.map { "\(title) – \($0)" } ?? title }
}

extension SoleSection: ConsoleSection {
  /// None: rows that are all in one section stand without a header.
  public var title: String { "" }
}

extension SectionPhase {
  /// What a header says of the phase, or `nil` if the rows speak for themselves.
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
  @inlinable package var text: ConsoleText { ConsoleText(title, subtitle: subtitle) }

  /// Title and subtitle in one text, not yet neutralised.
  @inlinable public var line: String { text.line }
}

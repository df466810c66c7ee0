import RowcastDiff
public import RowcastModel
public import RowcastTable

/// A full-screen view of a table that redraws in place.
///
/// Updates between two frames are all taken; a frame shows their sum. What happened to a row is seen for a second.
public struct ScreenSink<Section: ConsoleSection, Row: ConsoleRow>: ConsoleSink {
  private let theme: Theme
  private let write: (String) throws -> Void
  package private(set) var recent = RecentChanges<Section, Row>()
  private(set) var log = OperationLog()
  /// The column where subtitles begin, counted from where titles do.
  private(set) var subtitleColumn = 0
  private var onScreen: Frame?
  /// When the last frame was made: what fades after it was not seen yet, even if that was a moment ago.
  private var drawn = ContinuousClock.now

  /// The size of the screen.
  public var size: TerminalSize {
    didSet { (subtitleColumn, onScreen) = (0, nil) }
  }
  /// What is shown beside the list.
  public var status: ScreenStatus
  /// The columns of the rows, if they stand in columns.
  public var columns: [ConsoleColumn<Row>] = []

  /// - Parameters:
  ///   - status: What is shown beside the list.
  ///   - size: The size of the screen.
  ///   - theme: How styles look.
  ///   - write: Takes the sequences of one frame.
  public init(
    status: ScreenStatus, size: TerminalSize, theme: Theme, write: @escaping (String) throws -> Void
  ) {
    self.status = status
    self.size = size
    self.theme = theme
    self.write = write
  }

  private func layout(of table: RetainedTable<Section, Row>) -> ScreenLayout {
    ScreenLayout(size, status, kinds: table.statistics.count)
  }

  /// The lines that the table may use on the screen as it is.
  public func tableHeight(of table: RetainedTable<Section, Row>) -> Int { layout(of: table).list }

  /// Remembers what an update did, for the next frame.
  public mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws {
    show(update, in: table, at: .now)
  }

  package mutating func show(
    _ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>, at now: ContinuousClock.Instant
  ) {
    // The first list is not news.
    guard update.previous != nil else { return recent.look(at: table) }
    recent.note(update.changes, in: table, columns: columns, at: now)
    log.add(update.changes, revision: update.revision)
  }

  /// When the screen has something else to show though nothing happens: a mark begins to fade, or is gone.
  public var nextFading: ContinuousClock.Instant? { recent.nextFading(after: drawn) }

  /// Forgets what is on the screen, so that the next frame is drawn in full.
  public mutating func invalidate() { onScreen = nil }

  /// Writes what differs from what is on the screen, in one piece.
  public mutating func draw(_ table: RetainedTable<Section, Row>) throws {
    let frame = nextFrame(of: table, at: .now)
    let sequences = frame.sequences(from: onScreen, theme: theme)
    if !sequences.isEmpty { try write(sequences) }
    onScreen = frame
  }

  /// The frame that shows the table, which has at most the lines that ``tableHeight(of:)`` gives it: exactly as many lines
  /// as the screen has. The same updates, status, size and time make the same frame.
  package mutating func nextFrame(of table: RetainedTable<Section, Row>, at now: ContinuousClock.Instant) -> Frame {
    drawn = now
    recent.forget(at: now)
    recent.look(at: table)
    // The column only grows, so that subtitles do not jump about while the list is scrolled.
    subtitleColumn = max(subtitleColumn, ListPane.subtitleColumn(of: table, columns: size.columns))
    let layout = layout(of: table)
    let frame = status.showsHelp && layout.help > 0 ? helpFrame(of: table) : frame(of: table, layout, at: now)
    frame.checkFillsScreen()
    return frame
  }
}

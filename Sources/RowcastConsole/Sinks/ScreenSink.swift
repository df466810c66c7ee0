import RowcastDiff
import RowcastModel
import RowcastTable

/// A full-screen view of a table that redraws in place.
///
/// The table takes all updates between two frames; a frame shows their sum. Marks show for a second what changed.
struct ScreenSink<Section: ConsoleSection, Row: ConsoleRow> {
  private let theme: Theme
  private let write: (String) throws -> Void
  private(set) var recent = RecentChanges<Section, Row>()
  private(set) var log = OperationLog()
  /// The column where subtitles begin, counted from where titles do.
  private(set) var subtitleColumn = 0
  private var onScreen: Frame?
  /// The time of the last frame. A mark that fades later was not drawn faded yet.
  private var drawn = ContinuousClock.now

  var size: TerminalSize {
    didSet { (subtitleColumn, onScreen) = (0, nil) }
  }
  var status: ScreenStatus
  /// The columns of the rows; empty for rows without columns.
  var columns: [ConsoleColumn<Row>] = []

  /// Each frame is one call of `write`.
  init(status: ScreenStatus, size: TerminalSize, theme: Theme, write: @escaping (String) throws -> Void) {
    self.status = status
    self.size = size
    self.theme = theme
    self.write = write
  }

  private func layout(of table: RetainedTable<Section, Row>) -> ScreenLayout {
    ScreenLayout(size, status, kinds: table.statistics.count)
  }

  /// The lines that the table may use on the screen as it is.
  func tableHeight(of table: RetainedTable<Section, Row>) -> Int { layout(of: table).list }

  /// Remembers the operations of an update that the table has taken, for the next frame.
  mutating func show(
    _ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>, at now: ContinuousClock.Instant = .now
  ) {
    // The first list is not news.
    guard update.previous != nil else { return recent.look(at: table) }
    recent.note(update.changes, in: table, columns: columns, at: now)
    log.add(update.changes, revision: update.revision)
  }

  /// When a mark begins to fade or disappears, though nothing happens; `nil` if there is none.
  var nextFading: ContinuousClock.Instant? { recent.nextFading(after: drawn) }

  /// Forgets the content of the screen, so that the next frame is drawn in full.
  mutating func invalidate() { onScreen = nil }

  /// Writes the difference to the content of the screen, in one piece.
  mutating func draw(_ table: RetainedTable<Section, Row>) throws {
    let frame = nextFrame(of: table, at: .now)
    let sequences = frame.sequences(from: onScreen, theme: theme)
    if !sequences.isEmpty { try write(sequences) }
    onScreen = frame
  }

  /// The frame that shows the table, which must not be higher than ``tableHeight(of:)``. It has as many lines as the screen.
  /// The same updates, status, size and time make the same frame.
  mutating func nextFrame(of table: RetainedTable<Section, Row>, at now: ContinuousClock.Instant) -> Frame {
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

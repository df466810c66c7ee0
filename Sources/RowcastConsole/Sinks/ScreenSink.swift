import RowcastDiff
public import RowcastModel
public import RowcastTable

/// A full-screen view of a table that redraws in place.
///
/// Updates between two frames are all taken; a frame shows their sum. Marks fade.
public struct ScreenSink<Section: ConsoleSection, Row: ConsoleRow>: ConsoleSink {
  /// Makes the frames.
  public var renderer: ScreenRenderer<Section, Row>
  private let usesColor: Bool
  private let write: (String) throws -> Void
  private var marks: [Row.ID: (mark: RowMark, since: ContinuousClock.Instant)] = [:]
  /// When the newest marks were made.
  private var news = ContinuousClock.now
  private var operations = ""
  private var onScreen: Frame?

  /// The size of the screen.
  public var size: TerminalSize

  /// - Parameters:
  ///   - renderer: Makes the frames.
  ///   - size: The size of the screen.
  ///   - usesColor: Whether styles are written.
  ///   - write: Takes the sequences of one frame.
  public init(
    renderer: ScreenRenderer<Section, Row>, size: TerminalSize, usesColor: Bool,
    write: @escaping (String) throws -> Void
  ) {
    self.renderer = renderer
    self.size = size
    self.usesColor = usesColor
    self.write = write
  }

  /// Remembers what an update did, for the marks of the next frame.
  public mutating func show(
    _ update: ListUpdate<Section, Row>, report: ApplyReport, in table: RetainedTable<Section, Row>
  ) throws {
    // The first list is not news.
    guard update.previous != nil else { return }
    let rows = update.changes.rows
    operations = "+\(rows.inserts.count) -\(rows.deletes.count) ~\(rows.updates.count) >\(rows.moves.count)"
    news = .now
    for change in rows.updates { marks[update.snapshot.row(at: change.to).id] = (.updated, news) }
    for change in rows.moves { marks[update.snapshot.row(at: change.to).id] = (.moved, news) }
    for path in rows.inserts { marks[update.snapshot.row(at: path).id] = (.inserted, news) }
    // Marks that nobody will see need not wait for a frame to be forgotten.
    if marks.count > 10_000 { fadeMarks(olderThan: .seconds(1)) }
  }

  /// Forgets what happened some time ago.
  public mutating func fadeMarks(olderThan age: Duration) {
    let oldest = ContinuousClock.now.advanced(by: .zero - age)
    marks = marks.filter { $0.value.since > oldest }
    if news <= oldest { operations = "" }
  }

  /// Forgets what is on the screen, so that the next frame is drawn in full.
  public mutating func invalidate() { onScreen = nil }

  /// Writes the lines that differ from what is on the screen, in one piece.
  public mutating func draw(_ table: RetainedTable<Section, Row>) throws {
    let frame = renderer.frame(of: table, marks: marks.mapValues(\.mark), operations: operations, size: size)
    let sequences = frame.sequences(from: onScreen, usesColor: usesColor)
    if !sequences.isEmpty { try write(sequences) }
    onScreen = frame
  }
}

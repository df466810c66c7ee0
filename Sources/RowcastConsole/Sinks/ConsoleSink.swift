public import RowcastModel
public import RowcastTable

/// An output that shows every update of a table: a log in words, or a stream of JSON.
public protocol ConsoleSink<Section, Row> {
  /// The type of the sections.
  associatedtype Section: SectionViewModel
  /// The type of the rows.
  associatedtype Row: RowViewModel

  /// Shows an update that the table has taken.
  ///
  /// - Throws: `TableError.wrongRevision` or `otherEpoch` if the update does not start where the previous one ended; nothing
  ///   is written then. Other errors when the output cannot be written.
  mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws

  /// Writes lines for people that are not an update: the states of sources, and an app's last words. By default nothing is
  /// written: they are not JSON.
  mutating func write(_ lines: String) throws
}

extension ConsoleSink {
  /// Writes nothing.
  public mutating func write(_ lines: String) throws {}
}

/// One JSON object a line for each update: the wire form, for programs.
///
/// Keys are sorted, so that the same updates give the same bytes, and characters that a terminal acts on are escaped.
public struct JSONSink<Section: WireSection, Row: RowViewModel & Codable>: ConsoleSink {
  private var writer: WireWriter<Section, Row>
  private let write: ([UInt8]) throws -> Void
  private let start = ContinuousClock.now
  /// The position of the list that was written last.
  private var position: ListPosition?

  /// - Parameters:
  ///   - keyframes: When the whole list is written again.
  ///   - write: Takes one line, with its line end.
  public init(keyframes: KeyframePolicy = .never, write: @escaping ([UInt8]) throws -> Void) {
    self.init(epoch: nil, keyframes: keyframes, write: write)
  }

  /// Creates a sink that has an epoch of its own.
  package init(epoch: String?, keyframes: KeyframePolicy = .never, write: @escaping ([UInt8]) throws -> Void) {
    writer = WireWriter(epoch: epoch, keyframes: keyframes)
    self.write = write
  }

  /// Writes an update. The first one may be of any stream, even one that continues the list of a mirror.
  public mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws {
    if position != nil { try TableError.checkThat(update, follows: position) }
    position = update.position
    for message in writer.messages(for: update, at: start.duration(to: .now)) {
      try write(JSONLine.encode(message))
    }
  }
}

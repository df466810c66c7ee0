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
  /// - Throws: When the output cannot be written.
  mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws
}

/// One JSON object a line for each update: the wire form, for programs.
///
/// Keys are sorted, so that the same updates give the same bytes, and characters that a terminal acts on are escaped.
public struct JSONSink<Section: WireSection, Row: RowViewModel & Codable>: ConsoleSink {
  private var writer: WireWriter<Section, Row>
  private let write: ([UInt8]) throws -> Void
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - epoch: The epoch of all messages; by default that of each update.
  ///   - keyframes: When the whole list is written again.
  ///   - write: Takes one line, with its line end.
  public init(epoch: String? = nil, keyframes: KeyframePolicy = .never, write: @escaping ([UInt8]) throws -> Void) {
    writer = WireWriter(epoch: epoch, keyframes: keyframes)
    self.write = write
  }

  /// Writes an update.
  public mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws {
    for message in writer.messages(for: update, at: start.duration(to: .now)) {
      try write(JSONLine.encode(message))
    }
  }
}

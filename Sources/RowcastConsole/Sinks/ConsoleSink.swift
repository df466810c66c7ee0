public import RowcastModel
public import RowcastTable

/// Where a table is shown: a log, a stream of JSON, or a screen.
///
/// A sink is told of every update after the table has taken it, and draws when it is asked to.
public protocol ConsoleSink<Section, Row> {
  /// The sections that it shows.
  associatedtype Section: SectionViewModel
  /// The rows that it shows.
  associatedtype Row: RowViewModel

  /// Takes notice of an update that the table has taken.
  ///
  /// - Throws: When the output cannot be written.
  mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws

  /// Brings the output up to date, if it is drawn and not written.
  ///
  /// - Throws: When the output cannot be written.
  mutating func draw(_ table: RetainedTable<Section, Row>) throws
}

extension ConsoleSink {
  /// Draws nothing: what was shown is already written.
  public mutating func draw(_ table: RetainedTable<Section, Row>) throws {}
}

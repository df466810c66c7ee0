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

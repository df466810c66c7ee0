/// A section together with its rows: the material of which snapshots are built.
public struct ListSection<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// The section itself.
  public var model: Section
  /// The rows of the section, in order.
  public var rows: [Row]

  /// Creates a section from its model and its rows.
  public init(_ model: Section, rows: [Row] = []) {
    self.model = model
    self.rows = rows
  }
}

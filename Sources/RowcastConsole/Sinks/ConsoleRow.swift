public import RowcastModel

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
}

extension ConsoleRow {
  /// Title and subtitle in one text, not yet neutralised.
  public var line: String { subtitle.map { "\(title)  \($0)" } ?? title }
}

/// Where on a screen what is shown: how many lines each pane has.
///
/// The list comes first: it has the whole screen if that is tiny, and never less than half of it. Where a screen is wide
/// the other panes stand beside the list, else below it.
public struct ScreenLayout: Equatable, Sendable {
  /// The lines of the title, at the top.
  public private(set) var title = 0
  /// The lines of the sources, below it.
  public private(set) var sources = 0
  /// The lines of the list.
  public private(set) var list: Int
  /// The lines of the operations, with their heading.
  public private(set) var operations = 0
  /// The lines of the cells, with their heading.
  public private(set) var cells = 0
  /// The lines of what became of the events.
  public private(set) var flow = 0
  /// The lines of help, at the bottom.
  public private(set) var help = 0
  /// The columns of the list.
  public private(set) var listColumns: Int
  /// The columns of the panes beside the list; 0 if they stand below it.
  public private(set) var sideColumns = 0

  /// Lays a screen out.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - hasSources: Whether there is anything to say about sources.
  ///   - kinds: How many kinds of cells there are.
  public init(_ size: TerminalSize, hasSources: Bool, kinds: Int) {
    list = size.lines
    listColumns = size.columns
    guard size.lines >= 4 else { return }
    title = 1
    help = 1
    if size.lines >= 10 {
      sources = hasSources ? 1 : 0
      flow = 1
    }
    list = size.lines - title - sources - help
    if size.columns >= 120, size.lines >= 12 {
      sideColumns = min(80, max(PoolPane.leastColumns + 2, size.columns * 2 / 5))
      listColumns = size.columns - sideColumns - 1
      flow = 2
      cells = 1 + min(max(1, kinds), list / 4)
      operations = list - cells - flow
    } else {
      list -= flow
      guard size.lines >= 20 else { return }
      cells = size.columns >= PoolPane.leastColumns ? 1 + min(max(1, kinds), size.lines / 8) : 0
      operations = 1 + size.lines / 8
      list -= cells + operations
    }
  }
}

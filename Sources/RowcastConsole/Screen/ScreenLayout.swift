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

  /// The lines of the headings of columns, above the list.
  public private(set) var heading = 0
  /// The lines below the list that the app fills.
  public private(set) var footer = 0

  /// Lays a screen out.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - hasSources: Whether there is anything to say about sources.
  ///   - kinds: How many kinds of cells there are.
  ///   - panels: What stands beside the list.
  ///   - hasHeading: Whether columns have headings.
  ///   - hasFooter: Whether the app has something to say below the list.
  public init(
    _ size: TerminalSize, hasSources: Bool, kinds: Int, panels: Set<ScreenPanel> = Set(ScreenPanel.allCases),
    hasHeading: Bool = false, hasFooter: Bool = false
  ) {
    list = size.lines
    listColumns = size.columns
    guard size.lines >= 4 else { return }
    title = 1
    help = 1
    let hasFlow = panels.contains(.flow)
    if size.lines >= 10 {
      sources = hasSources ? 1 : 0
      heading = hasHeading ? 1 : 0
      footer = hasFooter ? 1 : 0
      flow = hasFlow ? 1 : 0
    }
    list = size.lines - title - sources - heading - footer - help
    if size.columns >= 120, size.lines >= 12, !panels.isEmpty {
      sideColumns = min(80, max(PoolPane.leastColumns + 2, size.columns * 2 / 5))
      listColumns = size.columns - sideColumns - 1
      flow = hasFlow ? 2 : 0
      cells = panels.contains(.cells) ? 1 + min(max(1, kinds), list / 4) : 0
      operations = panels.contains(.operations) ? list - cells - flow : 0
    } else {
      list -= flow
      guard size.lines >= 20 else { return }
      if panels.contains(.cells), size.columns >= PoolPane.leastColumns {
        cells = 1 + min(max(1, kinds), size.lines / 8)
      }
      operations = panels.contains(.operations) ? 1 + size.lines / 8 : 0
      list -= cells + operations
    }
  }
}

/// What can stand beside the list on a screen.
public enum ScreenPanel: CaseIterable, Sendable {
  /// The latest operations, in the notation of UIKit.
  case operations
  /// What became of the cells, by kind.
  case cells
  /// How events became frames, and how long that took.
  case flow
}

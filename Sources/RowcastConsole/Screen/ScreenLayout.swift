/// The lines and columns of the parts of a screen.
///
/// The list comes first: it has the whole screen if that is tiny, and never less than half of it. On a wide screen the
/// other panes stand beside the list, else below it.
package struct ScreenLayout: Equatable {
  /// The fewest columns that hold all figures of the cells.
  static let leastCellColumns = 56

  // The number of lines of each part, from top to bottom; those of panes include their headings.
  package private(set) var title = 0
  package private(set) var sources = 0
  package private(set) var heading = 0
  package private(set) var list: Int
  package private(set) var operations = 0
  package private(set) var cells = 0
  package private(set) var flow = 0
  package private(set) var footer = 0
  package private(set) var help = 0
  package private(set) var listColumns: Int
  /// The columns of the panes beside the list; 0 if they stand below it.
  package private(set) var sideColumns = 0

  /// Lays out a screen that shows a status and some kinds of cells.
  package init(_ size: TerminalSize, _ status: ScreenStatus, kinds: Int) {
    list = size.lines
    listColumns = size.columns
    guard size.lines >= 4 else { return }
    title = 1
    help = 1
    let panels = status.panels
    let hasFlow = panels.contains(.flow)
    if size.lines >= 10 {
      sources = status.sources.isEmpty ? 0 : 1
      heading = status.heading == nil ? 0 : 1
      footer = status.footer == nil ? 0 : 1
      flow = hasFlow ? 1 : 0
    }
    list = size.lines - title - sources - heading - footer - help
    if size.columns >= 120, size.lines >= 12, !panels.isEmpty {
      sideColumns = min(80, max(Self.leastCellColumns + 2, size.columns * 2 / 5))
      listColumns = size.columns - sideColumns - 1
      flow = hasFlow ? 2 : 0
      cells = panels.contains(.cells) ? 1 + min(max(1, kinds), list / 4) : 0
      operations = panels.contains(.operations) ? list - cells - flow : 0
    } else {
      list -= flow
      guard size.lines >= 20 else { return }
      if panels.contains(.cells), size.columns >= Self.leastCellColumns {
        cells = 1 + min(max(1, kinds), size.lines / 8)
      }
      operations = panels.contains(.operations) ? 1 + size.lines / 8 : 0
      list -= cells + operations
    }
  }
}

/// A panel beside the list on a screen.
public enum ScreenPanel: CaseIterable, Sendable {
  /// The latest operations, in the notation of UIKit.
  case operations
  /// The figures of the cells, by kind.
  case cells
  /// How events became frames, and how long that took.
  case flow
}

import RowcastTable

/// The lines and columns of the parts of a screen.
///
/// The list has priority: it gets all of a tiny screen, and at least half of any other. On a wide screen the
/// other panes are beside the list, else below it.
struct ScreenLayout {
  /// The minimum number of columns for all figures of the cells.
  static let leastCellColumns = 56

  // The number of lines of each part, from top to bottom; those of panes include their headings.
  private(set) var title = 0
  private(set) var sources = 0
  private(set) var heading = 0
  private(set) var list: Int
  private(set) var operations = 0
  private(set) var cells = 0
  private(set) var flow = 0
  private(set) var footer = 0
  private(set) var help = 0
  private(set) var listColumns: Int
  /// The columns of the panes beside the list; 0 if they are below it.
  private(set) var sideColumns = 0

  /// Lays out a screen that shows a status and some kinds of cells.
  init(_ size: TerminalSize, _ status: ScreenStatus, kinds: Int) {
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

extension [String: PoolStatistics] {
  /// The pane of the cells: their figures, a line for each kind. The last line has the sums of the kinds that do not fit.
  func lines(columns: Int, height: Int) -> [StyledLine] {
    guard height > 0 else { return [] }
    var kinds = sorted { $0.key < $1.key }.map { (name: $0.key, figures: $0.value) }
    let room = height - 1
    if kinds.count > room {
      let named = Swift.max(0, room - 1)
      let sum = kinds[named...].map(\.figures).reduce(.init(), +)
      kinds[named...] = [("\(kinds.count - named) \(named > 0 ? "more kinds" : "kinds")", sum)]
    }
    func line(_ name: String, _ words: [String], isHeading: Bool = false) -> StyledLine {
      let widths = [8, 8, 7, 7, 10]
      let nameColumns = Swift.max(0, Swift.min(24, columns - widths.reduce(0, +)))
      var line = StyledLine(columns: columns)
      line.append(name.fitted(columns: nameColumns), isHeading ? .strong : .plain)
      line.pad(toFree: columns - nameColumns)
      for (word, width) in zip(words, widths) {
        line.append(word.padded(toColumns: width, trailing: true), isHeading ? .faint : .plain)
      }
      return line
    }
    let heading = line("cells", ["created", "visible", "pooled", "hits", "discarded"], isHeading: true)
    return [heading]
      + kinds.prefix(room).map { name, figures in
        let hits = figures.dequeues == 0 ? "–" : "\(figures.hits * 100 / figures.dequeues) %"
        let words = ["\(figures.created)", "\(figures.visible)", "\(figures.pooled)", hits, "\(figures.discarded)"]
        return line(" \(name)", words)
      }
  }
}

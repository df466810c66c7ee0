import RowcastTable

/// What became of the cells, a line for each kind.
struct PoolPane {
  /// The fewest columns that hold all figures.
  static let leastColumns = 56

  let statistics: [String: PoolStatistics]

  private static let headings = ["created", "visible", "pooled", "hits", "discarded"]

  func lines(columns: Int, height: Int) -> [StyledLine] {
    guard height > 0 else { return [] }
    var kinds = statistics.sorted { $0.key < $1.key }.map { (name: $0.key, figures: $0.value) }
    let room = height - 1
    if kinds.count > room {
      let rest = kinds[max(0, room - 1)...]
      let others = (name: "\(rest.count) more kinds", figures: rest.map(\.figures).reduce(.init(), +))
      kinds = Array(kinds.prefix(max(0, room - 1))) + [others]
    }
    return [line("cells", Self.headings, columns, .strong)]
      + kinds.prefix(room).map { line(" \($0.name)", Self.words(for: $0.figures), columns, .plain) }
  }

  private static func words(for figures: PoolStatistics) -> [String] {
    let share = figures.dequeues == 0 ? "–" : "\(figures.hits * 100 / figures.dequeues) %"
    return ["\(figures.created)", "\(figures.visible)", "\(figures.pooled)", share, "\(figures.discarded)"]
  }

  private func line(_ name: String, _ words: [String], _ columns: Int, _ style: TextStyle) -> StyledLine {
    let widths = [8, 8, 7, 7, 10]
    var line = StyledLine(columns: columns)
    let figures = widths.reduce(0, +)
    line.append(name.fitted(columns: max(0, min(24, columns - figures))), style)
    line.pad(toFree: max(0, columns - min(24, columns - figures)))
    for (word, width) in zip(words, widths) {
      line.append(word.padded(toColumns: width, trailing: true), style == .strong ? .faint : style)
    }
    return line
  }
}

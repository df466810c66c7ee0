/// Which keys do what: on the last line in a word each, on a page of its own in full.
struct HelpPane {
  let status: ScreenStatus

  /// The last line: a prompt, a message, or the most important keys.
  func lastLine(columns: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    switch status.lastLine {
    case .message(let text):
      line.append(text)
    case .prompt(let label, let text):
      line.append(label, .strong)
      line.append(text.tail(columns: line.free - 1))
      line.append("_")
      line.appendRight("Enter keeps  Esc cancels")
    case nil:
      for key in status.keys where !key.label.isEmpty {
        let columns = TextWidth.columns(of: key.key + key.label) + 1 + (line.spans.isEmpty ? 0 : 2)
        guard columns <= line.free else { continue }
        if !line.spans.isEmpty { line.append("  ") }
        line.append(key.key, .strong)
        line.append(" \(key.label)", .faint)
      }
    }
    return line
  }

  /// The page that covers everything else.
  func page(columns: Int, height: Int) -> [StyledLine] {
    let width = min(columns / 3, status.keys.map { TextWidth.columns(of: $0.key) }.max() ?? 0)
    let keys = status.keys.map { key in
      var line = StyledLine(columns: columns)
      line.append("  \(key.key.fitted(columns: width))".padded(toColumns: width + 4), .strong)
      line.append(key.explanation)
      return line
    }
    let signs = [
      ("+", "new", TextStyle.inserted), ("~", "changed", .updated), (">", "moved", .moved), ("-", "gone", .deleted),
    ]
    var legend = StyledLine(columns: columns)
    legend.append("  ")
    for (sign, word, style) in signs {
      legend.append(sign, style)
      legend.append(" \(word)   ")
    }
    let blank = StyledLine(columns: columns)
    let figures =
      status.panels.isEmpty
      ? []
      : [blank, StyledLine("The figures", .strong, columns: columns)]
        + [
          "  hits       how many cells came out of the pool, of those that were asked for",
          "  latency    from edit to frame: the median, and the longest but for one percent",
          "  updates    fewer than edits where several edits became one update, net of what they undid",
        ].map { StyledLine($0, columns: columns) }
    let page =
      [StyledLine("Keys", .strong, columns: columns)] + keys
      + [blank, StyledLine("Signs before a row, for a second", .strong, columns: columns), legend] + figures
    // Where there is little room, no line of it is left empty.
    return Array((page.count > height ? page.filter { !$0.spans.isEmpty } : page).prefix(height))
  }
}

extension String {
  /// The end of this text, as much of it as fits.
  fileprivate func tail(columns: Int) -> String {
    var text = Substring(neutralized)
    while TextWidth.columns(of: text) > max(0, columns) { text.removeFirst() }
    return String(text)
  }
}

extension ScreenStatus {
  /// The lines of the list, the last of them covered by the palette.
  func covered(_ lines: [StyledLine], columns: Int) -> [StyledLine] {
    guard case .palette(let palette) = mode else { return lines }
    let commands = palette.commands.map(\.help)
    let height = min(commands.count, lines.count, 12)
    // The chosen command is always visible.
    let first = max(0, palette.chosen - height + 1)
    func width(_ texts: [String]) -> Int { texts.map { $0.neutralized.columnCount }.max() ?? 0 }
    let (names, keys) = (width(commands.map(\.label)), width(commands.map(\.key)))
    let shown = commands.enumerated().dropFirst(first).prefix(height).map { index, command in
      var line = StyledLine(columns: columns)
      line.append(index == palette.chosen ? "▸ " : "  ")
      line.append(command.label.neutralized.padded(toColumns: names + 2), .strong)
      line.append(command.key.padded(toColumns: keys + 2), .faint)
      line.append(command.explanation)
      return index == palette.chosen ? line.filled(with: .focused) : line
    }
    return lines.dropLast(max(1, height))
      + (height == 0 ? [StyledLine("  no such command", .faint, columns: columns)] : shown)
  }

  /// The pages of help, which cover the list.
  func helpPages(columns: Int, height: Int) -> [[StyledLine]] {
    func heading(_ text: String) -> StyledLine { StyledLine(text, .strong, columns: columns) }
    let width = min(columns / 3, keys.map { $0.key.columnCount }.max() ?? 0)
    let keys = keys.map { key in
      var line = StyledLine(columns: columns)
      line.append("  \(key.key.fitted(columns: width))".padded(toColumns: width + 4), .strong)
      line.append(key.explanation)
      return line
    }
    var legend = StyledLine(columns: columns)
    legend.append("  ")
    let marks = [(TextStyle.inserted, "new"), (.updated, "changed"), (.moved, "moved"), (.deleted, "gone")]
    for (mark, word) in marks + (marksUnconfirmed ? [(.unconfirmed, "not confirmed yet")] : []) {
      legend.append(mark.sign, mark)
      legend.append(" \(word)   ")
    }
    let blank = StyledLine(columns: columns)
    let search = "  Filter and search look at what rows show; case and accents make no difference"
    let hasSearch = self.keys.contains { [ConsoleAction.filter, .search].map(\.rawValue).contains($0.label) }
    let rule = hasSearch ? [StyledLine(search, .faint, columns: columns)] : []
    var page = [heading("Keys")] + keys + rule + [blank, heading("Signs before a row, for a second"), legend]
    if !panels.isEmpty {
      let figures = [
        "  hits       how many of the requested cells came out of the pool",
        "  latency    from edit to frame: the median and the 99th percentile",
        "  updates    fewer than edits where several edits became one update, net of what they undid",
      ]
      page += [blank, heading("The figures")] + figures.map { StyledLine($0, columns: columns) }
    }
    if page.count > height { page.removeAll { $0.spans.isEmpty } }
    return stride(from: 0, to: page.count, by: max(1, height)).map { Array(page[$0...].prefix(max(1, height))) }
  }
}

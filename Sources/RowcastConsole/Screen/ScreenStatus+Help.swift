extension ScreenStatus {
  /// The last line: a prompt, a message, or as many keys as fit, the most important first.
  func lastLine(columns: Int) -> StyledLine {
    var line = StyledLine(columns: columns)
    if let prompt {
      line.append(prompt.label, .strong)
      line.append(prompt.text.tail(columns: line.free - 1))
      line.append("_")
      line.appendRight("Enter keeps  Esc cancels")
    } else if let message {
      line.append(message)
    } else {
      for key in keys where !key.label.isEmpty {
        let gap = line.spans.isEmpty ? "" : "  "
        guard TextWidth.columns(of: gap + key.key + key.label) + 1 <= line.free else { continue }
        line.append(gap)
        line.append(key.key, .strong)
        line.append(" \(key.label)", .faint)
      }
    }
    return line
  }

  /// The page of help, which covers the list.
  func helpPage(columns: Int, height: Int) -> [StyledLine] {
    func heading(_ text: String) -> StyledLine { StyledLine(text, .strong, columns: columns) }
    let width = min(columns / 3, keys.map { TextWidth.columns(of: $0.key) }.max() ?? 0)
    let keys = keys.map { key in
      var line = StyledLine(columns: columns)
      line.append("  \(key.key.fitted(columns: width))".padded(toColumns: width + 4), .strong)
      line.append(key.explanation)
      return line
    }
    var legend = StyledLine(columns: columns)
    legend.append("  ")
    for (mark, word) in [
      (TextStyle.inserted, "new"), (.updated, "changed"), (.moved, "moved"), (.deleted, "gone"),
    ] {
      legend.append(mark.sign, mark)
      legend.append(" \(word)   ")
    }
    let blank = StyledLine(columns: columns)
    var page = [heading("Keys")] + keys + [blank, heading("Signs before a row, for a second"), legend]
    if !panels.isEmpty {
      let figures = [
        "  hits       how many of the requested cells came out of the pool",
        "  latency    from edit to frame: the median and the 99th percentile",
        "  updates    fewer than edits where several edits became one update, net of what they undid",
      ]
      page += [blank, heading("The figures")] + figures.map { StyledLine($0, columns: columns) }
    }
    if page.count > height { page.removeAll { $0.spans.isEmpty } }
    return Array(page.prefix(height))
  }

  /// The keys of an app, and those that mean the same everywhere.
  package static func keys(_ commands: [KeyCommand<some Sendable>], undoes: Bool) -> [KeyHelp] {
    let own: [KeyHelp] = commands.map { ($0.key.name, $0.label, $0.help) }
    let taken = Set(own.map(\.key))
    func free(_ keys: [KeyHelp]) -> [KeyHelp] {
      keys.compactMap { entry in
        let names = entry.key.split(separator: " ").filter { !taken.contains(String($0)) }.joined(separator: " ")
        return names.isEmpty ? nil : (names, entry.label, entry.explanation)
      }
    }
    return free(leadingKeys) + own + free(commonKeys).filter { undoes || $0.key != "u" }
  }

  private static let leadingKeys: [KeyHelp] = [
    ("q", "quit", "end, with exit code 0"), ("?", "help", "show this page, or leave it"),
  ]

  private static let commonKeys: [KeyHelp] = [
    ("p", "pause", "freeze the list; what changes meanwhile comes as one update"),
    ("f", "follow", "stay at the end of the list as it grows"),
    ("u", "undo", "go back to the list before the last update"),
    ("↑ ↓ k j", "", "focus another row"),
    ("PgUp PgDn b space", "", "a page up and down"),
    ("Home End g G", "", "the first and the last row"),
    ("Enter", "", "select the focused row, or deselect it"),
    ("Esc", "", "leave the row: none is focused"),
    ("^L", "", "draw the screen again"),
    ("^C ^Z", "", "interrupt, suspend"),
  ]

  /// The only key of a screen without a keyboard.
  static let interruptKey: KeyHelp = ("Ctrl-C", "quit", "end")
}

extension String {
  /// The end of this text, as much of it as fits.
  fileprivate func tail(columns: Int) -> String {
    var text = Substring(neutralized)
    while TextWidth.columns(of: text) > max(0, columns) { text.removeFirst() }
    return String(text)
  }
}

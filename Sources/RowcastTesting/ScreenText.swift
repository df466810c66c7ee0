import RowcastConsole

/// The text that a screen shows after the control sequences of frames were written to it.
struct ScreenText {
  private(set) var size: TerminalSize
  /// A character in its first column, and its emphasis. The other columns of a wide one are empty.
  private var cells: [[(text: String, emphasis: String)]] = []
  private(set) var (line, column) = (0, 0)
  /// True while the cursor is shown.
  private(set) var showsCursor = false
  private var emphasis = ""
  /// The columns of a character, about which terminals disagree.
  private let columns: @Sendable (Character) -> Int

  init(size: TerminalSize, columns: @escaping @Sendable (Character) -> Int = { $0.columnCount }) {
    (self.size, self.columns) = (size, columns)
    clear()
  }

  private mutating func clear() {
    cells = Array(repeating: Array(repeating: (" ", ""), count: size.columns), count: size.lines)
  }

  /// A terminal that changes its size keeps the text that still fits.
  mutating func resize(to size: TerminalSize) {
    let before = cells
    self.size = size
    clear()
    for (line, row) in before.prefix(size.lines).enumerated() {
      for (column, cell) in row.prefix(size.columns).enumerated() { cells[line][column] = cell }
    }
  }

  /// The lines, without spaces at their ends.
  var lines: [String] {
    cells.map { $0.map(\.text).joined().withoutFinalSpaces }
  }

  /// The words on a line with the parameters of their emphasis, from left to right; plain text is left out.
  func emphasised(line: Int) -> [(text: String, parameters: String)] {
    cells[line].reduce(into: [(String, String)]()) { words, cell in
      if words.last?.1 == cell.emphasis {
        words[words.count - 1].0 += cell.text
      } else {
        words.append((cell.text, cell.emphasis))
      }
    }
    .filter { !$0.1.isEmpty }
  }

  /// Writes text with the sequences that an app writes. Any other sequence is shown as text.
  mutating func write(_ text: String) {
    var rest = Substring(text)
    while let character = rest.first {
      if character == "\u{1B}", let end = applySequence(rest) {
        rest = rest[end...]
      } else {
        put(character)
        rest.removeFirst()
      }
    }
  }

  private mutating func applySequence(_ text: Substring) -> Substring.Index? {
    // No regular expressions: one is compiled each time it is used, which took half of the time of a screen test.
    let body = text.dropFirst(2)
    if text.hasPrefix("\u{1B}]") { return body.firstIndex(of: "\u{7}").map(body.index(after:)) }
    let end = body.firstIndex { !"?;0123456789".contains($0) }
    guard text.hasPrefix("\u{1B}["), let end, body[end].isASCII, body[end].isLetter else { return nil }
    let parameters = String(body[..<end])
    switch body[end] {
    case "H":
      let place = parameters.split(separator: ";").map { Int($0) ?? 1 }
      (line, column) = ((place.first ?? 1) - 1, (place.count > 1 ? place[1] : 1) - 1)
    case "G": column = (Int(parameters) ?? 1) - 1
    case "J": clear()
    case "K":
      if line < size.lines { for at in min(column, size.columns)..<size.columns { cells[line][at] = (" ", "") } }
    case "m": emphasis = parameters == "0" ? "" : parameters
    case "h", "l": if parameters == "?25" { showsCursor = body[end] == "h" }
    default: break
    }
    return body.index(after: end)
  }

  /// Writes a character where the cursor is. Lines do not wrap.
  private mutating func put(_ character: Character) {
    let width = columns(character)
    guard line < size.lines, column + width <= size.columns else { return }
    if width == 0 {
      if column > 0 { cells[line][column - 1].text.append(character) }
      return
    }
    cells[line][column] = (String(character), emphasis)
    for at in column + 1..<column + width { cells[line][at] = ("", emphasis) }
    column += width
  }
}

extension String {
  /// The text without spaces at its end.
  var withoutFinalSpaces: String { String(prefix(count - reversed().prefix { $0 == " " }.count)) }
}

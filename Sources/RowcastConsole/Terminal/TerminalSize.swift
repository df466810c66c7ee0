/// The size of a terminal in character cells.
public struct TerminalSize: Hashable, Sendable {
  /// The number of columns, at least 1.
  public let columns: Int
  /// The number of lines, at least 1.
  public let lines: Int

  /// Creates a size. Absurd values are brought into 1…1,000 columns and 1…500 lines.
  public init(columns: Int, lines: Int) {
    self.columns = min(max(1, columns), 1_000)
    self.lines = min(max(1, lines), 500)
  }

  /// The size to use: the terminal's own, else that of `COLUMNS` and `LINES`, else 80×24.
  public static func resolved(reported: TerminalSize?, environment: [String: String]) -> TerminalSize {
    reported
      ?? TerminalSize(
        columns: environment["COLUMNS"].flatMap(Int.init) ?? 80, lines: environment["LINES"].flatMap(Int.init) ?? 24)
  }
}

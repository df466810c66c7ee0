#if canImport(RowcastPlatform)
  package import RowcastPlatform

  /// A terminal in full-screen use: alternate screen, hidden cursor, keys as they are typed.
  ///
  /// Confined to the sink that draws on it.
  package final class Terminal {
    private let input: Int32?
    private let output: Int32
    private let original: Platform.TerminalModes?
    private var isEntered = false

    /// - Parameters:
    ///   - input: The terminal that keys come from, or `nil` for none.
    ///   - output: The terminal that is drawn on.
    package init(input: Int32?, output: Int32) {
      self.input = input
      self.output = output
      original = Platform.modes(of: input ?? output)
    }

    /// Takes over the screen; again, if another program has used it since.
    package func enter() throws(SystemError) {
      isEntered = true
      if let input, let original { Platform.setModes(Platform.immediate(original), of: input) }
      try write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
    }

    /// Gives the screen back as it was. Safe to call again.
    package func leave() {
      guard isEntered else { return }
      isEntered = false
      // A terminal that is gone cannot be restored, and need not be.
      try? write("\(Platform.restoringScreen)")
      if let input, let original { Platform.setModes(original, of: input) }
    }

    /// Writes text that the renderer made.
    package func write(_ text: String) throws(SystemError) { try Platform.write(text.utf8, to: output) }

    /// The size that the terminal reports.
    package var reportedSize: TerminalSize? {
      Platform.terminalSize(output).map { TerminalSize(columns: $0.columns, lines: $0.lines) }
    }
  }
#endif

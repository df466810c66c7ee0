#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Terminals: size and modes.
extension Platform {
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The size that a terminal reports, in character cells, or `nil` if it reports none.
  package static func terminalSize(_ descriptor: Int32) -> (columns: Int, lines: Int)? {
    var size = winsize()
    // The request fills a value of this type.
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    guard result == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The modes of a terminal, to be restored later.
  package struct TerminalModes: Sendable {
    fileprivate var value: termios
  }

  package static func modes(of descriptor: Int32) -> TerminalModes? {
    var value = termios()
    return unsafe tcgetattr(descriptor, &value) == 0 ? TerminalModes(value: value) : nil
  }

  package static func setModes(_ modes: TerminalModes, of descriptor: Int32) {
    var value = modes.value
    _ = unsafe tcsetattr(descriptor, TCSANOW, &value)
  }

  /// The modes in which keys arrive as they are typed and are not shown. Ctrl-C and Ctrl-Z keep their meaning; Ctrl-S does not
  /// stop the output, nor does Ctrl-V quote the next key.
  package static func immediate(_ modes: TerminalModes) -> TerminalModes {
    var modes = modes
    modes.value.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    modes.value.c_iflag &= ~tcflag_t(IXON)
    // The control characters are a tuple in Swift; both indexes are constants of the system.
    unsafe withUnsafeMutableBytes(of: &modes.value.c_cc) { controls in
      unsafe controls[Int(VMIN)] = 1
      unsafe controls[Int(VTIME)] = 0
    }
    return modes
  }

  /// What gives a screen back that was taken over. Computed, so that a handler of crashes can read it at any time.
  package static var restoringScreen: StaticString {
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?2004l\u{1B}[?1049l"
  }
}

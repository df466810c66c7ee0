/// A signal that a console program handles.
package enum ConsoleSignal: CaseIterable, Hashable, Sendable {
  /// Ctrl-C.
  case interrupt
  /// A request to end.
  case terminate
  /// The terminal went away.
  case hangUp
  /// The terminal has another size.
  case resize
  /// Ctrl-Z.
  case suspend
  /// The shell brought the program back.
  case resume
}

public import RowcastDiff
public import RowcastModel

/// What happened in a table that an app may want to answer.
///
/// Rows are those that were on the screen, not those that are by now at the same path.
public enum TableEvent<Row: RowViewModel>: Equatable, Sendable {
  /// A row joined the selection. The path is the one at that moment.
  case selected(Row, at: RowPath)
  /// A row left the selection, because somebody took it out or because it is gone from the list.
  case deselected(Row)
  /// A row comes onto the screen. The path is the one at that moment.
  case willDisplay(Row, at: RowPath)
  /// A row has left the screen: the row as it was shown last.
  case didEndDisplaying(Row)
  /// The first row came onto the screen, or another row became the first while the start was on the screen: time to load
  /// what comes before.
  case reachedStart
  /// The last row came onto the screen, or another row became the last while the end was on the screen: time to load
  /// what comes next.
  case reachedEnd
}

/// Hands events to all who listen.
struct EventBroadcast<Event: Sendable>: ~Copyable {
  private var listeners: [AsyncStream<Event>.Continuation] = []

  deinit { for listener in listeners { listener.finish() } }

  /// The events from now on. Nothing is kept for a listener that is gone.
  mutating func stream() -> AsyncStream<Event> {
    let (stream, listener) = AsyncStream.makeStream(of: Event.self)
    listeners.append(listener)
    return stream
  }

  mutating func send(_ event: Event) {
    listeners.removeAll { listener in
      if case .terminated = listener.yield(event) { true } else { false }
    }
  }
}

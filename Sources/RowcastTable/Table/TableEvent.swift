public import RowcastDiff
public import RowcastModel

/// Something that happened in a table and that an app may respond to.
///
/// An event carries the row itself. By the time it is read, another row may be at the same path.
public enum TableEvent<Row: RowViewModel>: Equatable, Sendable {
  /// A row joined the selection. The path is the one at that moment.
  case selected(Row, at: RowPath)
  /// A row left the selection: it was deselected, or removed from the list.
  case deselected(Row)
  /// A row appears on the screen. The path is the one at that moment.
  case willDisplay(Row, at: RowPath)
  /// A row has left the screen: the row as it was shown last.
  case didEndDisplaying(Row)
  /// The start of the list became visible, including a header above the first row, or its first row was replaced while
  /// visible: time to load earlier rows.
  case reachedStart
  /// The end of the list became visible, including a footer below the last row, or its last row was replaced while visible:
  /// time to load later rows.
  case reachedEnd
}

/// Sends events to all listeners.
///
/// Events that are raised while a change is made wait until it is done. No property is accessed while a stream yields or
/// ends, as both may run code of the app.
final class EventBroadcast<Event: Sendable> {
  private var listeners: [AsyncStream<Event>.Continuation] = [] {
    didSet { hasListeners = !listeners.isEmpty }
  }
  /// Stored: unspecialised code needs the type of the array to ask it, which is an eighth of the time of selecting a row.
  private(set) var hasListeners = false
  /// The raised events that were not sent yet, each with the number of listeners at that time.
  private var waiting: [(event: Event, audience: Int)] = []
  private var isSending = false

  deinit { for listener in listeners { listener.finish() } }

  /// The events from now on. For a slow listener the newest are kept, as many as the limit.
  func stream(keeping limit: Int) -> AsyncStream<Event> {
    require(limit >= 1, "A stream cannot keep \(limit) events; use 1 or more")
    let (stream, listener) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(limit))
    listeners.append(listener)
    return stream
  }

  /// Raises an event, which is sent by the next ``sendWaiting()``.
  func raise(_ event: Event) {
    if hasListeners { waiting.append((event, listeners.count)) }
  }

  /// Sends the pending events, in order.
  func sendWaiting() {
    if isSending || waiting.isEmpty { return }
    isSending = true
    var (next, ended): (Int, [Int]) = (0, [])
    while next < waiting.count {
      let (event, count) = waiting[next]
      next += 1
      for index in 0..<count where !ended.contains(index) {
        let listener = listeners[index]
        if case .terminated = listener.yield(event) { ended.append(index) }
      }
    }
    waiting = []
    for index in ended.ascending.reversed() { listeners.remove(at: index) }
    isSending = false
  }
}

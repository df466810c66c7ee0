// Dispatch sources may be cancelled from any thread, but are not marked Sendable on every platform.
@preconcurrency import Dispatch

/// Turns signals into an asynchronous sequence.
package enum SignalWatcher {
  /// The signals that arrive from now on. Their default actions are off for the rest of the process.
  package static func signals(_ watched: [ConsoleSignal]) -> AsyncStream<ConsoleSignal> {
    // Signals that nobody has taken yet are few and repeat themselves; the newest matter.
    AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let sources = watched.map { signal in
        Platform.ignoreDefaultAction(of: signal)
        let source = DispatchSource.makeSignalSource(signal: signal.number, queue: .global())
        source.setEventHandler { continuation.yield(signal) }
        source.resume()
        return source
      }
      continuation.onTermination = { _ in for source in sources { source.cancel() } }
    }
  }
}

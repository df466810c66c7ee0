#if canImport(RowcastPlatform)
  import Dispatch
  import RowcastPlatform
  package import RowcastTerminal

  /// The signals that arrive at the process, as an asynchronous sequence.
  ///
  /// From the creation of the watcher on, no watched signal is lost or has its default action: a handler writes each into a
  /// pipe. (A dispatch source starts to listen some time after its creation.) Earlier signals are not seen. If there are
  /// several watchers, each gets the signal.
  package struct SignalWatcher: AsyncSequence, Sendable {
    private let number: Int
    private let signals: AsyncStream<ConsoleSignal>

    /// Starts to watch signals, whose own actions are off until ``release()``.
    ///
    /// - Parameters:
    ///   - watched: The signals. A signal that the process was started to ignore stays ignored.
    ///   - always: The signals among them that are watched even if the process was started to ignore them.
    ///   - patience: The seconds within which the watcher is to be released after a signal; otherwise the former action of
    ///     the signal runs.
    package init(_ watched: [ConsoleSignal], always: Set<ConsoleSignal> = [], patience: Int? = nil) {
      let (signals, send) = AsyncStream.makeStream(of: ConsoleSignal.self)
      self.signals = signals
      _ = Self.waiting
      number = Self.update { state in
        for signal in watched {
          let former = Platform.catchSignal(signal.number, always: always.contains(signal))
          // If others watch it as well, the action before all of them counts.
          state.former[signal] = state.former[signal] ?? former
        }
        state.lastNumber += 1
        state.watchers[state.lastNumber] = (Set(watched), send, patience)
        return state.lastNumber
      }
    }

    /// Ends the sequence, and restores the actions of signals that no other watcher watches.
    package func release() {
      Self.update { state in
        guard let (signals, send, _) = state.watchers.removeValue(forKey: number) else { return }
        send.finish()
        for signal in signals where !state.watchers.values.contains(where: { $0.signals.contains(signal) }) {
          state.former.removeValue(forKey: signal)?.restore()
        }
      }
    }

    /// True if the process was resumed after the last request to suspend it.
    static var isResumed: Bool { update { $0.isResumed } }

    /// Starts to wait for signals.
    package func makeAsyncIterator() -> AsyncStream<ConsoleSignal>.Iterator { signals.makeAsyncIterator() }

    // MARK: - The watchers of the process

    /// The watchers by number. A process has one handler and one pipe for its signals, which all of them share.
    private struct State: Sendable {
      var watchers:
        [Int: (signals: Set<ConsoleSignal>, send: AsyncStream<ConsoleSignal>.Continuation, patience: Int?)] = [:]
      var lastNumber = 0
      /// True if the last signal that suspends or resumes was a resuming one.
      var isResumed = false
      /// The actions of the watched signals before they were watched.
      var former: [ConsoleSignal: Platform.SignalAction] = [:]

      /// Sends the signals in the pipe to their watchers.
      mutating func distribute() {
        guard let pipe = Platform.caughtSignals else { return }
        while !Platform.wait(forInputOn: [pipe], timeout: 0).isEmpty {
          guard let numbers = try? Platform.read(from: pipe, upTo: 256), !numbers.isEmpty else { return }
          for number in numbers {
            guard let signal = ConsoleSignal.allCases.first(where: { $0.number == Int32(number) }) else { continue }
            if signal == .suspend || signal == .resume { isResumed = signal == .resume }
            for (number, watcher) in watchers where watcher.signals.contains(signal) {
              watcher.send.yield(signal)
              guard let patience = watcher.patience else { continue }
              queue.asyncAfter(deadline: .now() + .seconds(patience)) { repeatUnheeded(signal, to: number) }
            }
          }
        }
      }
    }

    /// The state is confined to the queue and stored in it. The pipe, too, is read only there, so that a signal arrives
    /// either before a watcher or after it.
    private static let queue = DispatchQueue(label: "rowcast.signals")
    private static let key = DispatchSpecificKey<State>()

    /// The queue whose thread blocks until a signal arrives.
    private static let waiting: Void = DispatchQueue(label: "rowcast.signals.wait").async {
      while let pipe = Platform.caughtSignals, !Platform.wait(forInputOn: [pipe], timeout: nil).isEmpty {
        update { _ in }
      }
    }

    /// Runs the former action of a signal, unless the watcher was released. Called on the queue.
    private static func repeatUnheeded(_ signal: ConsoleSignal, to watcher: Int) {
      guard let state = queue.getSpecific(key: key), state.watchers[watcher] != nil else { return }
      state.former[signal]?.restore()
      Platform.signalSelf(signal.number)
    }

    /// Changes the state after earlier signals were distributed.
    private static func update<Result>(_ change: (inout State) -> Result) -> Result {
      queue.sync {
        var state = queue.getSpecific(key: key) ?? State()
        state.distribute()
        defer { queue.setSpecific(key: key, value: state) }
        return change(&state)
      }
    }
  }
#endif

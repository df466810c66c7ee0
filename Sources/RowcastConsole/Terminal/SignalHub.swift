#if canImport(RowcastPlatform)
  import Dispatch
  import RowcastPlatform

  /// Hands the signals of the process to all that watch for them.
  ///
  /// A process has one handler and one pipe for its signals, so it has one hub. The state is the queue's: it is kept with the
  /// queue, and only what runs there reads or changes it. The pipe, too, is read there alone, so that a signal is one of those
  /// before a watcher came, or of those after.
  enum SignalHub {
    private struct Watcher: Sendable {
      let signals: Set<ConsoleSignal>
      let send: AsyncStream<ConsoleSignal>.Continuation
    }

    private struct State: Sendable {
      var watchers: [Int: Watcher] = [:]
      /// What there was for the signals that are watched.
      var former: [ConsoleSignal: Platform.SignalAction] = [:]
      /// How many watchers there were, which numbers them.
      var count = 0

      /// Hands on what is in the pipe.
      func distribute() {
        guard let pipe = Platform.caughtSignals else { return }
        while !Platform.wait(forInputOn: [pipe], timeout: 0).isEmpty {
          guard let numbers = try? Platform.read(from: pipe, upTo: 256), !numbers.isEmpty else { return }
          for number in numbers {
            guard let signal = ConsoleSignal.allCases.first(where: { $0.number == Int32(number) }) else { continue }
            for watcher in watchers.values where watcher.signals.contains(signal) { watcher.send.yield(signal) }
          }
        }
      }
    }

    private static let key = DispatchSpecificKey<State>()
    private static let queue = DispatchQueue(label: "rowcast.signals")

    /// Waiting blocks a thread, which is one of its own.
    private static let waiting: Void = DispatchQueue(label: "rowcast.signals.wait").async {
      while let pipe = Platform.caughtSignals, !Platform.wait(forInputOn: [pipe], timeout: nil).isEmpty {
        update { _ in }
      }
    }

    /// Changes the state, once the signals that came before are handed on.
    private static func update<Result>(_ change: (inout State) -> Result) -> Result {
      queue.sync {
        var state = queue.getSpecific(key: key) ?? State()
        state.distribute()
        defer { queue.setSpecific(key: key, value: state) }
        return change(&state)
      }
    }

    /// Adds a watcher. Returns its number.
    static func watch(
      _ signals: Set<ConsoleSignal>, always: Set<ConsoleSignal>, _ send: AsyncStream<ConsoleSignal>.Continuation
    ) -> Int {
      _ = waiting
      return update { state in
        for signal in signals {
          let former = Platform.catchSignal(signal.number, always: always.contains(signal))
          // If others watch it as well, what there was before all of them counts.
          state.former[signal] = state.former[signal] ?? former
        }
        state.count += 1
        state.watchers[state.count] = Watcher(signals: signals, send: send)
        return state.count
      }
    }

    /// Takes a watcher away. Signals that nobody watches any more have the actions that they had.
    static func release(_ number: Int) {
      update { state in
        guard let watcher = state.watchers.removeValue(forKey: number) else { return }
        watcher.send.finish()
        for signal in watcher.signals where !state.watchers.values.contains(where: { $0.signals.contains(signal) }) {
          state.former.removeValue(forKey: signal)?.restore()
        }
      }
    }
  }
#endif

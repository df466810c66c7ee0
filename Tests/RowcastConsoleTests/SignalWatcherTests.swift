import Foundation
import RowcastTerminal
import Testing

@testable import RowcastConsole

/// Sends a signal to this thread, which blocks it if tasks share the thread; it has arrived when this returns.
private func send(_ number: Int32) {
  var (signals, former) = (sigset_t(), sigset_t())
  // The calls fill and read values of these types.
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, number)
  unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &former)
  raise(number)
  unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
}

/// Signals are the process's, so each test sends them in a process of its own: here they would reach the apps of other tests, and
/// ctrl-Z stops a process whose app takes it.
@Suite(.watched) struct SignalWatcherTests {
  @Test func `two watchers of a signal each get it, and none from before it was made`() async {
    await #expect(processExitsWith: .success) {
      let former = SignalWatcher([.resize, .resume])
      send(SIGWINCH)
      former.release()
      let watchers = [SignalWatcher([.resize]), SignalWatcher([.resize, .resume])]
      for signal in [SIGCONT, SIGWINCH, SIGCONT, SIGWINCH] { send(signal) }
      var (first, second) = (watchers[0].makeAsyncIterator(), watchers[1].makeAsyncIterator())
      let seen = await [second.next(), second.next(), second.next(), second.next()]
      #expect(seen == [.resume, .resize, .resume, .resize])
      #expect(await [first.next(), first.next()] == [.resize, .resize])
      for watcher in watchers { watcher.release() }
    }
  }

  @Test func `a process that was resumed before it has stopped is known to be`() async {
    await #expect(processExitsWith: .success) {
      let watcher = SignalWatcher([.suspend, .resume])
      for (number, isResumed) in [
        (SIGTSTP, false), (SIGCONT, true), (SIGTSTP, false), (SIGCONT, true), (SIGCONT, true),
      ] {
        send(number)
        #expect(SignalWatcher.isResumed == isResumed)
      }
      watcher.release()
    }
  }

  @Test func `a watcher that is released takes nothing from those that go on, and the last one gives the signal back`()
    async
  {
    await #expect(processExitsWith: .success) {
      // What there was before: the process would end otherwise.
      signal(SIGHUP, SIG_IGN)
      signal(SIGTERM) { _ in exit(7) }
      let first = SignalWatcher([.hangUp, .terminate], always: [.hangUp])
      let second = SignalWatcher([.hangUp, .terminate])
      first.release()
      send(SIGTERM)
      var signals = second.makeAsyncIterator()
      let signal = await signals.next()
      #expect(signal == .terminate)
      second.release()
      send(SIGHUP)
      let end = await signals.next()
      #expect(end == nil)
    }
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGTERM) { _ in exit(7) }
      let watchers = [SignalWatcher([.terminate]), SignalWatcher([.terminate])]
      for watcher in watchers { watcher.release() }
      send(SIGTERM)
    }
  }

  @Test func `a signal that the process ignores stays ignored, unless a watcher always watches it`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      let first = SignalWatcher([.hangUp, .resume])
      send(SIGHUP)
      let second = SignalWatcher([.hangUp], always: [.hangUp])
      for signal in [SIGHUP, SIGCONT] { send(signal) }
      var (signals, others) = (first.makeAsyncIterator(), second.makeAsyncIterator())
      let seen = await (others.next(), signals.next(), signals.next())
      #expect(seen == (.hangUp, .hangUp, .resume))
    }
  }
}

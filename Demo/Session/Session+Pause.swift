import Rowcast
import RowcastConsole

/// Whether the list stands still while the store goes on.
struct Pause {
  fileprivate(set) var isOn = false
  /// Takes the updates; ended by a pause.
  var pull: Task<Ending?, any Error>?
  /// Who waits for the end of the pause.
  fileprivate var waiter: CheckedContinuation<Void, Never>?
}

extension Session {
  /// Stops following the list. What happens meanwhile comes as one net update when the list is followed again: a new
  /// stream starts with the whole list, and only the difference to what is shown is applied.
  func togglePause() {
    pause.isOn.toggle()
    screen?.status.isPaused = pause.isOn
    if pause.isOn { pause.pull?.cancel() } else { resume() }
    wantFrame()
  }

  /// Ends a pause, if there is one.
  func endPause() {
    if pause.isOn { togglePause() }
  }

  private func resume() {
    pause.waiter?.resume()
    pause.waiter = nil
  }

  /// Waits until there is no pause.
  func passPause() async {
    while pause.isOn { await withCheckedContinuation { pause.waiter = $0 } }
  }
}

/// Holds tasks back until a test lets them pass: what other tests do with a sleep.
public actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a closed gate.
  public init() {}

  /// Waits until the gate is open.
  public func pass() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Lets all pass, now and later.
  public func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// Yields until a condition is true, which other tasks are about to make true.
public func eventually(_ condition: () async -> Bool) async {
  while await !condition() { await Task.yield() }
}

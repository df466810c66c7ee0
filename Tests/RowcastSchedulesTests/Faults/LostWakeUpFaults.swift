#if ROWCAST_HOOKS
  import RowcastSchedules

  /// Someone waits for a signal that came, or never comes.
  extension ConcurrencyFault {
    static let lostWakeUps = [
      // apple/swift-async-algorithms: the first designs of `share` and `broadcast`.
      ConcurrencyFault(name: "a broadcast loses the element between the check and the wait") { run, isMended in
        let channel = Broadcast(isMended: isMended)
        async let received = channel.next()
        await channel.send(1)
        let element = await received
        try run.expect(element == 1, "received \(element)")
      },
      ConcurrencyFault(name: "a signal before the wait is forgotten") { _, isMended in
        let event = Event(remembers: isMended)
        let waiting = Task { await event.wait() }
        await event.signal()
        await waiting.value
      },
      // Two parties that each send before they receive, over channels that hold one element.
      ConcurrencyFault(name: "two actors that feed each other wait for ever") { _, isMended in
        let left = Slot()
        let right = Slot()
        async let one: Void = {
          for number in 0..<2 { await right.put(number) }
          for _ in 0..<2 { _ = await left.take() }
        }()
        async let other: Void = {
          if isMended { for _ in 0..<2 { _ = await right.take() } }
          for number in 0..<2 { await left.put(number) }
          if !isMended { for _ in 0..<2 { _ = await right.take() } }
        }()
        _ = await (one, other)
      },
      ConcurrencyFault(name: "two locks are taken in opposite orders") { _, isMended in
        let a = AsyncLock()
        let b = AsyncLock()
        async let one: Void = {
          await a.lock()
          await b.lock()
          await b.unlock()
          await a.unlock()
        }()
        async let other: Void = {
          await (isMended ? a : b).lock()
          await (isMended ? b : a).lock()
          await a.unlock()
          await b.unlock()
        }()
        _ = await (one, other)
      },
      // Cancelled between the check and the registration: the handler finds nobody to wake.
      ConcurrencyFault(name: "a cancellation comes before its handler has somebody to wake") { _, isMended in
        let event = CancellableEvent(isMended: isMended)
        let waiting = Task { await event.wait() }
        waiting.cancel()
        await waiting.value
      },
      // groue/Semaphore: a waiter that is cancelled while it is woken takes its permit with it.
      ConcurrencyFault(name: "a permit is lost with the waiter that was cancelled") { _, isMended in
        let semaphore = CancellableSemaphore(isMended: isMended)
        await semaphore.wait()
        let cancelled = Task { if await semaphore.wait() { await semaphore.signal() } }
        let patient = Task { if await semaphore.wait() { await semaphore.signal() } }
        cancelled.cancel()
        await semaphore.signal()
        await cancelled.value
        await patient.value
      },
    ]
  }

  private actor Broadcast {
    private let isMended: Bool
    private var elements: [Int] = []
    private var waiting: [CheckedContinuation<Int, Never>] = []

    init(isMended: Bool) { self.isMended = isMended }

    func next() async -> Int {
      if let element = elements.first { return element }
      if !isMended { await Task.yield() }
      return await withCheckedContinuation { waiting.append($0) }
    }

    func send(_ element: Int) {
      elements.append(element)
      for continuation in waiting { continuation.resume(returning: element) }
      waiting = []
    }
  }

  private actor Event {
    private let remembers: Bool
    private var isSignalled = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(remembers: Bool) { self.remembers = remembers }

    func wait() async {
      if remembers, isSignalled { return }
      await withCheckedContinuation { waiting.append($0) }
    }

    func signal() {
      isSignalled = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  /// Holds one element: putting waits while it is full, taking while it is empty.
  private actor Slot {
    private var element: Int?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func put(_ new: Int) async {
      while element != nil { await withCheckedContinuation { waiting.append($0) } }
      element = new
      wake()
    }

    func take() async -> Int {
      while true {
        if let taken = element {
          element = nil
          wake()
          return taken
        }
        await withCheckedContinuation { waiting.append($0) }
      }
    }

    private func wake() {
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private actor AsyncLock {
    private var isLocked = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func lock() async {
      while isLocked { await withCheckedContinuation { waiting.append($0) } }
      isLocked = true
    }

    func unlock() {
      isLocked = false
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private actor CancellableEvent {
    private let isMended: Bool
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(isMended: Bool) { self.isMended = isMended }

    nonisolated func wait() async {
      await withTaskCancellationHandler {
        await register()
      } onCancel: {
        Task { await cancel() }
      }
    }

    private func register() async {
      await withCheckedContinuation { continuation in
        if isMended, Task.isCancelled { continuation.resume() } else { waiting.append(continuation) }
      }
    }

    private func cancel() {
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private actor CancellableSemaphore {
    private let isMended: Bool
    private var permits = 1
    private var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var lastID = 0

    init(isMended: Bool) { self.isMended = isMended }

    /// Whether there is a permit; not if the task was cancelled.
    @discardableResult
    func wait() async -> Bool {
      if permits > 0 {
        permits -= 1
        return true
      }
      lastID += 1
      let id = lastID
      let isGranted = await withTaskCancellationHandler {
        await withCheckedContinuation { waiting.append((id, $0)) }
      } onCancel: {
        Task { await cancel(id) }
      }
      guard isGranted, Task.isCancelled else { return isGranted }
      if isMended { signal() }
      return false
    }

    func signal() {
      if waiting.isEmpty { permits += 1 } else { waiting.removeFirst().continuation.resume(returning: true) }
    }

    private func cancel(_ id: Int) {
      guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
      waiting.remove(at: index).continuation.resume(returning: false)
    }
  }
#endif

#if canImport(RowcastPlatform)
  import Dispatch
  import RowcastDiff
  import RowcastPlatform
  import RowcastStore

  /// Waits for input on any number of file descriptors, in one thread.
  ///
  /// A thread for each would exhaust the threads of the process: 255 waiting threads leave none for others.
  ///
  /// Its state belongs to the actor. While the thread waits, it has the descriptors that were waited for when it began; a byte in
  /// a pipe ends its wait when others are added.
  final actor InputPoller {
    static let shared = InputPoller()

    private struct Wait {
      let number: Int
      let descriptor: Int32
      let deadline: Duration?
      let continuation: CheckedContinuation<Bool, any Error>
      var isCancelled = false
    }

    private var waits: [Wait] = []
    private var lastNumber = 0
    /// Ends the wait of the thread; made for the first wait.
    private var alarm: (reading: OpenFile, writing: OpenFile)?
    private var isPolling = false
    private var hasRung = false
    private let queue = DispatchQueue(label: "rowcast.inputs")
    private let executor = QueueExecutor("rowcast.poller")

    /// Not the executor that a task prefers, which may be busy with other work.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Waits until a descriptor has input, or its other end is closed. Returns false after the timeout in milliseconds.
    ///
    /// After the call, even if it throws, the poller does not use the descriptor.
    ///
    /// - Throws: `CancellationError` at once if the task is cancelled; `SystemError` if the process has no file descriptors left.
    func wait(forInputOn descriptor: Int32, timeout: Int32?) async throws -> Bool {
      if alarm == nil {
        let ends = try Platform.makePipe()
        alarm = (OpenFile(descriptor: ends.reading), OpenFile(descriptor: ends.writing))
      }
      lastNumber += 1
      let number = lastNumber
      let deadline = timeout.map { AnyClock.continuous.now + .milliseconds($0) }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
          waits.append(Wait(number: number, descriptor: descriptor, deadline: deadline, continuation: continuation))
          poll()
        }
      } onCancel: {
        Task.detached(priority: .high) { await self.cancel(number) }
      }
    }

    /// Ends a wait, as soon as the thread does not use its descriptor any more.
    private func cancel(_ number: Int) {
      guard let index = waits.firstIndex(where: { $0.number == number }) else { return }
      waits[index].isCancelled = true
      poll()
    }

    /// Makes the thread wait for everything that is waited for now.
    private func poll() {
      guard let alarm else { return }
      if isPolling {
        if !hasRung { try? Platform.write([0], to: alarm.writing.descriptor) }
        hasRung = true
        return
      }
      (isPolling, hasRung) = (true, false)
      var descriptors = [alarm.reading.descriptor]
      // Each once, as the system refuses more descriptors than a process may have. The numbers of descriptors are small.
      var isListed: [Bool] = []
      let now = AnyClock.continuous.now
      var timeout: Int32?
      for wait in waits {
        let place = Int(max(0, wait.descriptor))
        while isListed.count <= place { isListed.append(false) }
        if !isListed[place] { descriptors.append(wait.descriptor) }
        isListed[place] = true
        guard let deadline = wait.deadline else { continue }
        // Rounded up, so that no deadline is ahead when the wait ends.
        let rest = Int32(min(max(0, ((deadline - now) / .milliseconds(1)).rounded(.up)), 1e9))
        timeout = min(timeout ?? rest, rest)
      }
      queue.async { [descriptors, timeout] in
        let ready = Platform.wait(forInputOn: descriptors, timeout: timeout)
        Task.detached(priority: .high) { await self.endWaits(ready) }
      }
    }

    private func endWaits(_ ready: [Int32]) {
      isPolling = false
      if let alarm, ready.contains(alarm.reading.descriptor) {
        _ = try? Platform.read(from: alarm.reading.descriptor, upTo: 64)
      }
      let now = AnyClock.continuous.now
      let former = waits
      waits = []
      for wait in former {
        let isReady = ready.contains(wait.descriptor)
        if wait.isCancelled {
          wait.continuation.resume(throwing: CancellationError())
        } else if isReady || wait.deadline.map({ $0 <= now }) ?? false {
          wait.continuation.resume(returning: isReady)
        } else {
          waits.append(wait)
        }
      }
      if !waits.isEmpty { poll() }
    }
  }

  /// Runs an actor on a serial queue, as its system calls block the thread, which must not be shared by tasks.
  final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: UnownedJob) {
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// The default implementation is newer than the oldest systems.
    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
  }
#endif

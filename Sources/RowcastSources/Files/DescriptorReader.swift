#if canImport(RowcastPlatform)
  import RowcastPlatform

  /// Reads from a file descriptor as bytes arrive, and stops at once when its task is cancelled.
  package final actor DescriptorReader {
    package nonisolated let descriptor: Int32
    /// Keeps the descriptor open.
    private let owner: (any Sendable)?
    private let executor = QueueExecutor("rowcast.input")

    /// Reading may block the thread: a device may be slow, and another process may have read the input.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - descriptor: Stays open as long as something is read.
    ///   - owner: Kept alive by the reader.
    package init(_ descriptor: Int32, keeping owner: (any Sendable)? = nil) {
      (self.descriptor, self.owner) = (descriptor, owner)
    }

    /// The next bytes of the input; none at its end, `nil` after the timeout in milliseconds.
    ///
    /// - Throws: `SystemError` if the device fails, or the process has no file descriptors left; `CancellationError`.
    package func read(upTo capacity: Int, timeout: Int32? = nil) async throws -> [UInt8]? {
      while true {
        try Task.checkCancellation()
        // Checked again after a wait: another task may have read the input.
        if Platform.wait(forInputOn: [descriptor], timeout: 0).isEmpty {
          if try await !InputPoller.shared.wait(forInputOn: descriptor, timeout: timeout) { return nil }
        } else if let bytes = try Platform.readAvailable(from: descriptor, upTo: capacity) {
          return bytes
        }
      }
    }
  }

  /// A file descriptor that is closed with the last reference to it.
  package final class OpenFile: Sendable {
    package let descriptor: Int32
    private let isOwned: Bool

    /// The standard input, which stays open.
    package static let standardInput = OpenFile(descriptor: Platform.standardInput, isOwned: false)

    package init(descriptor: Int32, isOwned: Bool = true) {
      self.descriptor = descriptor
      self.isOwned = isOwned
    }

    deinit {
      guard isOwned else { return }
      // A process that is being started has copies of all descriptors for a moment. They would keep a lock.
      Platform.unlock(descriptor)
      Platform.close(descriptor)
    }
  }
#endif

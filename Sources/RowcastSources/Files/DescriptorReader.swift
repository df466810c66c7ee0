#if canImport(RowcastPlatform)
  import Dispatch
  package import RowcastPlatform

  /// Reads from a file descriptor as bytes arrive, and stops at once when its task is cancelled.
  ///
  /// Stored state is immutable. One task reads at a time.
  package final class DescriptorReader: Sendable {
    private let descriptor: Int32
    /// A pipe that receives a byte when the reading task is cancelled, which ends its wait for input.
    private let alarm: (reading: OpenFile, writing: OpenFile)
    /// Waiting blocks a thread, which must not be one that tasks share.
    private let queue = DispatchQueue(label: "rowcast.input")

    /// - Parameter descriptor: Stays open as long as the reader is in use.
    /// - Throws: `SystemError` if the process has no file descriptors left.
    package init(_ descriptor: Int32) throws(SystemError) {
      self.descriptor = descriptor
      let ends = try Platform.makePipe()
      alarm = (OpenFile(descriptor: ends.reading), OpenFile(descriptor: ends.writing))
    }

    /// The next bytes of the input; none at its end, `nil` after the timeout in milliseconds.
    ///
    /// - Throws: `SystemError` if the device fails; `CancellationError`.
    package func read(upTo capacity: Int, timeout: Int32? = nil) async throws -> [UInt8]? {
      // Alarms of earlier reads are over.
      let alarmed = alarm.reading.descriptor
      if !Platform.wait(forInputOn: [alarmed], timeout: 0).isEmpty { _ = try Platform.read(from: alarmed, upTo: 64) }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[UInt8]?, any Error>) in
          queue.async { continuation.resume(with: Result { try self.waitAndRead(upTo: capacity, timeout: timeout) }) }
        }
      } onCancel: {
        // The pipe has room for more bytes than there are cancellations.
        try? Platform.write([0], to: alarm.writing.descriptor)
      }
    }

    private func waitAndRead(upTo capacity: Int, timeout: Int32?) throws -> [UInt8]? {
      let ready = Platform.wait(forInputOn: [descriptor, alarm.reading.descriptor], timeout: timeout)
      if ready.contains(alarm.reading.descriptor) { throw CancellationError() }
      return ready.isEmpty ? nil : try Platform.read(from: descriptor, upTo: capacity)
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

    deinit { if isOwned { Platform.close(descriptor) } }
  }
#endif

/// Keeps tasks with an executor of their own from holding up state that others share.
///
/// A default actor runs on the executor that the calling task prefers. If that executor is busy, the actor is busy for
/// everybody: other tasks wait for an executor that they have nothing to do with. So calls to shared state leave the
/// preference of the caller behind. A task without a preference pays for one check.
@usableFromInline
package enum SharedExecutor {
  /// Whether shared state stays on the executor that the caller prefers: for tests that decide the order of all jobs.
  @TaskLocal package static var followsCaller = false

  /// Whether the calling task prefers an executor that may be busy with other work.
  @usableFromInline static var isNeeded: Bool {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return false }
    return unsafe withUnsafeCurrentTask { unsafe $0.borrowed { unsafe $0.unownedTaskExecutor != nil } ?? false }
      && !followsCaller
  }

  /// Makes a call from no actor, and comes back to the executor that the calling task prefers.
  ///
  /// An actor of the caller is left before the call, not held while a shared thread comes back to it: that thread would go on with
  /// the actor. The end of a preference does not switch executors, so the task yields after it.
  @usableFromInline
  @concurrent
  static func call<Result: Sendable, Failure: Error>(
    _ body: @Sendable () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await body() }
    let result: Swift.Result<Result, Failure>
    do throws(Failure) {
      result = .success(
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(Failure) in try await body() })
    } catch {
      result = .failure(error)
    }
    await Task.yield()
    return try result.get()
  }
}

extension Optional where Wrapped: ~Copyable {
  /// Reads the value where it is. A pattern would copy it, if it can be copied: for a task that costs more than the reading.
  @inline(__always)
  fileprivate borrowing func borrowed<Result>(_ read: (borrowing Wrapped) -> Result) -> Result? {
    switch self {
    case .some(let value): read(value)
    case .none: nil
    }
  }
}

/// Calls shared state on the global executor, whatever executor the calling task prefers.
///
/// - Parameter body: The call. It runs once.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
@inlinable
package func onSharedExecutor<Result: Sendable, Failure: Error>(
  _ body: @Sendable () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  SharedExecutor.isNeeded ? try await SharedExecutor.call(body) : try await body()
}

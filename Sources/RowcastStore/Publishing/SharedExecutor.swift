/// Prevents tasks with an executor of their own from blocking state that others share.
///
/// A default actor runs on the executor that the calling task prefers. If that executor is busy, the actor is busy for all
/// callers. So calls to shared state ignore the preference of the caller. A task without a preference pays for one check.
@usableFromInline
package enum SharedExecutor {
  /// True in tests that decide the order of all jobs: shared state stays on the executor that the caller prefers.
  @TaskLocal package static var followsCaller = false

  /// True if the calling task prefers an executor, which may be busy with other work.
  @usableFromInline static var callerPrefersAnother: Bool {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return false }
    return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor != nil } && !followsCaller
  }

  /// Makes a call from no actor, and returns to the executor that the calling task prefers.
  ///
  /// The actor of the caller is left before the call: a shared thread that returned to it would continue with the actor's work.
  /// The end of a preference does not switch executors, so the task yields after it.
  ///
  /// It is not specialised: that would make 60 copies for the few tasks that have an executor of their own.
  @usableFromInline
  @concurrent
  @_semantics("optimize.sil.specialize.generic.never")
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

/// Calls shared state on the global executor, whatever executor the calling task prefers.
///
/// It is one function, neither inlined nor specialised: otherwise each of the fifty calls would contain both paths. That is 20 KB
/// in every program, and no measurement shows a difference in time.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
@usableFromInline
package func onSharedExecutor<Result: Sendable, Failure: Error>(
  _ body: @Sendable () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  SharedExecutor.callerPrefersAnother ? try await SharedExecutor.call(body) : try await body()
}

extension Actor {
  /// Makes one step on the actor, on the global executor: see ``onSharedExecutor(_:)``. The body needs no code to wait.
  @usableFromInline
  package nonisolated func sharedStep<Result: Sendable>(_ body: @Sendable (isolated Self) -> Result) async -> Result {
    await onSharedExecutor { await self.step(body) }
  }

  /// Makes one step on the actor, on the executor that the caller prefers; code that may be called from any task uses
  /// ``sharedStep(_:)``.
  package func step<Result: Sendable>(_ body: @Sendable (isolated Self) -> Result) -> Result { body(self) }
}

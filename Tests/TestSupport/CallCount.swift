private import Synchronization

/// Counts calls of functions that may run anywhere.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class CallCount: Sendable {
  private let calls = Atomic<Int>(0)

  /// Creates a count of nothing.
  public init() {}

  /// The number of calls so far.
  public var value: Int { calls.load(ordering: .sequentiallyConsistent) }

  /// Counts a call, and gives back what it is given.
  public func note<Value>(_ value: Value) -> Value {
    calls.add(1, ordering: .sequentiallyConsistent)
    return value
  }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of Dispatch that this package uses. Compiled for type checks only; a comment names the page of
// https://developer.apple.com/documentation that a type follows.

// dispatch/dispatchtimeinterval
public enum DispatchTimeInterval: Equatable, Sendable { case seconds(Int), nanoseconds(Int) }

// dispatch/dispatchtime
public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { .init() }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

// dispatch/dispatchspecifickey
public final class DispatchSpecificKey<Value>: Sendable {
  public init() {}
}

// dispatch/dispatchqueue
public final class DispatchQueue: Sendable {
  public init(label: String) {}
  public func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? { nil }
  public func setSpecific<Value>(key: DispatchSpecificKey<Value>, value: Value?) {}
  public func sync<Value>(execute work: () throws -> Value) rethrows -> Value { try work() }
  public func async(execute work: @escaping @Sendable () -> Void) {}
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {}
}

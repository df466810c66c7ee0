/// Stops the process if the caller broke a precondition. Unlike `precondition`, it says so in optimised builds as well: the message
/// is the rule, with the values that break it.
@inlinable
@inline(__always)
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { stop(message(), file: file, line: line) }
}

/// Stops the process for a mistake of the caller, with a message in every build.
@usableFromInline
@inline(never)
package func stop(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  // The one way to end a process with a message in optimised builds, too: `preconditionFailure` is silent there. Bad data does not come
  // here: it is thrown. `OutsideTests` reads such messages.
  fatalError(message, file: file, line: line)
}

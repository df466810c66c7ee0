/// Stops the process if the caller broke a precondition. Unlike `precondition`, it prints its message in optimised builds as
/// well: the rule, with the values that break it.
@inlinable
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { stop(message(), file: file, line: line) }
}

/// Stops the process for a mistake of the caller, with a message in every build.
@usableFromInline
@inline(never)
package func stop(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  // Only `fatalError` prints its message in an optimised build, where `preconditionFailure` prints nothing: the tests of traps,
  // run optimised, compare the messages. Bad data never traps: it throws.
  fatalError(message, file: file, line: line)
}

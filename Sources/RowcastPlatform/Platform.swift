#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls that files, terminals and signals need, by topic. Only this target imports the C library; its interface
/// has no C types.
package enum Platform {
  /// The unit of the system's process times: ticks per second.
  package static var clockTicks: Int { sysconf(Int32(_SC_CLK_TCK)) }

  /// The size of a page of memory, in bytes.
  package static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }

  /// Ends the process at once, without the clean-up of `exit`, which other threads could disturb.
  package static func exit(_ code: Int32) -> Never { _exit(code) }
}

/// The reason why a system call failed.
package enum SystemError: Error, Hashable, CustomStringConvertible {
  /// The other end of a pipe is closed.
  case closed
  /// The call failed for this reason, as the system words it.
  case failed(String)

  /// The error of an error number, by default that of the last call.
  static func system(_ code: Int32 = errno) -> SystemError {
    // The C library owns the text, which is copied before another call can change it.
    unsafe .failed(String(cString: strerror(code)))
  }

  /// Returns nil if the last call found no file; throws any other error of it.
  static func throwUnlessMissing<Value>() throws(SystemError) -> Value? {
    let code = errno
    guard code == ENOENT || code == ENOTDIR else { throw .system(code) }
    return nil
  }

  package var description: String {
    switch self {
    case .closed: "the other end of the output is closed"
    case .failed(let reason): reason
    }
  }
}

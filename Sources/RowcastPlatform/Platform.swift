#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls that files need, and in `RowcastTerminal` the calls that terminals and signals need. Only these targets
/// import the C library; their interface has no C types.
package enum Platform {
  /// The unit of the system's process times: ticks per second.
  package static var clockTicks: Int { sysconf(Int32(_SC_CLK_TCK)) }
  /// The size of a page of memory, in bytes.
  package static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
  /// Ends the process at once, without the clean-up of `exit`, which other threads could disturb.
  package static func exit(_ code: Int32) -> Never { _exit(code) }
}

/// The reason why a system call failed.
package enum SystemError: Error, Hashable, CustomStringConvertible {
  /// The other end of a pipe is closed.
  case closed
  /// The call failed for this reason, as the system words it.
  case failed(String)

  /// The error of an error number, by default the number of the last call.
  package static func system(_ code: Int32 = errno) -> SystemError {
    // The C library owns the text, which is copied before another call can change it.
    unsafe .failed(String(cString: strerror(code)))
  }

  /// A device cannot be used: a closed terminal, or a terminal in whose background the process is.
  package static var device: SystemError { .system(EIO) }

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

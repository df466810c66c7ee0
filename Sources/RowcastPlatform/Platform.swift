#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// The only target that knows which C library is underneath. Its interface has no C types.

/// The system calls that files, terminals and signals need, by topic.
package enum Platform {
  /// The number of times per second that the system counts the time of processes.
  package static var clockTicks: Int { sysconf(Int32(_SC_CLK_TCK)) }

  /// The size of a page of memory, in bytes.
  package static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }

  /// Ends the process at once, without the clean-up that another thread might be in the middle of.
  package static func exit(_ code: Int32) -> Never { _exit(code) }
}

/// Why a system call failed.
package enum SystemError: Error, Hashable {
  /// The other end of a pipe is closed.
  case closed
  /// The call failed; the text is the system's.
  case failed(String)
}

extension SystemError {
  /// The error with a number: that of the last call by default.
  static func system(_ code: Int32 = errno) -> SystemError {
    // The C library owns the text, which is copied before any other call.
    unsafe .failed(String(cString: strerror(code)))
  }

  /// Throws the error of the last call, unless that says that there is no such file.
  static func throwUnlessMissing<Value>() throws(SystemError) -> Value? {
    let code = errno
    guard code == ENOENT || code == ENOTDIR else { throw .system(code) }
    return nil
  }
}

extension SystemError: CustomStringConvertible {
  /// What is wrong, in the system's words.
  package var description: String {
    switch self {
    case .closed: "the other end of the output is closed"
    case .failed(let reason): reason
    }
  }
}

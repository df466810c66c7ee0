import RowcastPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The calls of the C library that a connection needs beside those for files.
enum Sockets {
  /// Begins to listen at 127.0.0.1, where only programs on this machine reach it; 0 is any free port. `nil` if another
  /// program has the port.
  static func beginListening(port: UInt16) throws(SystemError) -> (descriptor: Int32, port: UInt16)? {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw .system() }
    setUp(descriptor)
    // A server that starts again need not wait until the connections of the one before are forgotten.
    var yes: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The calls read and fill the address, which is as long as they are told.
    let result = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard unsafe bind(descriptor, pointer, size) == 0, listen(descriptor, 64) == 0 else { return errno }
        return unsafe getsockname(descriptor, pointer, &size) == 0 ? 0 : errno
      }
    }
    if result == 0 { return (descriptor, UInt16(bigEndian: address.sin_port)) }
    Platform.close(descriptor)
    if result == EADDRINUSE { return nil }
    throw .system(result)
  }

  /// The next connection that waits; `nil` if there is none.
  static func nextConnection(of listener: Int32) throws(SystemError) -> Int32? {
    let descriptor = accept(listener, nil, nil)
    if descriptor >= 0 {
      setUp(descriptor)
      return descriptor
    }
    switch errno {
    case EAGAIN, EINTR, ECONNABORTED: return nil
    default: throw .system()
    }
  }

  /// Says that nothing more is sent.
  static func endOutput(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// No call waits, and no other program that is started has the socket.
  private static func setUp(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }
}

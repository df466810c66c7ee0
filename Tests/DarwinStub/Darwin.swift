// swift-format-ignore-file: AlwaysUseLowerCamelCase
// What the Swift overlay of Darwin adds to its C library, as far as RowcastPlatform uses it. Compiled for type checks only.

@_exported import CDarwin

/// The error of the last call.
public var errno: Int32 {
  get { 0 }
  set {}
}

/// A handler of a signal.
public typealias sig_t = @convention(c) (Int32) -> Void

/// The default action of a signal.
public var SIG_DFL: sig_t? { nil }

/// A signal that is ignored.
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }

/// The bits of a mode that tell the kind of a file.
public var S_IFMT: mode_t { 0o170000 }

/// A regular file.
public var S_IFREG: mode_t { 0o100000 }

/// A pipe.
public var S_IFIFO: mode_t { 0o010000 }

/// A directory.
public var S_IFDIR: mode_t { 0o040000 }

/// A symbolic link.
public var S_IFLNK: mode_t { 0o120000 }

/// The request for the size of a terminal.
public var TIOCGWINSZ: UInt { 0x4008_7468 }

/// Opens a file.
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { -1 }

/// Changes a file descriptor.
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { -1 }

/// Makes a request to a device.
public func ioctl(_ fd: CInt, _ request: UInt, _ value: UnsafeMutableRawPointer) -> CInt { -1 }

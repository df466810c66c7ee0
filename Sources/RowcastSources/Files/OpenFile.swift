#if canImport(RowcastPlatform)
  import RowcastPlatform

  /// A file descriptor that is closed when nobody uses it any more.
  final class OpenFile: Sendable {
    let descriptor: Int32

    /// Takes over an open file descriptor.
    init(descriptor: Int32) {
      self.descriptor = descriptor
    }

    deinit {
      Platform.close(descriptor)
    }
  }
#endif

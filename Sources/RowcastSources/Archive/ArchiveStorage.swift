/// A file that an archive writes. Calls are made one after another.
///
/// Each leaves a file to which its path leads, with the archive's own lock beside it, or throws ``ArchiveError/replaced(path:)``.
protocol ArchiveStorage: Sendable {
  /// Writes bytes at an offset of the file, which ends with them. If they cannot all be written, none is there.
  func append(_ bytes: [UInt8], at size: Int) async throws(ArchiveError)

  /// Waits until the device has what was written.
  func synchronize() async throws(ArchiveError)

  /// Replaces the file by another that has some of its bytes, and more after them. If that fails, the file is as it was. Nothing
  /// else that is at the path is replaced.
  func replace(keeping range: Range<Int>, appending bytes: [UInt8]) async throws(ArchiveError)

  /// Looks where the file is. With `orNothing`, there may be nothing at its path.
  func verify(orNothing: Bool) async throws(ArchiveError)

  /// True if the lock was found to be missing, or another's. Nothing is written any more then.
  var isUnlocked: Bool { get async }

  /// Gives the file free for others.
  func close() async
}

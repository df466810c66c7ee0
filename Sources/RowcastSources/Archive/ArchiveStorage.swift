/// A file that an archive writes. Calls come one after another.
protocol ArchiveStorage: Sendable {
  /// Writes bytes at the end of the file, which has this size. If they cannot all be written, none is there.
  func append(_ bytes: [UInt8], at size: Int) async throws(ArchiveError)

  /// Waits until the device has what was written.
  func synchronize() async throws(ArchiveError)

  /// Replaces the file by another that has some of its bytes, and more behind them. If that fails, the file is as it was.
  func replace(keeping range: Range<Int>, appending bytes: [UInt8]) async throws(ArchiveError)

  /// Gives the file free for others.
  func close() async
}

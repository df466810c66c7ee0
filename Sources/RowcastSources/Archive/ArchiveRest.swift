/// What was left out of a damaged file.
public struct ArchiveRest: Sendable {
  /// The number of lines: damaged ones, and those after them that have nothing to follow.
  public let lines: Int
  /// The number of their bytes, line ends included.
  public let bytes: Int
  /// The path of the file that keeps them. The archive does not read, change or delete it.
  public let path: String
}

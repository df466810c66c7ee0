/// The reason why a list could not be read from its file, or written to it. The file is as it was.
public enum ArchiveError: Error, Hashable {
  /// Another archive writes the file: one of the process with that number, if it is known.
  case inUse(process: Int?)
  /// The system refused to open, read, write or rename the file, for this reason: the disk is full, the file is read-only.
  case failed(reason: String)
  /// A line, by its number from 1, is not as it was written.
  case damaged(line: Int)
  /// A line, by its number from 1, is as it was written, but not of this list: it has another version, rows of another type, or
  /// does not follow the line before it.
  case unreadable(line: Int, reason: String)
  /// The file has the list with another epoch than the one that was asked for.
  case otherList(epoch: String)
  /// A message of the list could not be encoded as one line with a JSON object.
  case unencodable(reason: String)
}

extension ArchiveError: CustomStringConvertible {
  /// The problem, with the values.
  public var description: String {
    switch self {
    case .inUse(let process): "the file is in use" + (process.map { " by process \($0)" } ?? "")
    case .failed(let reason): reason
    case .damaged(let line): "line \(line) is damaged"
    case .unreadable(let line, let reason): "line \(line): \(reason)"
    case .otherList(let epoch): "the file has another list, \(epoch)"
    case .unencodable(let reason): "the list cannot be encoded: \(reason)"
    }
  }
}

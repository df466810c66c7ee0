/// The reason why a list could not be read from its file, or written to it. The file is as it was.
public indirect enum ArchiveError: Error, Hashable {
  /// Another archive writes the file at a path: one of the process with that number, if it is known.
  case inUse(path: String, process: Int?)
  /// The file at a path cannot be opened, read, written or renamed, for this reason, which names the path: the disk is full, the
  /// file is read-only, or has several names.
  case failed(reason: String)
  /// The path does not lead to the file any more, which was moved, deleted or replaced. What others put at the path is left
  /// alone; if nothing is there, the next attempt writes the whole list. If it is the path of the lock, another archive may write
  /// the file, and nothing more is written.
  case replaced(path: String)
  /// A line of the file at a path, by its number from 1, is not as it was written.
  case damaged(path: String, line: Int)
  /// A line of the file at a path, by its number from 1, is as it was written, but not of this list: it has another version, rows
  /// of another type, or does not follow the line before it.
  case unreadable(path: String, line: Int, reason: String)
  /// A message of the list could not be encoded as one line with a JSON object.
  case unencodable(reason: String)
}

extension ArchiveError: CustomStringConvertible {
  /// The problem, with the values, and what can be done.
  public var description: String {
    switch self {
    case .inUse(let path, let process):
      "\(path): the file is in use\(process.map { " by process \($0)" } ?? ""); close that archive, or take another path"
    case .failed(let reason): reason
    case .replaced(let path):
      "\(path): the file was moved, deleted or replaced; bring it back, or take away what is in its place"
    case .damaged(let path, let line):
      "\(path): line \(line) is damaged; `recovering` opens the file without it, and keeps it in another one"
    case .unreadable(let path, let line, let reason):
      "\(path): line \(line): \(reason); open the file with the app that wrote it"
    case .unencodable(let reason): "the list cannot be encoded: \(reason)"
    }
  }
}

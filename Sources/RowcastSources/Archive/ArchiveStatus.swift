public import RowcastModel

/// The status of the file of a list.
public enum ArchiveStatus: Hashable, Sendable {
  /// The list up to this position is saved; newer revisions are being written.
  case saved(ListPosition)
  /// The list could not be written. Another attempt follows with its next change, and every second.
  case failing(ArchiveError)
  /// The file is closed, and has all of the list. It is the last status.
  case closed
  /// The file is closed. Unsaved revisions are lost. It is the last status.
  case failed(ArchiveError)

  /// The reason why the newest list is not in the file.
  var error: ArchiveError? {
    switch self {
    case .failing(let error), .failed(let error): error
    case .saved, .closed: nil
    }
  }
}

extension ArchiveStatus: CustomStringConvertible {
  /// The status in words, and the error if there is one; not neutralised.
  public var description: String {
    switch self {
    case .saved(let position): "saved up to \(position)"
    case .failing(let error): "retrying: \(error)"
    case .closed: "closed"
    case .failed(let error): "failed: \(error)"
    }
  }
}

/// The damaged part of a file, which an archive that recovers it leaves out.
public struct ArchiveRest: Sendable {
  /// The number of lines: damaged lines, and lines after them that depend on these.
  public let lines: Int
  /// The number of their bytes, line ends included.
  public let bytes: Int
  /// The path of the file that keeps them. The archive does not read, change or delete it.
  public let path: String
}

/// The time at which a revision counts as saved: ``ListArchive`` then shows it to mirrors, and no end of the process loses it.
public enum ArchiveDurability: Hashable, Sendable {
  /// Once the system has its line: within microseconds, usually. A process that crashes or is killed loses nothing that is
  /// saved; a machine that loses power may lose the latest seconds, and damage the end of the file.
  case written
  /// Once it is on disk: it survives a power loss. Lines are written at once; the device is waited for at most once in this time,
  /// which costs some milliseconds. `.zero` saves each line as soon as the device can.
  case synced(every: Duration)
}

/// The reason why a list could not be read from its file, or written to it. The file is as it was.
public indirect enum ArchiveError: Error, Hashable {
  /// Another archive writes the file at a path, in the process with this number, if it is known.
  case inUse(path: String, process: Int?)
  /// The file at a path cannot be opened, read, written or renamed, for this reason, which names the path: the disk is full, the
  /// file is read-only, or has several names.
  case failed(reason: String)
  /// The path does not lead to the file any more, which was moved, deleted or replaced, or a link in the path leads elsewhere. A
  /// foreign file at the path is left alone; if there is no file, and no link is missing, the next attempt writes the whole list.
  /// If it is the path of the lock, another archive may write the file, and nothing more is written.
  case replaced(path: String)
  /// A line of the file at a path, by its number from 1, differs from what was written.
  case damaged(path: String, line: Int)
  /// A line of the file at a path, by its number from 1, is undamaged, but does not belong to this list: it has another version,
  /// rows of another type, or does not follow the line before it.
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
      "\(path): the file was moved, deleted or replaced, or a link leads elsewhere; bring it back, have the link lead to it, or take "
        + "away what is in its place"
    case .damaged(let path, let line):
      "\(path): line \(line) is damaged; `recovering` opens the file without it, and keeps it in another one, if another line "
        + "has a whole list; if none has, move the file away"
    case .unreadable(let path, let line, let reason):
      "\(path): line \(line): \(reason); open the file with the app that wrote it, with `recovering` if a line was lost or copied, "
        + "or move it away"
    case .unencodable(let reason):
      "the list cannot be encoded: \(reason); change that value, or give the archive an encoder that takes it"
    }
  }
}

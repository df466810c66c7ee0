public import RowcastModel

/// The status of the file of a list.
public enum ArchiveStatus: Hashable, Sendable {
  /// The list up to this position is saved; what is newer is being written.
  case saved(ListPosition)
  /// The list could not be written. Another attempt follows with its next change, and every second.
  case failing(ArchiveError)
  /// The file is closed, and has all of the list. It is the last status.
  case closed
  /// The file is closed. What was not saved is lost. It is the last status.
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
  /// The number of lines: damaged ones, and those after them that have nothing to follow.
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

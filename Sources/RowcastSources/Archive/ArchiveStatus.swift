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

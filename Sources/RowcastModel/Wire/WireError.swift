/// Why a message cannot be folded onto a list. The list is as it was.
public enum WireError: Error, Hashable {
  /// The stream does not start with the whole list.
  case missingInitial
  /// The message starts from another revision than the list has.
  case wrongRevision(list: Int, messageStartsAt: Int)
  /// An operation names a row or a section outside the list.
  case outOfRange(operation: String, position: String)
  /// An operation takes out one row or section twice, or an update changes an id.
  case contradiction(String)
}

extension WireError: CustomStringConvertible {
  /// What is wrong, with the values.
  public var description: String {
    switch self {
    case .missingInitial:
      "the stream does not start with an \"initial\" message; record it from its beginning"
    case .wrongRevision(let list, let start):
      "the message starts at revision \(start), but the list is at revision \(list): messages are missing or reordered"
    case .outOfRange(let operation, let position):
      "\(operation) \(position) is out of range"
    case .contradiction(let text):
      text
    }
  }
}

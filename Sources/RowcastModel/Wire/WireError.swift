/// The reason why a message cannot be written, or cannot be applied to a list. The list is as it was.
public indirect enum WireError: Error, Hashable {
  /// The stream does not start with the whole list.
  case missingInitial
  /// The stream stopped without the line that ends the list.
  case missingEnd
  /// The message starts from another revision than the list has.
  case wrongRevision(list: Int, messageStartsAt: Int)
  /// The message belongs to another list, or to another run of this one.
  case otherEpoch(list: String, message: String)
  /// The message leads to a revision that does not follow the one where it starts, or the revision of the list.
  case fallingRevision(from: Int, to: Int)
  /// The list has ended with an earlier message.
  case ended(revision: Int)
  /// A message before this one was refused, so that this one does not fit the list. A whole list helps,
  /// if it is later than the list.
  case stopped(at: ListPosition, by: WireError)
  /// The message of one list in a line of a space, named by its field, was refused: none of the lists has changed.
  case refusedLine(list: String, WireError)
  /// The operations break a rule of strict tables.
  case refused(BatchError)
  /// The message contradicts the list or itself, in words: an id that the list has already, an update that changes an id, a
  /// revision below 0 or above 2⁵³ − 1, an epoch of more than 64 bytes.
  case contradiction(String)
  /// The content of a section is not written as an object, so its fields cannot be beside the section's id.
  case contentIsNoObject(type: String)
  /// The content of a section has a field whose name the wire form needs for itself.
  case reservedField(String, type: String)

  /// The message has a revision below 0.
  package static func negativeRevision(_ revision: Int) -> WireError {
    .contradiction("the message has the revision \(revision); revisions begin with 0")
  }

  /// The message has a revision that no list reaches.
  package static func hugeRevision(_ revision: Int) -> WireError {
    .contradiction("the message has the revision \(revision); the largest revision is 2^53 - 1")
  }

  /// The epoch is longer than a message has room for.
  package static func longEpoch(_ epoch: String) -> WireError {
    .contradiction(
      "the epoch has \(epoch.utf8.count) bytes; \(ListPosition.longestEpoch) are enough: \(epoch.prefix(80))")
  }

  /// The error of a message, from the error of its changes.
  @usableFromInline
  init<SectionID, RowID>(_ error: ListError<SectionID, RowID>) {
    self = if case .refused(let error) = error { .refused(error) } else { .contradiction(error.description) }
  }
}

extension WireError: CustomStringConvertible {
  /// The problem, with the values.
  public var description: String {
    switch self {
    case .missingInitial:
      "the stream does not start with an \"initial\" message; record it from its beginning"
    case .missingEnd:
      "the stream stopped, and the list has not ended: the connection was closed"
    case .wrongRevision(let list, let start):
      "the message starts at revision \(start), but the list is at revision \(list): messages are missing or reordered"
    case .otherEpoch(let list, let message):
      "the message is of the list \"\(message)\", but this is the list \"\(list)\"; start with its \"initial\" message"
    case .fallingRevision(let from, let to):
      "the message leads from revision \(from) to \(to); revisions only grow"
    case .ended(let revision):
      "the list ended at revision \(revision); no message can follow"
    case .stopped(let position, let error):
      "the list stopped before \(position), whose message caused this error: \(error); begin again with a whole list"
    case .refusedLine(let list, let error):
      "the line does not fit \(list): \(error)"
    case .refused(let error):
      "\(error.rule.rawValue): \(error.message)"
    case .contradiction(let text):
      text
    case .contentIsNoObject(let type):
      "\(type) is not written as an object; the content of a section on the wire must have named fields"
    case .reservedField(let name, let type):
      "\(type) has a field \"\(name)\", which the wire form needs for itself; give the field another coding key"
    }
  }
}

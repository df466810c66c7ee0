/// The state of a mirror of a list.
public enum MirrorState: Hashable, Sendable {
  /// The mirror misses something, and keeps the list that it has.
  case waiting(for: MirrorNeed)
  /// The mirror is up to date with the newest message.
  case following(ListPosition)
  /// The list has ended, and the mirror has its last state.
  case ended(ListPosition)
}

/// What a mirror needs to continue.
public enum MirrorNeed: Hashable, Sendable {
  /// The whole list: an `initial` message.
  case wholeList
  /// The changes since a position, or the whole list.
  case changes(since: ListPosition)
}

extension MirrorState: CustomStringConvertible {
  /// The state in words.
  public var description: String {
    switch self {
    case .waiting(let need): "waiting for \(need)"
    case .following(let position): "following, at \(position)"
    case .ended(let position): "ended at \(position)"
    }
  }
}

extension MirrorNeed: CustomStringConvertible {
  /// The need in words.
  public var description: String {
    switch self {
    case .wholeList: "the whole list"
    case .changes(let position): "the changes since \(position)"
    }
  }
}

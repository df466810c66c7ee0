/// The reason why a page was not requested.
public enum PagingError: Error, Hashable {
  /// The `load` of a ``Paging`` waited for a page of the same one, which would have waited for that load.
  case requestedByItsOwnLoad
}

extension PagingError: CustomStringConvertible {
  /// Describes the problem, and what to write instead.
  public var description: String {
    switch self {
    case .requestedByItsOwnLoad:
      "`load` waits for a page of its own paging, which waits for this load; request it in a task that `load` does not await"
    }
  }
}

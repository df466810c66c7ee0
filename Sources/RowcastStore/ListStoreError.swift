/// Why a store refused a transaction as a whole.
public enum ListStoreError: Error, Hashable {
  /// The store was finished; its list does not change any more.
  case finished
}

extension ListStoreError: CustomStringConvertible {
  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .finished: "the store is finished: its list cannot change any more; edit before calling finish()"
    }
  }
}

/// The reason for which a store, or a space, refused a transaction as a whole.
public enum ListStoreError: Error, Hashable {
  /// The store was finished; its list does not change any more.
  case finished
  /// The store, named by its epoch, is not one of the space that it was to be edited in.
  case foreignStore(epoch: String)
  /// The store, named by its epoch, was given twice to one transaction.
  case repeatedStore(epoch: String)
}

extension ListStoreError: CustomStringConvertible {
  /// The mistake, and its remedy.
  public var description: String {
    switch self {
    case .finished: "the store is finished: its list cannot change any more; edit before calling finish()"
    case .foreignStore(let epoch): "the store \(epoch) is not of this space; make it with the store(of:) of this space"
    case .repeatedStore(let epoch): "the store \(epoch) is listed twice in the transaction; list each store once"
    }
  }
}

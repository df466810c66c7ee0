public import RowcastModel
public import RowcastStore

// The internals of a store for tests of other rooms: that nothing is left behind, and what a file kept.

extension ListStore {
  /// The number of tasks that wait for the next change, including tasks whose wait is over and that have not run yet.
  public var waiterCount: Int { get async { await core.waiterCount } }

  /// The oldest revision from which a subscriber can resume.
  public var oldestRevision: Int { get async { await core.oldestRevision } }

  /// The runs in which the list was written, each with the revision at which it began.
  public var lineage: Lineage { get async { await core.state.lineage } }

  /// True if a subscriber that resumes from a position gets the difference.
  public func keeps(_ position: ListPosition) async -> Bool { await core.state(at: position) != nil }
}

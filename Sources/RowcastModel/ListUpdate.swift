public import RowcastDiff

/// What a subscriber of a list gets: the difference since what it saw last, and the list that it leads to.
public struct ListUpdate<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// Which list this is, as in a ``ListPosition``; empty if nothing says so.
  public var epoch: String
  /// The revision of the list after the update.
  public var revision: Int
  /// The revision that the update starts from: that of the update before it in the same stream.
  ///
  /// `nil` for the first update of a stream, which is the whole list.
  public var previous: Int?
  /// What changed since ``previous``. The first update starts from the empty list.
  public var changes: ListChanges
  /// The list after the update.
  public var snapshot: ListSnapshot<Section, Row>

  /// Creates an update.
  public init(
    revision: Int, previous: Int?, changes: ListChanges, snapshot: ListSnapshot<Section, Row>, epoch: String = ""
  ) {
    self.epoch = epoch
    self.revision = revision
    self.previous = previous
    self.changes = changes
    self.snapshot = snapshot
  }

  /// The first update of a stream: the whole list.
  public init(initial snapshot: ListSnapshot<Section, Row>, revision: Int, epoch: String = "") {
    self.init(
      revision: revision, previous: nil, changes: ListSnapshot().changes(to: snapshot), snapshot: snapshot, epoch: epoch
    )
  }

  /// Where the list is after the update.
  public var position: ListPosition { ListPosition(epoch: epoch, revision: revision) }

  /// Whether the changes start from the list at a position.
  package func follows(_ position: ListPosition?) -> Bool {
    // Without an epoch nothing says that the list at that revision is the same one.
    guard let previous, !epoch.isEmpty else { return false }
    return position == ListPosition(epoch: epoch, revision: previous)
  }
}

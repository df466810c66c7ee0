public import RowcastDiff

/// An update for a subscriber of a list: the difference since its last one, and the list that it leads to.
public struct ListUpdate<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// The identity of the list, as in a ``ListPosition``; empty if it is unknown.
  public var epoch: String
  /// The revision of the list after the update.
  public var revision: Int
  /// The revision that the update starts from: that of the update before it in the same stream.
  ///
  /// `nil` for the first update of a stream, which is the whole list.
  public var previous: Int?
  /// The changes since ``previous``. The first update starts from the empty list.
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

  /// The position of the list after the update.
  public var position: ListPosition { ListPosition(epoch: epoch, revision: revision) }

  /// Returns `true` if the changes start from the list at a position.
  package func follows(_ position: ListPosition?) -> Bool {
    // Without an epoch, the list at that revision may be another one.
    guard let previous, !epoch.isEmpty else { return false }
    return position == ListPosition(epoch: epoch, revision: previous)
  }
}

public import RowcastDiff

/// What a subscriber of a list gets: the difference since what it saw last, and the list that it leads to.
public struct ListUpdate<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
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
  public init(revision: Int, previous: Int?, changes: ListChanges, snapshot: ListSnapshot<Section, Row>) {
    self.revision = revision
    self.previous = previous
    self.changes = changes
    self.snapshot = snapshot
  }

  /// The first update of a stream: the whole list.
  public init(initial snapshot: ListSnapshot<Section, Row>, revision: Int) {
    self.init(revision: revision, previous: nil, changes: ListSnapshot().changes(to: snapshot), snapshot: snapshot)
  }
}

public import RowcastDiff

/// An update for a subscriber of a list: the difference since its last one, and the list after it.
public struct ListUpdate<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// The run of the list after the update, as in a ``ListPosition``; empty if it is unknown.
  public var epoch: String
  /// The run of the list at ``previous``, if it is another one than ``epoch``.
  public var previousEpoch: String?
  /// The runs of the list up to this one; empty if they are unknown.
  @usableFromInline package var lineage: Lineage
  /// The revision of the list after the update.
  public var revision: Int
  /// The revision that the update starts from: the revision of the update before it in the same stream.
  ///
  /// `nil` for the first update of a stream, which is the whole list.
  public var previous: Int?
  /// The changes since ``previous``. The first update starts from the empty list.
  public var changes: ListChanges
  /// The list after the update.
  public var snapshot: ListSnapshot<Section, Row>

  /// Creates an update. A `previousEpoch` that equals `epoch` is left out.
  public init(
    revision: Int, previous: Int?, changes: ListChanges, snapshot: ListSnapshot<Section, Row>, epoch: String = "",
    previousEpoch: String? = nil, lineage: Lineage = Lineage()
  ) {
    self.epoch = epoch
    self.previousEpoch = previousEpoch == epoch ? nil : previousEpoch
    self.lineage = lineage
    self.revision = revision
    self.previous = previous
    self.changes = changes
    self.snapshot = snapshot
  }

  /// The first update of a stream: the whole list.
  public init(
    initial snapshot: ListSnapshot<Section, Row>, revision: Int, epoch: String = "", lineage: Lineage = Lineage()
  ) {
    self.init(
      revision: revision, previous: nil, changes: ListSnapshot().changes(to: snapshot), snapshot: snapshot,
      epoch: epoch, lineage: lineage)
  }

  /// The position of the list after the update.
  public var position: ListPosition { ListPosition(epoch: epoch, revision: revision) }

  /// Returns true if the update starts from the list at a position: that list, at that revision. Code that applies changes itself
  /// asks this first, and starts over with ``snapshot`` if it returns false, as after an operator that drops updates:
  ///
  ///     let changes = update.follows(position) ? update.changes : shown.changes(to: update.snapshot)
  ///
  /// Where one run of a list ends and the next begins, the list is the same. Where neither side has an epoch, the revisions decide.
  ///
  /// - Parameter position: The position of the list that is shown; `nil` if there is none.
  /// - Returns: False for an update that has the whole list, ``previous`` being `nil`.
  public func follows(_ position: ListPosition?) -> Bool {
    guard let start, let position, start.revision == position.revision else { return false }
    return position.epoch == start.epoch || position.epoch == epoch
  }

  /// The position from which the update starts; `nil` if it has the whole list.
  package var start: ListPosition? { previous.map { ListPosition(epoch: previousEpoch ?? epoch, revision: $0) } }

  /// The changes from the list at a position; `nil` if it is not certain that they start there, so that they must be computed.
  package func changes(since position: ListPosition?) -> ListChanges? {
    // Without an epoch, the list at that revision may be another one.
    follows(position) && !epoch.isEmpty ? changes : nil
  }
}

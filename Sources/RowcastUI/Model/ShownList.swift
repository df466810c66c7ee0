package import RowcastDiff
public import RowcastModel

/// The list on a screen: the newest one, with the edits that a person has made on the screen.
///
/// The model of a view keeps one, as does its driver. The changes of an update start from the list of the previous update, so
/// they do not apply while an edit is shown in addition: a list with an edit is at no position from which changes start.
@usableFromInline
package struct ShownList<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// The list, with the edits.
  @usableFromInline package private(set) var snapshot: ListSnapshot<Section, Row>
  /// The position of the newest list; `nil` before the first one, and for a list without a position.
  package private(set) var position: ListPosition?
  /// True if a person has edited the list since it was received.
  package private(set) var isEdited = false
  /// The number of changes so far. Values of one screen that have the same version are the same.
  @usableFromInline package private(set) var version = 0

  /// Starts with a list that has no position.
  package init(_ snapshot: ListSnapshot<Section, Row> = .init()) { self.snapshot = snapshot }

  /// The changes of an update from the shown list; `nil` if it is not certain that they start there, so that they must be
  /// found.
  package func changes(of update: ListUpdate<Section, Row>) -> ListChanges? {
    isEdited ? nil : update.changes(since: position)
  }

  /// Returns `true` if the newest list is at a position, or at a later one of the same list. Positions without an epoch may
  /// be of different lists.
  package func hasReached(_ position: ListPosition?) -> Bool {
    guard let position, let reached = self.position, !position.epoch.isEmpty else { return false }
    return reached.epoch == position.epoch && reached.revision >= position.revision
  }

  /// Replaces the list and all edits by another list.
  package mutating func receive(_ list: ListSnapshot<Section, Row>, at position: ListPosition?) {
    (snapshot, self.position, isEdited) = (list, position, false)
    version += 1
  }

  /// Replaces the list by itself with one more edit.
  package mutating func edit(_ list: ListSnapshot<Section, Row>) {
    (snapshot, isEdited) = (list, true)
    version += 1
  }
}

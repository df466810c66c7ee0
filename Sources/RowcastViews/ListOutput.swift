public import RowcastDiff
public import RowcastModel

/// The list that an operator makes: a snapshot until it is edited, then a draft.
///
/// An index of all ids costs more than the list itself. A list that is only read and replaced never has one.
@usableFromInline
final class ListOutput<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  /// The list as it was made, until it is opened.
  @usableFromInline var built: Snapshot?
  /// The list once it was opened.
  @usableFromInline var draft = ListDraft<Section, Row>()

  @inlinable
  init() {}

  @inlinable var snapshot: Snapshot { built ?? draft.snapshot }

  /// Makes the list anew, of sections and rows with unique ids. Takes O(n) for n rows, without an index of their ids.
  @inlinable
  func rebuild(from material: [ListSection<Section, Row>]) {
    built = Snapshot(numbered: material)
    draft = ListDraft()
  }

  /// Makes a draft of the list. Takes O(n) for the n rows of a list that was made anew, otherwise O(1).
  @inlinable
  func open() {
    guard let list = built else { return }
    draft = ListDraft(list)
    built = nil
  }

  /// The path of a row, or `nil` if the list does not have it. Opens the list.
  @inlinable
  func path(ofRow id: Row.ID) -> RowPath? {
    open()
    return draft.path(ofRow: id)
  }

  /// Ends a transaction. Returns true if the list is not the same as before.
  @inlinable
  func commit(from before: Snapshot) -> Bool {
    if let built { return built != before }
    let edits = draft.editCount
    draft.commit()
    // Several edits may have undone one another.
    return edits == 1 || (edits > 1 && draft.snapshot != before)
  }
}

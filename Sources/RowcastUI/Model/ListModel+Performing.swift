public import RowcastModel
public import RowcastStore

/// Edits of SwiftUI in a list that is made of others: its rows come from a store that the app names.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ListModel {
  /// Takes over a move that the view has performed: the `onMove` of SwiftUI.
  ///
  /// - Parameters:
  ///   - source: The indexes of the rows, before the move: an `IndexSet`, or any ascending sequence.
  ///   - destination: The index *before* the move of the row in front of which they are put; the number of rows for the end.
  ///   - sectionID: The section.
  /// - Returns: The move by the ids of rows, for `ListEditor.moveRows(_:)` in the list that the rows come from.
  /// - Throws: `unknownSection`, `rowOutOfRange`; the model then shows the list as before.
  /// - Complexity: O(n) for n rows.
  public func viewDidMove(
    fromOffsets source: some Sequence<Int>, toOffset destination: Int, in sectionID: Section.ID
  ) throws -> RowMove<Section.ID, Row.ID> {
    let source = Array(source)
    var move = RowMove<Section.ID, Row.ID>([], in: sectionID, after: nil, before: nil)
    try viewDidPerform { list in
      let ids = try list.rowIDs(atOffsets: source, inSection: try list.requiredIndex(ofSection: sectionID))
      try list.moveRows(fromOffsets: source, toOffset: destination, in: sectionID)
      if let first = ids.first.flatMap({ list.path(ofRow: $0) }) { move = RowMove(ids, to: first, in: list.snapshot) }
    }
    return move
  }

  /// Takes over a deletion that the view has performed: the `onDelete` of SwiftUI.
  ///
  /// - Parameters:
  ///   - offsets: The indexes of the rows, before the deletion: an `IndexSet`, or any ascending sequence.
  ///   - sectionID: The section.
  /// - Returns: The ids of the rows, to delete in the list that they come from.
  /// - Throws: `unknownSection`, `rowOutOfRange`; the model then shows the list as before.
  /// - Complexity: O(n) for n rows.
  public func viewDidDelete(atOffsets offsets: some Sequence<Int>, in sectionID: Section.ID) throws -> [Row.ID] {
    let offsets = Array(offsets)
    var ids: [Row.ID] = []
    try viewDidPerform { list in
      ids = try list.rowIDs(atOffsets: offsets, inSection: try list.requiredIndex(ofSection: sectionID))
      try list.removeRows(atOffsets: offsets, in: sectionID)
    }
    return ids
  }

  /// Moves rows that are shown, at once and in the store that they come from.
  ///
  ///     .onMove { model.moveRows(fromOffsets: $0, toOffset: $1, in: section.id, of: notes) { failure = "\($0)" } }
  ///
  /// The store may have more rows than are shown, in other sections: `ListEditor.moveRows(_:)` says where the rows are then.
  /// The model shows the result. In a list with an order of its own, the rows return to their place.
  ///
  /// - Parameters:
  ///   - source: The indexes of the rows, before the move: an `IndexSet`, or any ascending sequence.
  ///   - destination: The index *before* the move of the row in front of which they are put; the number of rows for the end.
  ///   - sectionID: The section that is shown.
  ///   - store: The store that the rows come from, with their ids.
  ///   - onFailure: Called with the error if the rows are not moved: an error of the store, or for offsets that the list does
  ///     not have.
  /// - Returns: The task of the edit. It ends when the model shows the result.
  @discardableResult
  public func moveRows<Origin, Original: RowViewModel>(
    fromOffsets source: some Sequence<Int>, toOffset destination: Int, in sectionID: Section.ID,
    of store: ListStore<Origin, Original>, onFailure: @escaping @MainActor (any Error) -> Void
  ) -> Task<Void, Never> where Original.ID == Row.ID {
    perform(onFailure, in: store) {
      try viewDidMove(fromOffsets: source, toOffset: destination, in: sectionID)
    } edit: {
      $0.moveRows($1)
    }
  }

  /// Deletes rows that are shown, at once and in the store that they come from.
  ///
  ///     .onDelete { model.removeRows(atOffsets: $0, in: section.id, of: notes) { failure = "\($0)" } }
  ///
  /// Rows that the store no longer has are left out.
  ///
  /// - Parameters:
  ///   - offsets: The indexes of the rows, before the deletion: an `IndexSet`, or any ascending sequence.
  ///   - sectionID: The section that is shown.
  ///   - store: The store that the rows come from, with their ids.
  ///   - onFailure: Called with the error if the rows are not deleted: an error of the store, or for offsets that the list
  ///     does not have.
  /// - Returns: The task of the edit. It ends when the model shows the result.
  @discardableResult
  public func removeRows<Origin, Original: RowViewModel>(
    atOffsets offsets: some Sequence<Int>, in sectionID: Section.ID, of store: ListStore<Origin, Original>,
    onFailure: @escaping @MainActor (any Error) -> Void
  ) -> Task<Void, Never> where Original.ID == Row.ID {
    perform(onFailure, in: store) {
      try viewDidDelete(atOffsets: offsets, in: sectionID)
    } edit: { list, ids in
      for id in ids where list.path(ofRow: id) != nil { try list.remove(id) }
    }
  }

  /// Shows an edit, then makes it in a store, and shows the resulting list, as there may be no update.
  private func perform<Edit: Sendable, Origin, Original>(
    _ onFailure: @escaping @MainActor (any Error) -> Void, in store: ListStore<Origin, Original>,
    showing show: () throws -> Edit, edit: @escaping @Sendable (inout ListEditor<Origin, Original>, Edit) throws -> Void
  ) -> Task<Void, Never> {
    let shown = Result { try show() }
    return Task { [weak self] in
      do {
        let change = try shown.get()
        try await store.edit { try edit(&$0, change) }
      } catch {
        onFailure(error)
      }
      await self?.showNewest()
    }
  }
}

package import RowcastDiff
package import RowcastModel
package import RowcastStore
package import RowcastViews

/// The part of a data source that knows no view: it follows a list, and passes on what people edit.
@MainActor
package final class DataSourceCore<Section: SectionViewModel, Row: RowViewModel> {
  package typealias Move = RowMove<Section.ID, Row.ID>

  package let driver: BatchDriver<Section, Row>
  /// Deletes rows in their source; `nil` if people cannot delete.
  package var onDelete: (@MainActor ([Row.ID]) async throws -> Void)?
  /// Moves rows in their source; `nil` if people cannot move.
  package var onMove: (@MainActor (Move) async throws -> Void)?
  /// Called with the errors of both.
  package var onFailure: (@MainActor (any Error) -> Void)?
  private var follow: (() -> Task<Void, Never>)?
  private var following: Task<Void, Never>?
  /// The number of moves that the view has performed and that have no answer yet.
  private var openMoves = 0

  package init(_ driver: BatchDriver<Section, Row>) { self.driver = driver }

  deinit { following?.cancel() }

  /// Shows a list, until another one is followed or this is released.
  package func follow(_ list: some LiveList<Section, Row>) {
    follow = { [weak driver] in
      Task {
        for await update in list.updates() { driver?.apply(update) }
      }
    }
    showNewest()
  }

  /// Deletes and moves in the store that the rows come from.
  package func edit<Origin, Original: RowViewModel>(_ store: ListStore<Origin, Original>)
  where Original.ID == Row.ID {
    onDelete = { ids in
      try await store.edit { list in
        for id in ids where list.path(ofRow: id) != nil { try list.remove(id) }
      }
    }
    onMove = { move in try await store.edit { $0.moveRows(move) } }
  }

  /// The same for a list that is an outline of the store's.
  package func edit<Origin, Original: RowViewModel>(
    _ store: ListStore<Origin, Original>, parent: any WritableKeyPath<Original, Row.ID?> & Sendable,
    place: @escaping (Row) -> OutlinePlace<Row.ID>
  ) where Original.ID == Row.ID {
    onDelete = { ids in try await store.edit { try $0.removeRows(ids, withThoseUnderThemBy: parent) } }
    onMove = { [weak driver] move in
      let places = Dictionary(uniqueKeysWithValues: (driver?.snapshot ?? .init()).allRows.map { ($0.id, place($0)) })
      guard let drop = OutlineDrop(move, at: { places[$0] }) else { return }
      try await store.edit { try $0.moveRows(drop, parent: parent) }
    }
  }

  /// Deletes rows that the view still shows: an update removes them. `onRefusal` is called if they stay.
  package func delete(_ ids: [Row.ID], onRefusal: (@MainActor () -> Void)? = nil) {
    guard let onDelete, !ids.isEmpty else { return }
    Task { [onFailure] in
      do { try await onDelete(ids) } catch {
        onFailure?(error)
        onRefusal?()
      }
    }
  }

  /// Keeps rows selected when the view is reloaded: the view forgets them then, or selects others in their places.
  package func keepSelection(read: @escaping () -> [RowPath], select: @escaping ([RowPath]) -> Void) {
    driver.aroundReload = { [weak driver] reload in
      guard let driver else { return }
      let before = driver.snapshot
      let ids = Set(read().lazy.filter(before.contains).map { before.row(at: $0).id })
      reload()
      if !ids.isEmpty { select(driver.snapshot.paths(ofRows: ids)) }
    }
  }

  /// Moves rows that the view shows in their former place: an update moves them.
  package func move(_ move: Move) {
    guard let onMove else { return }
    Task { [onFailure] in
      do { try await onMove(move) } catch { onFailure?(error) }
    }
  }

  /// Takes over a move that the view has performed. When no move is open any more, the view shows the resulting list, even if
  /// it is the same.
  package func viewDidMove(from: RowPath, to: RowPath) {
    let move = Result { try driver.viewDidMove(from: from, to: to) }
    openMoves += 1
    Task { [weak self, onMove, onFailure] in
      do { try await onMove?(try move.get()) } catch { onFailure?(error) }
      guard let self else { return }
      openMoves -= 1
      // Earlier, the row of another open move would jump back.
      if openMoves == 0 { showNewest() }
    }
  }

  /// Follows the list again: the first update of a stream is the newest list.
  private func showNewest() {
    following?.cancel()
    following = follow?()
  }
}

import Rowcast

/// Takes edits of a list back, and makes them again. Each returns what there is to say.
protocol Undoing: Sendable {
  /// Goes back to what was before the last edit.
  func undo() async -> String?
  /// Goes back to what was before the last undo.
  func redo() async -> String?
}

/// Takes edits of a list back, and makes them again. Snapshots share what they have in common, so that each costs what has changed.
actor ListUndo<Section: SectionViewModel, Row: RowViewModel>: Undoing {
  private let store: ListStore<Section, Row>
  private let limit: Int
  /// The list as it was noted last, and its revision.
  private var current: (list: ListSnapshot<Section, Row>, revision: Int)?
  private var (past, future) = ([ListSnapshot<Section, Row>](), [ListSnapshot<Section, Row>]())
  /// The list that is about to be shown again, and whether it was before the present one or after it.
  private var pending: (list: ListSnapshot<Section, Row>, isBack: Bool)?

  /// The list is not the one that was noted last.
  private struct Changed: Error {}

  init(_ store: ListStore<Section, Row>, limit: Int = 1_000) {
    self.store = store
    self.limit = limit
  }

  /// Notes the list as it is, if it has changed. What was taken back is forgotten then.
  func note() async {
    // A list that is newer than its revision is looked at again with the next one.
    let revision = await store.revision
    let list = await store.snapshot
    if let current, revision <= current.revision { return }
    if let former = current?.list, former != list {
      if let pending, pending.list == list, (pending.isBack ? past : future).last == list {
        // Noted here, so that an event that follows at once finds it known.
        if pending.isBack { past.removeLast() } else { future.removeLast() }
        if pending.isBack { future.append(former) } else { past.append(former) }
        self.pending = nil
      } else {
        past.append(former)
        future = []
        if past.count > limit { past.removeFirst(limit / 2) }
      }
    }
    current = (list, revision)
  }

  func undo() async -> String? { await show(isBack: true) }

  func redo() async -> String? { await show(isBack: false) }

  private func show(isBack: Bool) async -> String? {
    while true {
      await note()
      guard let list = (isBack ? past : future).last, let current else {
        return isBack ? "nothing to undo" : "nothing to redo"
      }
      pending = (list, isBack)
      do {
        // An event that arrives meanwhile is noted first.
        try await store.edit { [former = current.list] editor in
          guard editor.snapshot == former else { throw Changed() }
          editor.replace(with: list)
        }
        await note()
        pending = nil
        return nil
      } catch is Changed {
        pending = nil
      } catch {
        pending = nil
        return "\(error)"
      }
    }
  }
}

import Rowcast

/// Takes edits of a list back, and makes them again. Snapshots share what they have in common, so that each costs what has changed.
actor ListUndo<Section: SectionViewModel, Row: RowViewModel> {
  private let store: ListStore<Section, Row>
  private let limit: Int
  /// The list as it was noted last, and its revision.
  private var current: (list: ListSnapshot<Section, Row>, revision: Int)?
  private var (past, future) = ([ListSnapshot<Section, Row>](), [ListSnapshot<Section, Row>]())

  init(_ store: ListStore<Section, Row>, limit: Int = 1_000) {
    self.store = store
    self.limit = limit
  }

  /// Notes the list as it is, if it has changed. What was taken back is forgotten then.
  func note() async {
    let (list, revision) = await (store.snapshot, store.revision)
    guard revision != current?.revision else { return }
    if let current, current.list != list {
      past.append(current.list)
      future = []
      if past.count > limit { past.removeFirst(limit / 2) }
    }
    current = (list, revision)
  }

  /// Goes back to the list before the last edit. Returns what there is to say.
  func undo() async -> String? {
    await note()
    guard let list = past.popLast() else { return "nothing to undo" }
    if let current { future.append(current.list) }
    return await show(list)
  }

  /// Goes back to the list before the last undo.
  func redo() async -> String? {
    await note()
    guard let list = future.popLast() else { return "nothing to redo" }
    if let current { past.append(current.list) }
    return await show(list)
  }

  private func show(_ list: ListSnapshot<Section, Row>) async -> String? {
    do { try await store.replace(with: list) } catch { return "\(error)" }
    current = (list, await store.revision)
    return nil
  }
}

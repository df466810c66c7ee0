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
    if let current, current.list != list {
      past.append(current.list)
      future = []
      if past.count > limit { past.removeFirst(limit / 2) }
    }
    current = (list, revision)
  }

  func undo() async -> String? {
    await note()
    guard let list = past.popLast() else { return "nothing to undo" }
    if let current { future.append(current.list) }
    return await show(list)
  }

  func redo() async -> String? {
    await note()
    guard let list = future.popLast() else { return "nothing to redo" }
    if let current { past.append(current.list) }
    return await show(list)
  }

  private func show(_ list: ListSnapshot<Section, Row>) async -> String? {
    // Whoever notes the list before this goes on is to find it known.
    let former = current
    current?.list = list
    do { try await store.replace(with: list) } catch {
      current = former
      return "\(error)"
    }
    await note()
    return nil
  }
}

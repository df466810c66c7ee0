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
  private var turns = Turns()

  /// The list is not the one that was noted last.
  private struct Changed: Error {}

  init(_ store: ListStore<Section, Row>, limit: Int = 1_000) {
    self.store = store
    self.limit = limit
  }

  /// Notes the list as it is, if it has changed. What was taken back is forgotten then.
  func note() async { await inTurn { await $0.look() } }

  func undo() async -> String? { await inTurn { await $0.show(isBack: true) } }

  func redo() async -> String? { await inTurn { await $0.show(isBack: false) } }

  private func inTurn<Result: Sendable>(_ body: @escaping @Sendable (ListUndo) async -> Result) async -> Result {
    await turns.add { await body(self) }.value
  }

  private func look() async {
    // A list that is newer than its revision is looked at again with the next one.
    let revision = await store.revision
    let list = await store.snapshot
    if let current, revision <= current.revision { return }
    if let former = current?.list, former != list {
      past.append(former)
      future = []
      if past.count > limit { past.removeFirst(limit / 2) }
    }
    current = (list, revision)
  }

  private func show(isBack: Bool) async -> String? {
    while true {
      await look()
      guard let list = (isBack ? past : future).last, let (former, revision) = current else {
        return isBack ? "nothing to undo" : "nothing to redo"
      }
      do {
        try await store.edit { editor in
          guard editor.snapshot == former else { throw Changed() }
          editor.replace(with: list)
        }
      } catch is Changed {
        // An event has arrived, which is noted first.
        continue
      } catch {
        return "\(error)"
      }
      if isBack { past.removeLast() } else { future.removeLast() }
      if isBack { future.append(former) } else { past.append(former) }
      current = (list, revision)
      // An event that followed at once is a step of its own.
      await look()
      return nil
    }
  }
}

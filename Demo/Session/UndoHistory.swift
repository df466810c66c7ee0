import Rowcast
import RowcastConsole

/// The lists before the latest updates. Each shares with its neighbours what they have in common.
struct UndoHistory {
  /// The most lists that are kept.
  private static var limit: Int { 1_000 }

  private var lists: [Snapshot] = []
  /// The list that an undo goes back to, until it is shown.
  private var restored: Snapshot?

  /// Keeps the list that an update leaves behind, unless the update is an undo itself or the first one.
  mutating func remember(_ list: Snapshot, before update: Update) {
    if update.snapshot == restored || update.previous != nil { remember(list, before: update.snapshot) }
  }

  /// Keeps the list that another one follows, unless that is an undo itself.
  mutating func remember(_ list: Snapshot, before next: Snapshot) {
    if next == restored {
      restored = nil
    } else {
      lists.append(list)
      if lists.count > Self.limit { lists.removeFirst(Self.limit / 2) }
    }
  }

  /// The list before the last update that was no undo; it is forgotten here, and about to be shown.
  mutating func goBack() -> Snapshot? {
    guard let list = lists.popLast() else { return nil }
    restored = list
    return list
  }
}

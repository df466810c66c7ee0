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

/// Undo for a list that a store feeds.
actor Undo {
  private let store: Store
  private let arranges: Bool
  private var history = UndoHistory()
  /// The store's list at the last update, if the scenario shows something else.
  private var stored: Snapshot?

  init(_ store: Store, arranges: Bool) {
    self.store = store
    self.arranges = arranges
  }

  /// Keeps what an update changes.
  func remember(_ shown: Snapshot, before update: Update) async {
    guard arranges else { return history.remember(shown, before: update) }
    // What is shown is not what the store has, which is what an undo gives back.
    let list = await store.snapshot
    if let stored, stored != list { history.remember(stored, before: list) }
    stored = list
  }

  /// Gives the store back what it had. Returns what there is to say.
  func goBack() async -> String? {
    guard let list = history.goBack() else { return "nothing to undo" }
    do { try await store.replace(with: list) } catch { return "\(error)" }
    return nil
  }
}

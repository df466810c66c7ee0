import RowcastDiff
import RowcastModel

extension ListStore {
  /// Creates a store that follows another list, for readers that need what that list does not have: a history, or a pace.
  ///
  ///     let board = ListStore(following: orders.arranged(by: plan), every: .milliseconds(50), history: .last(1_000))
  ///     let lines = EncodedList(board) { try encoder.encode($0) }
  ///
  /// A derived list has no former versions: a mirror that reconnects gets the whole list. A store that follows it sends the
  /// difference. With a pace, the changes of an interval are one revision, so that all connections of an ``EncodedList`` that keep up
  /// share all of its lines, whatever their number.
  ///
  /// The store has an epoch of its own. It follows its list until it is released, also while nobody watches, and ends with it. It
  /// is empty until it has read the list. Do not edit it: the next change of the list may undo the edit.
  ///
  /// - Parameters:
  ///   - list: The list. A store is not kept alive.
  ///   - pace: The shortest interval between two revisions; not negative. It is measured after a revision, and not while nothing
  ///     changes.
  ///   - history: The former versions from which ``updates(since:)`` and ``message(since:)`` can continue.
  ///   - clock: Measures the pace, and the age of versions.
  /// - Complexity: O(k log n) for k operations of an update on n rows.
  public init<Time: Clock>(
    following list: some LiveList<Section, Row>, every pace: Duration = .zero, history: ListHistory = .none,
    clock: Time = ContinuousClock()
  ) where Time.Duration == Duration {
    require(pace >= .zero, "A store cannot follow a list every \(pace)")
    let clock = AnyClock(clock)
    self.init(
      ListState(snapshot: ListSnapshot().begun, revision: 0, lineage: Lineage(of: ListPosition.randomEpoch())),
      isContinued: true, history: history, clock: clock)
    let source = list.updatesSincePosition(nil)
    let core = core
    Task {
      await core.follow {
        while let update = await source.next() {
          guard await core.receive(update) else { return }
          if pace == .zero { continue }
          guard (try? await clock.sleep(until: clock.now + pace.asWait)) != nil else { return }
        }
        if Task.isCancelled { return }
        if await source.isEnded() { await core.finish() } else { await core.stop() }
      }
    }
  }
}

extension StoreCore {
  /// Begins to follow a list, unless the store has ended.
  fileprivate final func follow(_ body: @escaping @Sendable () async -> Void) {
    if !isFinished { following = Task { await body() } }
  }

  /// Applies an update of the list that the store follows. Returns false if the store has ended.
  fileprivate final func receive(_ update: ListUpdate<Section, Row>) -> Bool {
    if isFinished { return false }
    transact { editor in
      do { try editor.apply(update) } catch { editor.replace(with: update.snapshot) }
    }
    return true
  }
}

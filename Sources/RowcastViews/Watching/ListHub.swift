public import RowcastModel
public import RowcastStore

/// Follows a list for all that watch parts of it: makes each difference once, and wakes those whose part it concerns.
///
/// Watchers hold it. While any of them waits, a task follows the list. A watcher that reads brings the hub up to date
/// itself: the task of the hub delays only those that wait for a change. States in between are not kept.
@usableFromInline
actor ListHub<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Parts = ListParts<Section, Row>
  @usableFromInline typealias State = ListState<Section, Row>
  /// Brings parts from one state to another; made where the types are known, so that the code is specialised.
  @usableFromInline typealias Advance = @Sendable (inout Parts, _ before: State, _ after: State) -> Void

  private let publisher: any ListPublisher<Section, Row>
  private let advance: Advance
  /// The newest state that was looked at.
  private var current: State?
  /// Whether the task that follows has seen the end of the list.
  private var isFinished = false
  private(set) var parts = Parts()
  /// Waits for the next revision, while tasks wait for parts.
  private var follower: Task<Void, Never>?
  /// The number of differences that were made. For tests.
  private(set) var differenceCount = 0

  init(_ publisher: any ListPublisher<Section, Row>, advance: @escaping Advance) {
    self.publisher = publisher
    self.advance = advance
  }

  deinit { follower?.cancel() }

  /// Brings all parts up to date. Returns the newest state, and whether it is the last.
  func newest() async -> (state: State, isFinal: Bool) {
    let newest = await onSharedExecutor { [publisher] in await publisher.newest() }
    return (take(newest.state), newest.isFinal)
  }

  /// Takes in a state, unless a later one is known already. Returns the newest state.
  @discardableResult
  private func take(_ newest: State) -> State {
    if let current {
      if newest.revision <= current.revision { return current }
      differenceCount += 1
      advance(&parts, current, newest)
    }
    current = newest
    return newest
  }
}

// MARK: - Watchers

extension ListHub {
  /// Begins to keep a part up to date.
  func join<Value>(_ key: Parts.Key<Value>) {
    let part = parts[keyPath: key] ?? WatchedPart(revision: current?.revision ?? -1)
    part.watcherCount += 1
    parts[keyPath: key] = part
  }

  /// Ends what ``join(_:)`` began.
  func leave<Value>(_ key: Parts.Key<Value>) {
    guard let part = parts[keyPath: key] else { return }
    part.watcherCount -= 1
    if part.watcherCount == 0 { parts[keyPath: key] = nil }
    parts.checkInvariants()
  }

  /// The value of a part, unless it is that of a revision, with the revision that brought it; and whether it is the last.
  func change<Value>(
    of key: Parts.Key<Value>, after revision: Int
  ) async -> (value: Value?, revision: Int, isFinal: Bool) {
    let isFinal = await newest().isFinal
    guard let part = parts[keyPath: key], part.revision > revision else { return (nil, revision, isFinal) }
    return (part.value, part.revision, isFinal)
  }

  /// Adds a signal that is sent when a part changes after a revision. Returns its place, for ``removeWaiter(_:from:)``;
  /// `nil` if the part has changed already, or will not change.
  func addWaiter<Value>(_ signal: Signal, to key: Parts.Key<Value>, after revision: Int) -> WaiterList.Token? {
    guard !isFinished, let part = parts[keyPath: key], part.revision <= revision else { return nil }
    parts.waiterCount += 1
    if follower == nil { follow() }
    defer { parts.checkInvariants() }
    return part.waiters.add(signal)
  }

  /// Removes a signal, sent or not.
  func removeWaiter<Value>(_ token: WaiterList.Token, from key: Parts.Key<Value>) {
    guard let part = parts[keyPath: key] else { return }
    parts.waiterCount -= part.waiters.count
    part.waiters.remove(token)
    parts.waiterCount += part.waiters.count
    parts.checkInvariants()
    if parts.waiterCount > 0 { return }
    follower?.cancel()
    follower = nil
  }
}

// MARK: - Following

extension ListHub {
  /// Follows the list until no task waits.
  private func follow() {
    follower = Task.detached(priority: .high) { [weak self, publisher, start = current?.revision] in
      var revision = start
      while let delivery = await publisher.delivery(after: revision) {
        revision = delivery.state.revision
        guard await self?.follow(to: delivery.state) ?? false else { return }
      }
      await self?.finish()
    }
  }

  /// Takes in a state. Returns whether tasks wait for the next.
  private func follow(to state: State) -> Bool {
    if Task.isCancelled {
      replaceCancelled()
      return false
    }
    take(state)
    if parts.waiterCount == 0 { follower = nil }
    return parts.waiterCount > 0
  }

  private func finish() {
    if Task.isCancelled { return replaceCancelled() }
    isFinished = true
    parts.wakeAll()
  }

  /// Follows the list anew if the task that follows it was cancelled. One that the hub has cancelled has a successor, or needs
  /// none; but an exploration of schedules cancels any task.
  private func replaceCancelled() {
    if follower?.isCancelled == true { follow() }
  }
}

extension ListPublisher {
  /// The hub of the list, which is made if there is none.
  func findHub(_ advance: @escaping ListHub<Section, Row>.Advance) -> ListHub<Section, Row> {
    if let hub = hub as? ListHub<Section, Row> { return hub }
    let new = ListHub(self, advance: advance)
    hub = new
    return new
  }
}

public import RowcastStore

/// A value that a person changes while looking at a list: the text of a search, an order, a page, a choice.
///
///     let query = Parameter("")
///     let found = notes.arranged { $0.filter(by: query) { note, text in text.isEmpty || note.title.contains(text) } }
///     query.set("milk")
///
/// Each change gives at most one update, with the least difference. Operators before the one that reads the parameter do nothing
/// for it: a search after an order sorts nothing. The newest value counts: operators that are being made of an older one are
/// given up, but not more than 16 times in a row, so that a list whose parameter changes all the time shows something.
///
/// Several lists may read one parameter, and a list may read several. Values that change together are one parameter of a
/// structure: a new search that begins at the first page is one update then.
///
/// A list that reads a parameter ends when its source and the parameter have ended. A parameter ends with ``finish()``, or when the
/// app releases it: lists do not keep it alive, and ``Switched`` and `MergedList(of:)` no store that it names. A parameter that
/// is finished, and that the app still has, keeps that store. The function of a parameter keeps the parameters and stores that it
/// captures: call `finish()` on these. After the release of a parameter, functions get an equivalent list, not the app's object.
public final class Parameter<Value: Sendable>: Sendable {
  /// A change, and the task that waits until lists read it.
  private typealias Change = (apply: @Sendable (inout Value) -> Bool, waiter: CheckedContinuation<Void, Never>?)

  @usableFromInline let core: ParameterCore<Value>
  /// The changes that were not applied yet, in order; `nil` for the end. A change is made from any code, and from no task.
  private let changes: AsyncStream<Change?>.Continuation

  /// Creates a parameter.
  ///
  /// - Parameter value: The first value.
  public init(_ value: Value) {
    let (stream, changes) = AsyncStream<Change?>.makeStream()
    let core = ParameterCore(value)
    (self.core, self.changes) = (core, changes)
    Task.detached(priority: .high) {
      for await change in stream {
        if let change { await core.update(change.apply) } else { await core.finish() }
        change?.waiter?.resume()
      }
      await core.letGo()
    }
  }

  deinit { changes.finish() }

  /// The value that lists read.
  public var value: Value { get async { await onSharedExecutor { [core] in await core.current } } }

  /// Sets the value. Lists read it soon after, in the order of the calls. In asynchronous code, the call with this name is the one
  /// that waits.
  ///
  /// - Parameter value: The new value. After ``finish()`` it is dropped.
  public func set(_ value: Value) {
    update {
      $0 = value
      return true
    }
  }

  /// Sets the value, and returns when lists read it.
  ///
  /// At the top level of a *main.swift* the compiler takes the other call of this name, also with `await`, and warns that
  /// nothing is awaited. Call it in a function there.
  ///
  /// - Parameter value: The new value. After ``finish()`` it is dropped.
  public func set(_ value: Value) async {
    await update {
      $0 = value
      return true
    }
  }

  /// Ends the parameter: lists keep its last value. Those whose sources have ended, too, end.
  public func finish() { changes.yield(nil) }

  /// Changes the value after all changes before. `body` returns true if it has changed.
  func update(_ body: @escaping @Sendable (inout Value) -> Bool) { changes.yield((body, nil)) }

  /// Changes the value after all changes before, and returns when lists read it.
  func update(_ body: @escaping @Sendable (inout Value) -> Bool) async {
    await withCheckedContinuation { waiter in
      if case .terminated = changes.yield((body, waiter)) { waiter.resume() }
    }
  }
}

/// The value of a parameter, as lists read it.
@usableFromInline
final actor ParameterCore<Value: Sendable>: Upstream {
  /// A value, and the time during which it is the newest. Without a lifetime, operators that depend on the value are always made.
  @usableFromInline typealias Reading = (value: Value, lifetime: ValueLifetime?)

  private(set) var current: Value
  private var holder = SharedBox(())
  private var revision = 0
  private var isFinal = false
  private var waiters = WaiterList()

  @usableFromInline
  init(_ value: Value) { current = value }

  /// Changes the value. `body` returns true if it has changed.
  @usableFromInline
  func update(_ body: (inout Value) -> Bool) {
    if isFinal || !body(&current) { return }
    holder = SharedBox(())
    revision += 1
    waiters.wakeAll()
  }

  func finish() {
    if isFinal { return }
    isFinal = true
    waiters.wakeAll()
  }

  /// Ends the parameter, when the app releases it.
  func letGo() {
    finish()
    current = Self.heldByLists(current)
  }

  /// The value, in which lists are replaced by their publishers: the app keeps its stores alive, and their readers do not.
  @usableFromInline
  static func heldByLists(_ value: Value) -> Value {
    if let list = value as? any SourceList { return list.heldByLists as? Value ?? value }
    let lists = (value as? [any LiveList])?.map { ($0 as? any SourceList)?.heldByLists ?? $0 }
    return lists as? Value ?? value
  }

  @usableFromInline
  func value(after revision: Int?) -> UpstreamValue<Reading>? {
    if self.revision == revision, !isFinal { return nil }
    return ((current, ValueLifetime(holder)), self.revision, isFinal)
  }

  @usableFromInline
  func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    guard self.revision == revision, !isFinal else { return nil }
    let token = waiters.add(signal)
    return { await self.step { $0.waiters.remove(token) } }
  }
}

/// The time during which a parameter has a value. After it, operators that depend on the value need not be made any more.
@usableFromInline
struct ValueLifetime: Sendable {
  /// The parameter keeps it alive until there is another value.
  private weak var holder: SharedBox<Void>?

  init(_ holder: SharedBox<Void>) { self.holder = holder }

  /// The lifetime of the value for which the task makes operators; `nil` if they are to be made in any case.
  @TaskLocal private static var current: ValueLifetime?

  /// True if the operators that the task makes are not wanted any more. It never becomes false again.
  @usableFromInline static var isOver: Bool { current.map { $0.holder == nil } ?? false }

  /// Makes operators. Returns true if they were wanted to the end; if not, they must not be used.
  @usableFromInline
  static func run(_ lifetime: ValueLifetime?, _ body: () -> Void) -> Bool {
    $current.withValue(lifetime) {
      body()
      return !isOver
    }
  }
}

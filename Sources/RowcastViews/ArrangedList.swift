import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A list that is made of one or several others: arranged, joined, flattened, merged, switched.
///
///     let today = store.arranged { $0.filter(\.isToday).sorted(by: .descending(\.date)) }
///     for await update in today.updates() { try table.apply(update) }
///
/// After every update it equals the list recomputed from its sources. What a person changes while looking is a ``Parameter``.
///
/// All sources are followed: an order that is joined with a customer appears as soon as the customer does, and changes with it. A
/// store is read at one revision, and stores of one `ListSpace` at one moment. Stores of different spaces are read one after the
/// other: a new partner may show before an older change of the row. One revision of any source gives one update at most. The list
/// ends when all of its sources and parameters have ended.
public final class ArrangedList<Section: SectionViewModel, Row: RowViewModel>: SourceList {
  @usableFromInline let core: ViewCore<Section, Row>
  /// The parameter whose value is the arrangement, if the list has one: a `ParameterCore`, whose type has the types of the
  /// source.
  @usableFromInline let plan: (any AnyObject & Sendable)?

  @usableFromInline
  init(core: ViewCore<Section, Row>, plan: (any AnyObject & Sendable)? = nil) { (self.core, self.plan) = (core, plan) }

  /// A list that is arranged by the value of a parameter.
  ///
  /// A parameter for which the list does not wait at its end has no other reader, and is not a root: a list that reads it on
  /// several paths reads all of its sources on these paths, too. As a root of all derived lists it would make a chain of n lists
  /// take O(n²).
  @inlinable
  convenience init<SourceSection, SourceRow>(
    _ source: @escaping MakeNode<SourceSection, SourceRow>,
    by plan: ParameterCore<Arrangement<SourceSection, SourceRow, Section, Row>>, hasRows: Bool
  ) {
    self.init(
      core: ViewCore { upstreams in
        // The sources are read in the order of the operators.
        let source = source(upstreams)
        let value = upstreams.state(of: plan, roots: hasRows ? nil : [], hasRows: hasRows)
        return .switching(value, source: source, upstreams: upstreams, plan: \.self)
      }, plan: plan)
  }

  @usableFromInline var source: any ListPublisher<Section, Row> { core }

  /// The newest list.
  public var snapshot: ListSnapshot<Section, Row> { get async { await core.latest.snapshot } }

  /// The number of the newest list, which rises with each change: the revision of the source at the last change, plus the number
  /// of other values of parameters until then, and at least one more than before. With several sources, the sum of their
  /// revisions counts.
  public var revision: Int { get async { await core.latest.revision } }

  /// The failures of rows, by their ids: the error of a function that threw, or an ``ArrangementFailure`` for a row whose
  /// keys cannot be used as they are. Such a row is left out, or has a place that a rule for exceptions gives it. If a row failed
  /// in several merged lists, its error in the first list counts.
  ///
  /// - Complexity: O(f) for f failures. O(n) if rows are sorted by keys other than integers and strings.
  public var failures: [Row.ID: any Error] {
    get async { await onSharedExecutor { [core] in await core.failures() } }
  }

  /// Watches the list: the whole of it first, then its changes; see ``ListStore/updates()``.
  @inlinable
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { Subscription(to: core).stream }
}

/// Keeps a derived list, and brings it up to date when a task reads it.
///
/// No work happens between reads. A source has no reference to its readers unless one is waiting.
/// All subscribers of the list, and the lists that are made of it, share the work of the first of them.
@usableFromInline
final actor ViewCore<Section: SectionViewModel, Row: RowViewModel>: ListPublisher {
  nonisolated let makeNode: MakeNode<Section, Row>
  @usableFromInline package nonisolated let lineage = Lineage(of: ListPosition.randomEpoch())
  @usableFromInline package final var differences = DifferenceCache()
  @usableFromInline package final weak var partWatchers: (any AnyObject & Sendable)?
  /// The stores, spaces and lists of an app's own types that the list is made from before it is read.
  @usableFromInline nonisolated let roots: Set<ObjectIdentifier>
  /// Keeps later objects from getting the identities of the roots.
  private let rootObjects: [() -> AnyObject]
  /// Why a row of the source is not in this list.
  nonisolated let refusal: String
  @usableFromInline let upstreams: Upstreams
  /// The end of the chain of operators.
  @usableFromInline let node: ListNode<Section, Row>
  @usableFromInline final var current: ListState<Section, Row>?
  /// True if the list may have changed since the current one.
  @usableFromInline final var isChanged = false

  /// Creates a list. `makeNode` is kept, for lists that rebuild this one. The row with the id `explained` is looked for in
  /// everything that the list is made from.
  @usableFromInline
  init(
    _ makeNode: @escaping MakeNode<Section, Row>, refusal: String = "", explaining explained: Row.ID? = nil
  ) {
    (self.makeNode, self.refusal) = (makeNode, refusal)
    let trace = explained.map { RowTrace($0) }
    var upstreams = Upstreams(trace: trace)
    var node = makeNode(upstreams)
    // Instead of a list with contested roots, its own sources are read: they may have other roots in common.
    while !upstreams.sharedRoots.isSubset(of: upstreams.contested) {
      upstreams = Upstreams(contested: upstreams.contested.union(upstreams.sharedRoots), trace: trace)
      node = makeNode(upstreams)
    }
    (self.upstreams, self.node, roots) = (upstreams, node, upstreams.roots)
    rootObjects = upstreams.rootObjects
  }

  /// The newest list, for tasks that may prefer an executor of their own.
  nonisolated var latest: ListState<Section, Row> {
    get async { await onSharedExecutor { await self.state() } }
  }

  /// The failures of the newest list.
  final func failures() async -> [Row.ID: any Error] {
    while true {
      _ = await state()
      await upstreams.fetchFailures(on: self)
      // During the call another reader may have updated some of the nodes.
      if pull() != nil { return node.failures() }
    }
  }

  /// Says whether the list has a row, and the reason if it has not, or what is wrong with the row.
  func explanation(of id: Row.ID, in list: some LiveList<Section, Row>) async -> RowExplanation {
    var (isMade, isShown, readCount) = (false, false, 0)
    repeat {
      isMade = await state().snapshot.scanForPath(ofRow: id) != nil
      isShown = await list.snapshot.scanForPath(ofRow: id) != nil
      readCount += 1
      // A source may have changed between the two.
    } while isMade != isShown && readCount < 3
    return RowExplanation(
      id: "\(id)", isShown: isShown, reason: upstreams.trace?.reason(isMade: isMade, isShown: isShown))
  }

  /// The newest list.
  @inlinable
  final func state() async -> ListState<Section, Row> {
    while true {
      await upstreams.fetch(on: self)
      if let newest = pull() { return newest }
    }
  }

  /// Brings the list up to date with the values that were read, all at once. Returns `nil` if one of them must be read again.
  @inlinable
  final func pull() -> ListState<Section, Row>? {
    upstreams.beginPull()
    if node.pull() { isChanged = true }
    if !upstreams.notePull() { return nil }
    if let current, !isChanged { return current }
    isChanged = false
    // Revisions always rise. Usually a revision is the sum of the sources' revisions, which does not depend on how many of them a
    // slow reader has skipped.
    let revision = max(upstreams.revision, (current?.revision ?? -1) + 1)
    let newest = ListState(snapshot: node.snapshot(), revision: revision, lineage: lineage)
    current = newest
    return newest
  }
}

// MARK: - Waiting

extension ViewCore {
  @inlinable
  package final func newest() async -> (state: ListState<Section, Row>, isFinal: Bool) {
    // Other readers fetch, too, and may find the end between two reads of this one: a state is the last only if it was fetched
    // after the end was known.
    let isFinal = !upstreams.awaitsRows
    let newest = await state()
    // A final value may have added upstreams.
    return (newest, isFinal && !upstreams.awaitsRows)
  }

  @inlinable
  package final func poll(after revision: Int?, isCalled: Bool) async -> Poll<Section, Row> {
    let (newest, isLast) = await newest()
    if newest.revision != revision { return .ready(delivery(of: newest, to: revision)) }
    return isLast ? .ended : await makeWaiter(after: newest.revision)
  }

  /// Registers a signal for the first change of any upstream after the last pull; sends it at once if there is one already.
  @usableFromInline
  final func makeWaiter(after revision: Int) async -> Poll<Section, Row> {
    let signal = Signal()
    if let removal = await enqueue(signal, after: revision) {
      return .waiting(signal, hasSeveralPlaces: true, leave: removal)
    }
    signal.send()
    return .waiting(signal, hasSeveralPlaces: false) {}
  }
}

// MARK: - Being read

extension ViewCore {
  /// The newest list, and the roots that it is made from; `nil` if it is the one at a revision, and others may follow.
  final func value(
    after revision: Int?
  ) async -> (UpstreamValue<ListSnapshot<Section, Row>>, roots: Set<ObjectIdentifier>)? {
    let (newest, isFinal) = await newest()
    if newest.revision == revision, !isFinal { return nil }
    return ((newest.snapshot, newest.revision, isFinal), upstreams.roots)
  }

  /// See ``Upstream/enqueue(_:after:)``.
  final func enqueue(_ signal: Signal, after revision: Int) async -> WaiterRemoval? {
    // Another reader may have read values that are not in the list yet: no signal would be sent for these.
    guard current?.revision == revision, upstreams.arePulled, upstreams.awaitsRows else { return nil }
    return await upstreams.enqueue(signal, on: self)
  }
}

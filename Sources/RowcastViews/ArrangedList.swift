public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A list that is made of one or several others: arranged, joined, flattened, merged, switched.
///
///     let today = store.arranged { $0.filter(\.isToday).sorted(by: .descending(\.date)) }
///     for await update in today.updates() { try table.apply(update) }
///
/// After every update it equals the list recomputed from its sources. What a person changes while looking is a ``Parameter``.
///
/// All sources are followed: of orders that are joined with customers, each is there as soon as its customer is, and changes with it.
/// A store is read at one revision, and stores of one `ListSpace` at one moment. Stores of different spaces are read one after the
/// other: a new partner may show before an older change of the row. One revision of any source gives one update at most. The list
/// ends when all of its sources and parameters have ended.
public final class ArrangedList<Section: SectionViewModel, Row: RowViewModel>: SourceList {
  @usableFromInline let core: ViewCore<Section, Row>
  /// The parameter whose value is the arrangement, if the list has one: a `ParameterCore`, whose type has those of the source.
  @usableFromInline let plan: (any AnyObject & Sendable)?

  @usableFromInline
  init(core: ViewCore<Section, Row>, plan: (any AnyObject & Sendable)? = nil) { (self.core, self.plan) = (core, plan) }

  /// A list that is arranged by the value of a parameter.
  ///
  /// If the list does not wait for the parameter at its end, nothing else reads that, and it is no root: a list that reads it on
  /// several paths reads all of its sources on these, too. As a root of all lists that are made of it, it would make a chain of n
  /// lists take O(n²).
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
  /// of other values of parameters until then, and at least one more than before. Of several sources, the sum of their revisions
  /// counts.
  public var revision: Int { get async { await core.latest.revision } }

  /// The failures of rows, by their ids: the error of a function that threw, or an ``ArrangementFailure`` for a row whose
  /// keys cannot be used as they are. Such a row is left out, or has a place that a rule for exceptions gives it. Of a row that
  /// failed in several merged lists, the error is that of the first.
  ///
  /// - Complexity: O(f) for f failures. O(n) if rows are sorted by keys other than integers and strings.
  public var failures: [Row.ID: any Error] {
    get async { await onSharedExecutor { [core] in await core.failures() } }
  }

  /// Watches the list: the whole of it first, then its changes; see ``ListStore/updates()``.
  @inlinable
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { Subscription(to: core).stream }
}

extension LiveList {
  // The compiler tries overloads in their order: with the other one first it crashes on programs with a mistake near a call.

  /// Arranges the list as a function declares it: filters, maps, sections, sorts it, or cuts it to a window.
  ///
  ///     let open = store.arranged { $0.filter { !$0.isDone }.sorted(by: .ascending(\.title)) }
  ///
  /// When the arranged list is read, it follows the changes of its source since the last time; it is not made anew. A list
  /// that nothing watches costs nothing. One revision of the source gives one update at most. No store is kept alive.
  ///
  /// - Parameter declare: Makes the arrangement, starting with the one that leaves the list as it is.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by declare: (Arrangement<Section, Row, Section, Row>) -> Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<NewSection, NewRow> where NewRow.ID == Row.ID {
    arranged(by: declare(Arrangement()))
  }

  /// Arranges the list.
  ///
  /// - Parameter arrangement: The arrangement.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by arrangement: Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<NewSection, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(ListNode.maker(of: self), by: ParameterCore(arrangement), hasRows: false)
  }

  /// Arranges the list in a way that a person may change.
  ///
  ///     let plan = Parameter(Arrangement<Group, Item, Group, Item>().sorted(by: \.title))
  ///     let list = store.arranged(by: plan)
  ///     plan.set(.init().sorted(by: .descending(\.date)))
  ///
  /// Each arrangement gives one update with the least difference, or none if there is none. Operators that two arrangements share,
  /// because one value made both, keep their state:
  ///
  ///     let sorted = Arrangement<Group, Item, Group, Item>().sorted(by: .ascending(\.title))
  ///     plan.set(sorted.window(.rows(0..<50)))
  ///     plan.set(sorted.window(.rows(50..<100)))  // sorts nothing
  ///
  /// An arrangement whose operators are still being made is given up for the next one; not more than 16 in a row, so that a list
  /// that is arranged anew all the time shows something. Nothing of a former arrangement is kept.
  ///
  /// - Parameter plan: The arrangement. The list ends when it has ended, too: when it is finished, or the app releases it.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @inlinable
  public func arranged<NewSection, NewRow>(
    by plan: Parameter<Arrangement<Section, Row, NewSection, NewRow>>
  ) -> ArrangedList<NewSection, NewRow> where NewRow.ID == Row.ID {
    // The core: lists do not keep the parameter alive.
    ArrangedList(ListNode.maker(of: self), by: plan.core, hasRows: true)
  }

  /// Arranges the list in a way that a person may change for as long as the list has not ended.
  ///
  /// - Parameter plan: The arrangement, for which the list does not wait at its end.
  /// - Returns: The arranged list.
  @inlinable
  package func arrangedToTheEnd<NewSection, NewRow>(
    by plan: Parameter<Arrangement<Section, Row, NewSection, NewRow>>
  ) -> ArrangedList<NewSection, NewRow> where NewRow.ID == Row.ID {
    ArrangedList(ListNode.maker(of: self), by: plan.core, hasRows: false)
  }
}

extension ArrangedList {
  /// Arranges the list in another way. In a cancelled task it changes nothing.
  ///
  /// - Parameter arrangement: The new arrangement. A list that is arranged by a ``Parameter`` sets that.
  /// - Precondition: The list is arranged, and from a list of these sections and rows.
  @available(
    *, deprecated,
    message: "write list.arranged(by: Parameter(plan)), and set the parameter, in place of list.rearrange(by: plan)"
  )
  @inlinable
  public func rearrange<SourceSection, SourceRow>(
    by arrangement: Arrangement<SourceSection, SourceRow, Section, Row>
  ) async {
    guard let core = plan as? ParameterCore<Arrangement<SourceSection, SourceRow, Section, Row>> else {
      stop("\(Self.self) is rearranged as if it were arranged from \(SourceRow.self) in \(SourceSection.self)")
    }
    await onSharedExecutor {
      await core.update {
        // A cancelled task may arrive after the task that replaced it.
        if Task.isCancelled { return false }
        $0 = arrangement
        return true
      }
    }
  }

  /// Arranges the list in another way, as a function declares it. In a cancelled task it changes nothing.
  ///
  /// A list whose sections or rows are of other types than those of its source takes an arrangement as a value.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - declare: Makes the arrangement, starting with the one that leaves the list as it is. It runs on the actor of the caller,
  ///     whose state it may read.
  /// - Precondition: The list is arranged, and from a list of the same sections and rows.
  @available(
    *, deprecated,
    message: "write list.arranged(by: Parameter(plan)), and set the parameter, in place of list.rearrange { … }"
  )
  @inlinable
  public func rearrange(
    isolation: isolated (any Actor)? = #isolation,
    by declare: (Arrangement<Section, Row, Section, Row>) -> Arrangement<Section, Row, Section, Row>
  ) async {
    await rearrange(by: declare(Arrangement()))
  }
}

public import RowcastModel
public import RowcastStore

/// A list that is arranged from another one: filtered, mapped, sectioned, sorted, cut to a window.
///
///     let today = store.arranged { $0.filter(\.isToday).sorted(by: .descending(\.date)) }
///     for await update in today.updates() { try table.apply(update) }
///
/// After every update it is the same as if it had been arranged anew. It ends with its source and its parameters.
public final class ArrangedList<
  SourceSection: SectionViewModel, SourceRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: SourceList where SourceRow.ID == Row.ID {
  @usableFromInline let core: ViewCore<Section, Row>
  @usableFromInline typealias Plan = Arrangement<SourceSection, SourceRow, Section, Row>
  /// The arrangement, which ``rearrange(by:)`` sets.
  @usableFromInline let plan: ParameterCore<Plan>

  // Apart from those that make the operators: the table of a class names its designated initialisers, so all that they call would
  // be in every program.
  @usableFromInline
  init(core: ViewCore<Section, Row>, plan: ParameterCore<Plan>) { (self.core, self.plan) = (core, plan) }

  @_alwaysEmitIntoClient
  convenience init(_ source: @escaping MakeNode<SourceSection, SourceRow>, _ arrangement: Plan) {
    let plan = ParameterCore(arrangement)
    // The plan is no root: a list that reads it on several paths reads all of its sources on these, too. As a root of all lists
    // that are made of it, it would make a chain of n lists take O(n²).
    func make(first: Plan?) -> MakeNode<Section, Row> {
      {
        .switching(
          $0.state(of: plan, roots: [], hasRows: false), source: source($0), upstreams: $0, first: first, plan: \.self)
      }
    }
    self.init(core: ViewCore(make(first: nil), first: make(first: arrangement)), plan: plan)
  }

  @usableFromInline var source: any ListPublisher<Section, Row> { core }

  /// The newest list.
  public var snapshot: ListSnapshot<Section, Row> { get async { await core.latest.snapshot } }

  /// The number of the newest list, which rises with each change: the revision of the source at the last change, plus the number
  /// of other arrangements and values of parameters until then, and at least one more than before. Of several sources, the sum of
  /// their revisions counts.
  public var revision: Int { get async { await core.latest.revision } }

  /// The failures of rows, by their ids: the error of a mapping that threw, or an ``ArrangementFailure`` for a row whose
  /// keys cannot be used as they are. Such a row is left out, or has a place that a rule for exceptions gives it.
  ///
  /// - Complexity: O(f) for f failures. O(n) if rows are sorted by keys other than integers and strings.
  public var failures: [Row.ID: any Error] { get async { await core.latestFailures } }

  /// Watches the list: the whole of it first, then its changes; see ``ListStore/updates()``.
  @_alwaysEmitIntoClient
  public func updates() -> AsyncStream<ListUpdate<Section, Row>> { Subscription(to: core).stream }

  /// Arranges the list in another way. Subscribers get one update with the difference, or none if there is none.
  ///
  /// Operators that the new arrangement shares with the one before, because one value made both, keep their state:
  ///
  ///     let sorted = Arrangement<Group, Item, Group, Item>().sorted(by: .ascending(\.title))
  ///     let page = store.arranged(by: sorted.window(.rows(0..<50)))
  ///     await page.rearrange(by: sorted.window(.rows(50..<100)))  // sorts nothing
  ///
  /// An arrangement whose operators are still being made is given up for this one; not more than 16 in a row, so that a list that
  /// is arranged anew all the time shows something.
  ///
  /// Calls of several tasks may arrive in any order, and a call in a cancelled task changes nothing. For a search field, cancel
  /// the task of the text before, as SwiftUI's `task(id:)` does: the last text is then the one that counts.
  ///
  /// - Parameter arrangement: The new arrangement.
  public func rearrange(by arrangement: Arrangement<SourceSection, SourceRow, Section, Row>) async {
    await onSharedExecutor { [plan] in
      await plan.update {
        // A cancelled task may arrive after the task that replaced it.
        if Task.isCancelled { return false }
        $0 = arrangement
        return true
      }
    }
  }

  /// Arranges the list in another way, as a function declares it. In a cancelled task it changes nothing.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - declare: Makes the arrangement, starting with the one that leaves the list as it is. It runs on the actor of the caller,
  ///     whose state it may read.
  @_alwaysEmitIntoClient
  public func rearrange(
    isolation: isolated (any Actor)? = #isolation,
    by declare: (Arrangement<SourceSection, SourceRow, SourceSection, SourceRow>) ->
      Arrangement<SourceSection, SourceRow, Section, Row>
  ) async {
    await rearrange(by: declare(Arrangement()))
  }
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
  @_alwaysEmitIntoClient
  public func arranged<NewSection, NewRow>(
    by declare: (Arrangement<Section, Row, Section, Row>) -> Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<Section, Row, NewSection, NewRow> {
    arranged(by: declare(Arrangement()))
  }

  /// Arranges the list.
  ///
  /// - Parameter arrangement: The arrangement.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @_alwaysEmitIntoClient
  public func arranged<NewSection, NewRow>(
    by arrangement: Arrangement<Section, Row, NewSection, NewRow>
  ) -> ArrangedList<Section, Row, NewSection, NewRow> {
    ArrangedList(ListNode.maker(of: self), arrangement)
  }

  /// Arranges the list in a way that a person may change.
  ///
  ///     let plan = Parameter(Arrangement<Group, Item, Group, Item>().sorted(by: \.title))
  ///     let list = store.arranged(by: plan)
  ///     plan.set(.init().sorted(by: .descending(\.date)))
  ///
  /// Operators that two arrangements share, because one value made both, keep their state.
  ///
  /// - Parameter plan: The arrangement. The list ends when it has ended, too, and lets go of it when it is rearranged.
  /// - Returns: The arranged list, which can be watched and arranged in its turn.
  @_alwaysEmitIntoClient
  public func arranged<NewSection, NewRow>(
    by plan: Parameter<Arrangement<Section, Row, NewSection, NewRow>>
  ) -> ArrangedList<Section, Row, NewSection, NewRow> {
    arranged { $0.arranged(by: plan) { $1 } }
  }
}

public import RowcastDiff
import RowcastModel
public import RowcastStore

extension ArrangedList {
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

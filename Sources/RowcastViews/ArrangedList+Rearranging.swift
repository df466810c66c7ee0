public import RowcastDiff
import RowcastModel
public import RowcastStore

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

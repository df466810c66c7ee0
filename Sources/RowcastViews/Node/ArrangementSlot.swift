import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The arrangement of an arranged list, which may be changed at any time.
@usableFromInline
actor ArrangementSlot<
  SourceSection: SectionViewModel, SourceRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: Upstream where SourceRow.ID == Row.ID {
  @usableFromInline typealias Plan = Arrangement<SourceSection, SourceRow, Section, Row>
  /// An arrangement and its lifetime; without one, its operators are made in any case.
  @usableFromInline typealias Value = (plan: Plan, lifetime: ArrangementLifetime?)

  private var plan: Plan
  private var holder = ArrangementIdentity()
  private var revision = 0
  private var waiters = WaiterList()

  @usableFromInline
  init(_ plan: Plan) { self.plan = plan }

  @usableFromInline
  func set(_ plan: Plan) {
    // A cancelled task may arrive after the task that replaced it.
    if Task.isCancelled { return }
    self.plan = plan
    holder = ArrangementIdentity()
    revision += 1
    waiters.wakeAll()
  }

  @usableFromInline
  func value(after revision: Int?) -> UpstreamValue<Value>? {
    self.revision == revision ? nil : ((plan, ArrangementLifetime(holder)), self.revision, false)
  }

  @usableFromInline
  func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    guard self.revision == revision else { return nil }
    let token = waiters.add(signal)
    return { await self.removeWaiter(token) }
  }

  private func removeWaiter(_ token: WaiterList.Token) { waiters.remove(token) }
}

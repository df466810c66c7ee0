import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The arrangement of an arranged list, which may be changed at any time.
@usableFromInline
actor ArrangementSlot<
  SourceSection: SectionViewModel, SourceRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: Upstream where SourceRow.ID == Row.ID {
  @usableFromInline typealias Plan = Arrangement<SourceSection, SourceRow, Section, Row>
  /// An arrangement, and until when it is that of the list; without that, until it is made.
  @usableFromInline typealias Value = (plan: Plan, tenure: Tenure?)

  @usableFromInline static var hasRows: Bool { false }

  private final var plan: Plan
  private final var holder = Tenure.Holder()
  @usableFromInline private(set) final var revision = 0
  private final var waiters = WaiterList()

  @usableFromInline
  init(_ plan: Plan) { self.plan = plan }

  @usableFromInline
  final func set(_ plan: Plan) {
    self.plan = plan
    holder = Tenure.Holder()
    revision += 1
    waiters.wakeAll()
    assert(waiters.isEmpty, "\(waiters.count) tasks wait for arrangement \(revision), which is here")
  }

  @usableFromInline
  final func value(after revision: Int?) -> UpstreamValue<Value>? {
    self.revision == revision ? nil : ((plan, Tenure(holder)), self.revision, false)
  }

  @usableFromInline
  final func addWaiter(_ signal: Signal, after revision: Int) -> WaiterList.Token? {
    self.revision == revision ? waiters.add(signal) : nil
  }

  @usableFromInline
  final func removeWaiter(_ token: WaiterList.Token) { waiters.remove(token) }
}

import RowcastDiff
public import RowcastModel
public import RowcastStore

/// The arrangement of an arranged list, which may be changed at any time.
@usableFromInline
actor ArrangementSlot<
  SourceSection: SectionViewModel, SourceRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: Upstream where SourceRow.ID == Row.ID {
  @usableFromInline typealias Value = Arrangement<SourceSection, SourceRow, Section, Row>

  @usableFromInline static var hasRows: Bool { false }

  @usableFromInline private(set) final var value: Value
  @usableFromInline private(set) final var revision = 0
  private final var waiters = WaiterList()

  @usableFromInline
  init(_ value: Value) { self.value = value }

  @usableFromInline
  final func set(_ value: Value) {
    self.value = value
    revision += 1
    waiters.wakeAll()
    assert(waiters.isEmpty, "\(waiters.count) tasks wait for arrangement \(revision), which is here")
  }

  @inlinable
  final func value(after revision: Int?) -> UpstreamValue<Value>? {
    self.revision == revision ? nil : (value, self.revision, false)
  }

  @usableFromInline
  final func addWaiter(_ signal: Signal, after revision: Int) -> WaiterList.Token? {
    self.revision == revision ? waiters.add(signal) : nil
  }

  @usableFromInline
  final func removeWaiter(_ token: WaiterList.Token) { waiters.remove(token) }
}

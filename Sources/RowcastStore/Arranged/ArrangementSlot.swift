import RowcastDiff
public import RowcastModel

/// The arrangement of an arranged list, which may be changed at any time.
@usableFromInline
actor ArrangementSlot<
  SourceSection: SectionViewModel, SourceRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: NewsSource where SourceRow.ID == Row.ID {
  @usableFromInline typealias Value = Arrangement<SourceSection, SourceRow, Section, Row>

  @usableFromInline static var hasRows: Bool { false }

  private final var value: Value
  private final var revision = 0
  private final var room = WaitingRoom()

  @usableFromInline
  init(_ value: Value) {
    self.value = value
  }

  @usableFromInline
  final func set(_ value: Value) {
    self.value = value
    revision += 1
    room.wakeAll()
  }

  @usableFromInline
  final func news(after revision: Int?) -> News<Value>? {
    self.revision == revision ? nil : News(value, revision: self.revision, isFinal: false)
  }

  @usableFromInline
  final func enter(_ bell: WaitingRoom.Bell, after revision: Int) -> Int? {
    self.revision == revision ? room.enter(bell) : nil
  }

  @usableFromInline
  final func leave(_ waiter: Int) { room.leave(waiter) }
}

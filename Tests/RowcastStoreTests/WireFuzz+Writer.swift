import RowcastDiff
import RowcastTestSupport

@testable import RowcastModel

extension WireFuzz {
  /// A writer of a list.
  struct Writer {
    var list: TestSnapshot
    var revision = 0
    var lineage: Lineage
    var sent: (list: TestSnapshot, position: ListPosition)
    var position: ListPosition { ListPosition(epoch: lineage.epoch, revision: revision) }
    var isFinished = false
    var wire: WireWriter<TestSection, TestRow>

    init(_ list: TestSnapshot, epoch: String, keyframes: KeyframePolicy) {
      (self.list, lineage) = (list, epoch.isEmpty ? Lineage() : Lineage(of: epoch))
      sent = (list, ListPosition(epoch: epoch, revision: 0))
      wire = WireWriter(keyframes: keyframes)
    }

    func update(from former: (list: TestSnapshot, position: ListPosition)?) -> TestUpdate {
      guard let former else {
        return TestUpdate(initial: list, revision: revision, epoch: lineage.epoch, lineage: lineage)
      }
      return TestUpdate(
        revision: revision, previous: former.position.revision, changes: former.list.changes(to: list), snapshot: list,
        epoch: lineage.epoch, previousEpoch: former.position.epoch, lineage: lineage)
    }
    var whole: Message { Message(update(from: nil)) }
  }

  /// An error in a mirror.
  enum Fault: CaseIterable {
    case epochIgnored, keyframeOverNewerState, gapNotSeen

    /// What a mirror with the error takes a message for.
    func seen(_ message: Message, at position: ListPosition?) -> Message {
      guard let position else { return message }
      switch (self, message) {
      case (.epochIgnored, .changes(var changes)):
        (changes.epoch, changes.previousEpoch) = (position.epoch, nil)
        return .changes(changes)
      case (.keyframeOverNewerState, .initial(let revision, let list, let epoch, let lineage))
      where epoch == position.epoch && revision < position.revision:
        return .initial(revision: position.revision + 1, snapshot: list, epoch: epoch, lineage: lineage)
      case (.gapNotSeen, .changes(var changes))
      where changes.epoch == position.epoch && changes.previous > position.revision:
        changes.previous = position.revision
        return .changes(changes)
      default: return message
      }
    }
  }
}

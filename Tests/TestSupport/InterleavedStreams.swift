public import RowcastModel

/// The streams of two lists as a reader gets them that has changed from one to the other and back: updates are late, doubled
/// and out of order, and streams restart.
public struct InterleavedStreams {
  /// What tells the lists apart.
  public enum Identity: CaseIterable {
    /// Their epochs; their revisions are the same.
    case epochs
    /// One has an epoch, and the other has none; their revisions are the same.
    case oneEpoch
    /// Neither has an epoch; they have no revision in common.
    case revisions
    /// Nothing: neither has an epoch, and their revisions are the same.
    case nothing
  }

  private struct Writer {
    let epoch: String
    let step: Int
    var revision: Int
    var list = TestSnapshot()
    /// Updates that may still arrive, oldest first.
    var underWay: [TestUpdate] = []
  }

  private var writers: [Writer]
  private let contents: Int

  /// Creates the streams of two empty lists, whose rows have one of so many contents.
  public init(_ identity: Identity, contents: Int = 2) {
    self.contents = contents
    let epochs = identity == .epochs ? ["inbox", "sent"] : identity == .oneEpoch ? ["inbox", ""] : ["", ""]
    let isApart = identity == .revisions
    writers = epochs.enumerated().map { Writer(epoch: $1, step: isApart ? 2 : 1, revision: isApart ? $0 : 0) }
  }

  /// The update that arrives next.
  public mutating func next(using random: inout SeededGenerator) throws -> TestUpdate {
    let number = Int.random(in: 0..<2, using: &random)
    var writer = writers[number]
    defer { writers[number] = writer }
    if Int.random(in: 0..<4, using: &random) == 0 {
      if Bool.random(using: &random) { writer.underWay = [] }
      return TestUpdate(initial: writer.list, revision: writer.revision, epoch: writer.epoch)
    }
    let list = try TestSnapshot.random(sections: 2, rows: 6, contents: contents, using: &random)
    let position = ListPosition(epoch: writer.epoch, revision: writer.revision)
    writer.underWay.append(.next(list, after: writer.list, at: position, step: writer.step))
    (writer.revision, writer.list) = (writer.revision + writer.step, list)
    if Int.random(in: 0..<4, using: &random) == 0, let update = writer.underWay.randomElement(using: &random) {
      return update
    }
    return writer.underWay.removeFirst()
  }
}

extension ListUpdate {
  /// The update that follows a list at a position.
  public static func next(
    _ list: ListSnapshot<Section, Row>, after last: ListSnapshot<Section, Row>, at position: ListPosition, step: Int = 1
  ) -> ListUpdate {
    ListUpdate(
      revision: position.revision + step, previous: position.revision, changes: last.changes(to: list), snapshot: list,
      epoch: position.epoch)
  }

  /// Returns `true` if an update may follow a list: it is whole, or starts at that revision of the same list.
  public func mayFollow(epoch: String?, revision: Int?) -> Bool {
    previous == nil || (self.epoch == epoch && previous == revision)
  }
}

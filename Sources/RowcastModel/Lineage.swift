import RowcastDiff

/// The runs of a list: their epochs, each with the revision at which the run began.
///
/// A list that is kept in a file has a new run, and with it a new epoch, whenever the file is opened; revisions continue to rise.
/// A position is one of the list's only if its run had that revision. A run that lost its newest lines, or was continued from a
/// copy of the file, had revisions that the list never had.
///
///     "lineage":[{"epoch":"a","revision":0},{"epoch":"b","revision":12}]
public struct Lineage: Hashable, Sendable {
  /// The positions at which the runs began, in order. The last is of the newest run; empty if the runs are unknown.
  package private(set) var runs: [ListPosition]

  /// Creates the lineage of a list whose runs are unknown.
  public init() { runs = [] }

  /// Creates a lineage from the positions at which the runs began, in order.
  ///
  /// - Returns: `nil` if an epoch appears twice, is empty, or has more than 64 bytes, or if a revision is below the one before
  ///   it, or below 0.
  package init?(_ runs: [ListPosition]) {
    let epochs = runs.map { $0.epoch }.ascending
    var last = 0
    for (index, run) in runs.enumerated() {
      let isKnown = index > 0 && epochs[index - 1] == epochs[index]
      if isKnown || !(1...ListPosition.longestEpoch).contains(run.epoch.utf8.count) || run.revision < last {
        return nil
      }
      last = run.revision
    }
    self.runs = runs
  }

  /// The lineage of a list with one run.
  @usableFromInline
  package init(of epoch: String, since revision: Int = 0) { runs = [ListPosition(epoch: epoch, revision: revision)] }

  /// The greatest number of runs in a message.
  package static var longestInMessage: Int { 16 }
  /// The greatest number of runs in a file, beyond the runs that the history has.
  package static var longestInFile: Int { 64 }

  /// The epoch of the newest run; empty if it is unknown.
  @usableFromInline
  package var epoch: String { runs.last?.epoch ?? "" }

  /// Tells if one of the runs has an epoch.
  ///
  /// - Parameter epoch: Any epoch.
  /// - Returns: `true` if a run has it.
  /// - Complexity: O(number of runs).
  package func contains(_ epoch: String) -> Bool { runs.contains { $0.epoch == epoch } }

  /// Tells if the list was at a position: one of its runs has the epoch, and had the revision.
  ///
  /// - Parameters:
  ///   - position: Any position.
  ///   - newest: The revision of the list.
  /// - Returns: `true` if the position is the list's; `false` if its run is unknown, or the list never had that revision in it.
  /// - Complexity: O(number of runs).
  package func contains(_ position: ListPosition, upTo newest: Int) -> Bool {
    guard let index = runs.lastIndex(where: { $0.epoch == position.epoch }) else { return false }
    let end = index + 1 < runs.count ? runs[index + 1].revision : newest
    return position.revision >= runs[index].revision && position.revision <= end
  }

  /// The revision at which a run ended; `nil` for the newest run, and for an unknown one.
  package func end(of epoch: String) -> Int? {
    zip(runs, runs.dropFirst()).first { $0.0.epoch == epoch }?.1.revision
  }

  /// Returns `true` if a list with these runs may be at a position: the newest run has its epoch. An unknown lineage leads
  /// anywhere.
  package func leads(to position: ListPosition) -> Bool {
    runs.last.map { $0.epoch == position.epoch && $0.revision <= position.revision } ?? true
  }

  /// Begins a run.
  package mutating func begin(_ epoch: String, at revision: Int) {
    assert(!contains(epoch) && revision >= runs.last?.revision ?? 0, "\(epoch) begins at \(revision) after \(runs)")
    runs.append(ListPosition(epoch: epoch, revision: revision))
  }

  /// The newest runs, at most so many. If a revision is given, the run at that revision and all later ones stay.
  package func newest(_ count: Int, andSince revision: Int? = nil) -> Lineage {
    var first = max(0, runs.count - count)
    // A run ends where the next one begins.
    if let revision { while first > 0, runs[first].revision > revision { first -= 1 } }
    var newest = self
    newest.runs.removeFirst(first)
    return newest
  }

  /// The runs that a message has; empty for a single run, which the epoch of the message names.
  @usableFromInline
  package var inMessage: Lineage { runs.count < 2 ? Lineage() : newest(Self.longestInMessage) }

  /// The epochs of the runs, each with the revision at which it began.
  package var text: String { runs.map { "\($0.epoch) since \($0.revision)" }.joined(separator: ", ") }
}

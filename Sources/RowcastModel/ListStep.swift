/// A step through the states of a list: an update, or a message that carries one.
///
/// Whatever takes steps one after another asks ``follows(_:)`` if one starts where it is: tables, drivers, models, mirrors,
/// recorders and sinks.
package protocol ListStep {
  /// The run of the list after the step; empty if it is unknown.
  var epoch: String { get }
  /// The run of the list before the step, if it is another one.
  var previousEpoch: String? { get }
  /// The revision from which the step starts; `nil` if it has the whole list.
  var previous: Int? { get }
}

extension ListStep {
  /// The position from which the step starts; `nil` if it has the whole list.
  package var start: ListPosition? { previous.map { ListPosition(epoch: previousEpoch ?? epoch, revision: $0) } }

  /// Returns `true` if the step starts from the list at a position: that list, at that revision. Where one run of a list ends and
  /// the next begins, the list is the same. Where neither side has an epoch, the revisions decide.
  package func follows(_ position: ListPosition?) -> Bool {
    guard let start, let position, start.revision == position.revision else { return false }
    return position.epoch == start.epoch || position.epoch == epoch
  }
}

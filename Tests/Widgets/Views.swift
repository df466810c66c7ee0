import RowcastDiff
import RowcastModel
import RowcastTestSupport
import RowcastUI

/// An error that is planted between the driver and Qt.
enum Fault: String, CaseIterable {
  case wrongOrder, moveOffByOne, swappedTooEarly, lostUpdate, wrongCount, untoldEdit
}

/// The part that both kinds of views share: batches of steps, and animations that are said to run.
@MainActor
class QtView {
  let host: QtHost
  private let fault: Fault?
  /// The data source.
  var data: () -> TestSnapshot = { TestSnapshot() }
  var isInWindow = true
  /// True if batches end later, by ``finishAnimations()``.
  var animates = false
  private(set) var batchCount = 0
  private(set) var reloadCount = 0
  private var animations: [@MainActor @Sendable () -> Void] = []

  init(_ host: QtHost, fault: Fault?) {
    self.host = host
    self.fault = fault
  }

  var isAnimating: Bool { !animations.isEmpty }

  func finishAnimations() {
    let finished = animations
    animations = []
    for completion in finished { completion() }
  }

  /// Performs the steps of a person, which `edit` reports to the driver.
  func perform(_ edit: () throws -> Void, steps: () -> [QtStep]) rethrows {
    host.tell(data())
    host.call("batch")
    if fault != .untoldEdit { try edit() }
    host.tell(data())
    for step in steps() { host.perform(step) }
    host.call("end")
  }

  /// The step that moves a row of a list, to a path in the list after it.
  func move(from: RowPath, to: RowPath, _ before: TestSnapshot, _ after: TestSnapshot) -> QtStep {
    let destination = from.section == to.section && to.row > from.row ? to.row + 1 : to.row
    return .move(parent: from.section, row: from.row, newParent: to.section, destination: destination)
  }

  /// The step that takes a row of a list out.
  func removal(of path: RowPath, _ list: TestSnapshot) -> QtStep {
    .remove(parent: path.section, rows: path.row..<path.row + 1)
  }

  /// Performs a batch. The model answers from the data source until the batch begins and after it has ended; in between, it
  /// advances step by step.
  func perform(
    _ updates: () -> Void, completion: @escaping @MainActor @Sendable () -> Void, steps: () -> [QtStep]
  ) {
    host.tell(data())
    if fault != .swappedTooEarly { host.call("batch") }
    updates()
    host.tell(data())
    if fault == .swappedTooEarly { host.call("batch") }
    batchCount += 1
    for step in planted(steps()) { host.perform(step) }
    host.call("end")
    if animates { animations.append(completion) } else { completion() }
  }

  private func planted(_ steps: [QtStep]) -> [QtStep] {
    switch fault {
    case .wrongOrder: return steps.reversed()
    case .lostUpdate: return []
    case .moveOffByOne:
      return steps.map { step in
        guard case .move(let parent, let row, let newParent, let destination) = step else { return step }
        return .move(
          parent: parent, row: row, newParent: newParent,
          destination: destination > 0 ? destination - 1 : destination + 1)
      }
    case .wrongCount:
      return steps.map { step in
        guard case .remove(let parent, let rows) = step, rows.lowerBound > 0 else { return step }
        return .remove(parent: parent, rows: rows.lowerBound - 1..<rows.upperBound)
      }
    case .swappedTooEarly, .untoldEdit, nil: return steps
    }
  }

  func reload() {
    reloadCount += 1
    host.tell(data())
    host.call("reset")
  }
}

/// A Qt model without children, driven as a view of rows alone.
final class FlatQtView: QtView, FlatBatchView {
  private var steps: [QtStep] = []

  func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
    steps = []
    perform(updates, completion: completion) { steps }
  }

  override func move(from: RowPath, to: RowPath, _ before: TestSnapshot, _ after: TestSnapshot) -> QtStep {
    .move(
      from: FlatLayout(before, hasHeaders: true).index(of: from), to: FlatLayout(after, hasHeaders: true).index(of: to))
  }

  override func removal(of path: RowPath, _ list: TestSnapshot) -> QtStep {
    let index = FlatLayout(list, hasHeaders: true).index(of: path)
    return .remove(parent: -1, rows: index..<index + 1)
  }

  func removeRows(at indexes: [Int]) { steps += indexes.ranges.reversed().map { .remove(parent: -1, rows: $0) } }
  func moveRow(from: Int, to: Int) { steps.append(.move(from: from, to: to)) }
  func insertRows(at indexes: [Int]) { steps += indexes.ranges.map { .insert(parent: -1, rows: $0) } }

  func reconfigureRows(at indexes: [Int]) {
    host.tell(data())
    for range in indexes.ranges { host.call("change", -1, range.lowerBound, range.count) }
  }

  // Qt Quick does not get another kind of delegate from a change of data: it detaches delegates of other rows.
  func replaceRows(at indexes: [Int]) {
    host.tell(data())
    for range in indexes.ranges { host.call("replace", -1, range.lowerBound, range.count) }
  }
}

/// A Qt model of sections and their children, driven as a view of sections.
final class TreeQtView: QtView, BatchView {
  private var changes = ListChanges()

  func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
    changes = ListChanges()
    let rowCounts = (0..<data().sectionCount).map(data().rowCount)
    perform(updates, completion: completion) { TreeSteps(changes, rowCounts: rowCounts).steps }
  }

  func deleteSections(at indexes: [Int]) { changes.sections.deletes = indexes }
  func insertSections(at indexes: [Int]) { changes.sections.inserts = indexes }
  func moveSection(from: Int, to: Int) { changes.sections.moves.append(.init(from: from, to: to)) }
  func deleteRows(at paths: [RowPath]) { changes.rows.deletes = paths }
  func insertRows(at paths: [RowPath]) { changes.rows.inserts = paths }
  func moveRow(from: RowPath, to: RowPath) { changes.rows.moves.append(.init(from: from, to: to)) }

  func reconfigureRows(at paths: [RowPath]) {
    host.tell(data())
    for (section, rows) in paths.ranges { host.call("change", section, rows.lowerBound, rows.count) }
  }

  func replaceRows(at paths: [RowPath]) { reconfigureRows(at: paths) }

  func reconfigureSections(at indexes: [Int]) {
    host.tell(data())
    for range in indexes.ranges { host.call("change", -1, range.lowerBound, range.count) }
  }
}

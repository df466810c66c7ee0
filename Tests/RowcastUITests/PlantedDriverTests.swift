import RowcastDiff
import RowcastModel
import RowcastUI
import RowcastTestSupport
import Testing

/// The strict view refuses what it is there to refuse: drivers with one error each do not get past it.
@MainActor
@Suite(.watched) struct PlantedDriverTests {
  @Test(arguments: PlantedDriver.Fault.allCases)
  func `a driver with an error is refused`(fault: PlantedDriver.Fault) throws {
    #expect(try refusals(of: fault).contains { $0.contains(fault.complaint) })
  }

  @Test func `the same driver without an error is not`() throws {
    #expect(try refusals(of: nil) == [])
  }

  private func refusals(of fault: PlantedDriver.Fault?) throws -> [String] {
    var random = SeededGenerator.forFuzzing("planted \(fault.map { "\($0)" } ?? "nothing")")
    let view = StrictView()
    let driver = PlantedDriver(view, fault)
    view.data = { driver.snapshot }
    var last = TestSnapshot()
    for _ in 0..<100 {
      let next = try TestSnapshot.random(sections: 5, rows: 20, using: &random)
      driver.apply(last.changes(to: next), to: next)
      last = next
      view.endUpdate()
      if Bool.random(using: &random) { view.finishAnimations() }
      if !view.refusals.isEmpty { break }
    }
    return view.refusals
  }
}

/// A driver with an error in it.
@MainActor
final class PlantedDriver {
  enum Fault: CaseIterable {
    case swapsBeforeTheBatch, swapsAfterTheBatch, reloadsInside, reconfiguresInside, mergesStages, dropsUpdates
    case doesNotWait

    /// A part of what the view says to it.
    var complaint: String {
      switch self {
      case .swapsBeforeTheBatch: "swapped before the batch"
      // What does not add up first depends on the lists; it is a rule in any case.
      case .swapsAfterTheBatch, .dropsUpdates: "A"
      case .reloadsInside: "a reload inside a batch"
      case .reconfiguresInside: "a reconfiguration inside a batch"
      case .mergesStages: "A15"
      case .doesNotWait: "that of another update animates"
      }
    }
  }

  private let view: StrictView
  private let fault: Fault?
  private(set) var snapshot = TestSnapshot()
  /// How many batches animate: an update of several stages has one for each.
  private var animations = 0
  private var waiting: TestSnapshot?

  init(_ view: StrictView, _ fault: Fault?) {
    self.view = view
    self.fault = fault
  }

  func apply(_ changes: ListChanges, to next: TestSnapshot) {
    if animations > 0, fault != .doesNotWait {
      if fault != .dropsUpdates { waiting = next }
      return
    }
    // After an update that was dropped the changes do not start from this list, and cannot be cut.
    let isWhole = fault == .mergesStages || fault == .dropsUpdates
    let stages =
      isWhole ? [ListStage(changes: changes, snapshot: next)] : changes.stages(from: snapshot, to: next)
    for stage in stages {
      animations += 1
      if fault == .swapsBeforeTheBatch { snapshot = stage.snapshot }
      view.performBatch(
        { [self] in
          if fault != .swapsAfterTheBatch { snapshot = stage.snapshot }
          operate(stage.changes)
          if fault == .reloadsInside { view.reload() }
          if fault == .reconfiguresInside { view.reconfigureRows(at: []) }
        },
        completion: { [weak self] in self?.animationEnded() })
      snapshot = stage.snapshot
    }
    view.reconfigureSections(at: changes.sections.updates.map(\.to))
    view.replaceRows(at: changes.rows.updates.map(\.to))
  }

  private func operate(_ changes: ListChanges) {
    view.deleteRows(at: changes.rows.deletes)
    view.deleteSections(at: changes.sections.deletes)
    view.insertSections(at: changes.sections.inserts)
    for move in changes.sections.moves { view.moveSection(from: move.from, to: move.to) }
    view.insertRows(at: changes.rows.inserts)
    for move in changes.rows.moves { view.moveRow(from: move.from, to: move.to) }
  }

  private func animationEnded() {
    animations -= 1
    guard animations == 0, let next = waiting else { return }
    waiting = nil
    apply(snapshot.changes(to: next), to: next)
  }
}

import Rowcast
import RowcastConsole

/// A step of an event on its way from a line to the output.
enum ProgramStep: Int, CaseIterable {
  /// Its line is found and read.
  case decode
  /// The store takes it.
  case edit
  /// The update reaches the table: everything that is not another step.
  case deliver
  /// The table shows the update.
  case apply
  /// The update is encoded as text.
  case encode
  /// The text is written.
  case write
}

/// The time that each step took.
typealias StepTimes = [ProgramStep: Duration]

/// Measures the steps of one task, each from the end of the one before.
final class StepWatch {
  private var sums = [Duration](repeating: .zero, count: ProgramStep.allCases.count)
  private var last = ContinuousClock.now

  /// Ends a step; `nil` for a time that is not a step of this task.
  func lap(_ step: ProgramStep?) {
    let now = ContinuousClock.now
    if let step { sums[step.rawValue] += last.duration(to: now) }
    last = now
  }

  var times: StepTimes { StepTimes(uniqueKeysWithValues: ProgramStep.allCases.map { ($0, sums[$0.rawValue]) }) }
}

/// A sink that ends the step before its own when an update reaches it.
struct WatchedSink<Base: ConsoleSink>: ConsoleSink {
  typealias Section = Base.Section
  typealias Row = Base.Row

  var base: Base
  let watch: StepWatch

  mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws {
    watch.lap(.apply)
    try base.show(update, in: table)
  }

  mutating func write(_ lines: String) throws { try base.write(lines) }
}

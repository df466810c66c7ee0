import Observation
import RowcastDiff
import RowcastModel

/// Stands for one thing that views have read, and tells them of its next change; tracking ends then.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
final class ModelSignal: Observable {
  private let registrar = ObservationRegistrar()
  /// What is read.
  private var mark: Void { () }

  /// Makes the view that is being tracked depend on this.
  func read() { registrar.access(self, keyPath: \.mark) }

  /// Tells the readers that a change is about to be made.
  func willChange() { registrar.willSet(self, keyPath: \.mark) }

  /// Says that the change has been made.
  func hasChanged() { registrar.didSet(self, keyPath: \.mark) }
}

/// The signals of several things of one kind, by what tells them apart.
///
/// A signal is here from the first read of what it stands for to the next change of that.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
struct SignalMap<ID: Hashable> {
  private var signals: [ID: ModelSignal] = [:]

  /// The number of things that were read.
  var count: Int { signals.count }

  mutating func read(_ id: ID) {
    if let known = signals[id] { return known.read() }
    let signal = ModelSignal()
    signals[id] = signal
    signal.read()
  }

  /// Takes out the signal of something that changes.
  mutating func take(_ id: ID, into told: inout [ModelSignal]) {
    if signals.isEmpty { return }
    if let signal = signals.removeValue(forKey: id) { told.append(signal) }
  }

  mutating func takeAll(into told: inout [ModelSignal]) {
    told += signals.values
    signals = [:]
  }
}

/// What views have read of a model.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
struct ModelSignals<SectionID: Hashable, RowID: Hashable> {
  /// The parts of a model that are there once.
  enum Whole { case list, sections, phase }

  var wholes = SignalMap<Whole>()
  /// The content of sections.
  var headers = SignalMap<SectionID>()
  /// The rows of sections.
  var contents = SignalMap<SectionID>()
  /// The ids of the rows of sections.
  var orders = SignalMap<SectionID>()
  var rows = SignalMap<RowID>()

  /// The most rows whose readers are told apart. Observation does not say when a row is no longer read; above this number
  /// the next change is told to all readers of rows, and those that are still shown read again.
  static var mostRows: Int { 10_000 }

  /// Takes out the signals of what a step changes. Later reads make new ones, for the step after it.
  mutating func take<Section, Row>(_ step: ModelStep<Section, Row>, into told: inout [ModelSignal])
  where Section.ID == SectionID, Row.ID == RowID {
    if step.isEmpty { return }
    wholes.take(.list, into: &told)
    if !step.sections.isEmpty { wholes.take(.sections, into: &told) }
    for id in step.headers { headers.take(id, into: &told) }
    for id in step.orders {
      orders.take(id, into: &told)
      contents.take(id, into: &told)
    }
    for id in step.contents { contents.take(id, into: &told) }
    if rows.count > Self.mostRows { return rows.takeAll(into: &told) }
    for row in step.changed { rows.take(row.id, into: &told) }
    for row in step.arrived { rows.take(row.id, into: &told) }
    for id in step.gone { rows.take(id, into: &told) }
  }
}

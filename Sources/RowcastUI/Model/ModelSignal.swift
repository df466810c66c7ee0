import Observation
import RowcastDiff
import RowcastModel

/// Tells the views that have read one part of a model about its next change; tracking ends then.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
final class ModelSignal: Observable {
  private let registrar = ObservationRegistrar()
  private var mark: Void { () }

  /// Makes the view that is being tracked depend on this.
  func read() { registrar.access(self, keyPath: \.mark) }

  /// Tells the readers that a change is about to be made.
  func willChange() { registrar.willSet(self, keyPath: \.mark) }

  /// Ends the change.
  func hasChanged() { registrar.didSet(self, keyPath: \.mark) }
}

/// The signals of the parts of a model that views have read. Those of sections and rows exist from a read to the next change.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
struct ModelSignals<SectionID: Hashable, RowID: Hashable> {
  let list = ModelSignal()
  let sections = ModelSignal()
  let phase = ModelSignal()
  /// Of the content of sections.
  var headers = Dictionary<SectionID, ModelSignal>()
  /// Of the rows of sections.
  var contents = Dictionary<SectionID, ModelSignal>()
  /// Of the ids of the rows of sections.
  var orders = Dictionary<SectionID, ModelSignal>()
  var rows = Dictionary<RowID, ModelSignal>()

  /// The maximum number of rows whose readers are known one by one. Observation does not report when a row is no longer read.
  /// Above this number the next change notifies all readers of rows, and those still shown read again.
  static var mostRows: Int { 10_000 }

  /// Removes the signals of some rows, and of the parts that may have them. Returns them.
  mutating func collect(rows ids: [RowID]) -> [ModelSignal] {
    var told = [list] + contents.values
    contents = Dictionary()
    for id in ids { rows.collect(id, into: &told) }
    return told
  }

  /// Removes the signals of the parts that a step changes, and returns them. Later reads make new ones, for the next step.
  mutating func collect<Section, Row>(_ step: ModelStep<Section, Row>) -> [ModelSignal]
  where Section.ID == SectionID, Row.ID == RowID {
    if step.isEmpty { return [] }
    var told = step.sections.isEmpty ? [list] : [list, sections]
    for id in step.headers { headers.collect(id, into: &told) }
    for id in step.orders {
      orders.collect(id, into: &told)
      contents.collect(id, into: &told)
    }
    for id in step.contents { contents.collect(id, into: &told) }
    if rows.isEmpty { return told }
    if rows.count > Self.mostRows {
      told += rows.values
      rows = Dictionary()
    }
    for row in step.changed { rows.collect(row.id, into: &told) }
    for row in step.arrived { rows.collect(row.id, into: &told) }
    for id in step.gone { rows.collect(id, into: &told) }
    return told
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
extension Dictionary where Value == ModelSignal {
  /// Makes the view that is being tracked depend on a part.
  mutating func read(_ key: Key) {
    let signal = self[key] ?? ModelSignal()
    self[key] = signal
    signal.read()
  }

  /// Removes the signal of a part that changes, and adds it to `told`.
  fileprivate mutating func collect(_ key: Key, into told: inout [ModelSignal]) {
    if let signal = removeValue(forKey: key) { told.append(signal) }
  }
}

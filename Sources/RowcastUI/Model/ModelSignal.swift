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

/// The signals of the parts of a model that views have read since those last changed.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
struct ModelSignals<SectionID: Hashable, RowID: Hashable> {
  enum Part: Hashable {
    case list, sections, phase
    /// The content of a section.
    case header(SectionID)
    /// The rows of a section.
    case rows(SectionID)
    /// The ids of the rows of a section.
    case order(SectionID)
  }

  private var parts: [Part: ModelSignal] = [:]
  private var rows: [RowID: ModelSignal] = [:]

  /// The most rows whose readers are known one by one. Observation does not report when a row is no longer read. Above this
  /// number the next change notifies all readers of rows, and those still shown read again.
  static var mostRows: Int { 10_000 }

  /// Makes the view that is being tracked depend on a part.
  mutating func read(_ part: Part) { Self.read(part, of: &parts) }

  /// Makes the view that is being tracked depend on a row.
  mutating func read(row id: RowID) { Self.read(id, of: &rows) }

  private static func read<Key>(_ key: Key, of signals: inout [Key: ModelSignal]) {
    if let known = signals[key] { return known.read() }
    let signal = ModelSignal()
    signals[key] = signal
    signal.read()
  }

  /// Removes the signal of a part that changes, and adds it to `told`.
  mutating func collect(_ part: Part, into told: inout [ModelSignal]) {
    if let signal = parts.removeValue(forKey: part) { told.append(signal) }
  }

  private mutating func collect(row id: RowID, into told: inout [ModelSignal]) {
    if let signal = rows.removeValue(forKey: id) { told.append(signal) }
  }

  /// Removes the signals of some rows, and of the parts that may have them, and adds them to `told`.
  mutating func collect(rows ids: some Sequence<RowID>, into told: inout [ModelSignal]) {
    for id in ids { collect(row: id, into: &told) }
    for part in parts.keys {
      switch part {
      case .list, .rows: collect(part, into: &told)
      default: break
      }
    }
  }

  /// Removes the signals of the parts that a step changes, and adds them to `told`. Later reads make new ones, for the next step.
  mutating func collect<Section, Row>(_ step: ModelStep<Section, Row>, into told: inout [ModelSignal])
  where Section.ID == SectionID, Row.ID == RowID {
    if step.isEmpty { return }
    collect(.list, into: &told)
    if !step.sections.isEmpty { collect(.sections, into: &told) }
    for id in step.headers { collect(.header(id), into: &told) }
    for id in step.orders {
      collect(.order(id), into: &told)
      collect(.rows(id), into: &told)
    }
    for id in step.contents { collect(.rows(id), into: &told) }
    if rows.isEmpty { return }
    if rows.count > Self.mostRows {
      told += rows.values
      rows = [:]
    }
    for row in step.changed { collect(row: row.id, into: &told) }
    for row in step.arrived { collect(row: row.id, into: &told) }
    for id in step.gone { collect(row: id, into: &told) }
  }
}

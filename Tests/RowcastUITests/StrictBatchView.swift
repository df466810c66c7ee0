import RowcastDiff
import RowcastModel
import RowcastUI
import RowcastTestSupport

/// Both strict views, as a driver of all features sees them.
@MainActor
protocol StrictBatchView: StrictAnimating {
  var isInWindow: Bool { get set }
  var animates: Bool { get set }
  var screen: Screen? { get set }
  var looks: [Int: Int] { get set }
  var duringBatch: (() -> Void)? { get set }
  var whileConfiguring: (() -> Void)? { get set }
  var refusals: [String] { get }
  var batchCount: Int { get }
  var reloadCount: Int { get }
  /// What is shown, from the first line on, and the heights.
  var lines: [ShownElement] { get }
  var heights: [Int] { get }
  /// A person deletes or moves a row.
  func take(_ path: RowPath, in list: TestSnapshot)
  func move(_ from: RowPath, in list: TestSnapshot, to: RowPath, in next: TestSnapshot)
}

/// A header or a row on a view.
struct ShownElement: Equatable {
  /// `nil` for a header.
  var id: Int?
  var section: String?
  var kind = ""
  var text: String
  var look = 0

  static func header(_ id: String, _ title: String) -> ShownElement { ShownElement(section: id, text: title) }
  static func row(_ id: Int, _ kind: String, _ text: String, look: Int) -> ShownElement {
    ShownElement(id: id, kind: kind, text: text, look: look)
  }
}

extension StrictView: StrictBatchView {
  var lines: [ShownElement] {
    parts.flatMap { part in
      [.header(part.id, part.title)] + part.cells.map { .row($0.id, $0.kind, $0.text, look: $0.look) }
    }
  }
  var heights: [Int] { elements.map(\.height) }

  func take(_ path: RowPath, in list: TestSnapshot) { swipe(path) }
  func move(_ from: RowPath, in list: TestSnapshot, to: RowPath, in next: TestSnapshot) { drag(from: from, to: to) }
}

/// A strict view of rows alone, with its headers or without.
@MainActor
final class StrictRows: StrictBatchView {
  let view = StrictFlatView()
  let hasHeaders: Bool
  var looks: [Int: Int] = [:]

  init(hasHeaders: Bool) { self.hasHeaders = hasHeaders }

  /// Has the view read a driver's list.
  func read(_ list: @escaping () -> TestSnapshot) {
    view.data = { [weak self] in
      guard let self else { return [] }
      return list().cells(hasHeaders: hasHeaders).map { cell in
        var cell = cell
        cell.look = Int(cell.id).flatMap { self.looks[$0] } ?? 0
        return cell
      }
    }
  }

  var isInWindow: Bool {
    get { view.isInWindow }
    set { view.isInWindow = newValue }
  }
  var animates: Bool {
    get { view.animates }
    set { view.animates = newValue }
  }
  var screen: Screen? {
    get { view.screen }
    set { view.screen = newValue }
  }
  var duringBatch: (() -> Void)? {
    get { view.duringBatch }
    set { view.duringBatch = newValue }
  }
  var whileConfiguring: (() -> Void)? {
    get { view.whileConfiguring }
    set { view.whileConfiguring = newValue }
  }
  var refusals: [String] { view.refusals }
  var batchCount: Int { view.batchCount }
  var reloadCount: Int { view.reloadCount }
  var animations: StrictAnimations { view.animations }
  var heights: [Int] { view.cells.map(\.height) }
  var lines: [ShownElement] {
    view.cells.map { cell in
      Int(cell.id).map { .row($0, cell.kind, cell.text, look: cell.look) } ?? .header(cell.id, cell.text)
    }
  }

  func take(_ path: RowPath, in list: TestSnapshot) {
    view.swipe(FlatLayout(list, hasHeaders: hasHeaders).index(of: path))
  }
  func move(_ from: RowPath, in list: TestSnapshot, to: RowPath, in next: TestSnapshot) {
    view.drag(
      from: FlatLayout(list, hasHeaders: hasHeaders).index(of: from),
      to: FlatLayout(next, hasHeaders: hasHeaders).index(of: to))
  }
}

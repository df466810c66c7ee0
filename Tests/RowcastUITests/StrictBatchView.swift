/// What both strict views have: how they are set up, what they count, and animations that end when a test says so.
@MainActor
class StrictViewBase {
  typealias Completion = @MainActor @Sendable () -> Void

  /// The data source.
  var data: () -> TestSnapshot = { TestSnapshot() }
  var isInWindow = true
  /// Whether batches end later, by ``finishAnimations()``.
  var animates = true
  /// The lines that are on the screen; `nil` if the view does not tell them.
  var screen: Screen?
  /// How rows look, by their ids, as far as the rows themselves do not say it.
  var looks: [Int: Int] = [:]
  /// Called once, from inside the next batch.
  var duringBatch: (() -> Void)?
  /// Called whenever rows are configured again.
  var whileConfiguring: (() -> Void)?
  /// Why calls were refused.
  private(set) var refusals: [String] = []
  private(set) var batchCount = 0
  private(set) var reloadCount = 0

  private(set) var running: [Completion] = []
  /// Batches that ended with a reload, and whose completions are late.
  private var interrupted: [Completion] = []
  /// How many were begun by the update that is being made.
  private var current = 0

  func refuse(_ reason: String) { refusals.append(reason) }

  /// Refuses places that are not in order, or not all different.
  func checkOrder<Place: Comparable>(_ places: [Place], _ call: String) {
    let isAscending = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    if !isAscending { refuse("\(call) at \(places), which are not ascending") }
  }

  /// Counts a batch, which may not begin while batches of another update animate.
  func beginBatch(isInside: Bool) {
    if isInside { refuse("a batch inside a batch") }
    if running.count > current { refuse("a batch while that of another update animates") }
    batchCount += 1
  }

  func callDuringBatch() {
    duringBatch?()
    duringBatch = nil
  }

  func endBatch(_ completion: @escaping Completion) {
    if !animates { return completion() }
    running.append(completion)
    current += 1
  }

  func beginReload() {
    reloadCount += 1
    (interrupted, running) = (interrupted + running, [])
  }

  /// Takes out the late completions, and the completions of running animations.
  private func take(running takesRunning: Bool = true) -> [Completion] {
    let taken = interrupted + (takesRunning ? running : [])
    interrupted = []
    if takesRunning { (running, current) = ([], 0) }
    return taken
  }

  /// Says that the calls that follow belong to another update.
  func endUpdate() { current = 0 }

  /// Ends all animations.
  func finishAnimations() { for completion in take() { completion() } }

  /// Lets go of the completions without a call, as a view may that is out of its window.
  func dropAnimations() { _ = take() }

  /// Makes the late completions of animations that a reload ended.
  func finishInterrupted() { for completion in take(running: false) { completion() } }

  /// Ends one batch after the other, and calls each completion once more than is right.
  func finishAnimationsTwice() { for _ in running.indices { finishFirstTwice() } }

  /// The same of the batch that began first.
  func finishFirstTwice() {
    current = 0
    let completion = running.removeFirst()
    completion()
    completion()
  }
}

/// Makes an edit whose second step throws.
@MainActor
func refuseBrokenEdit(
  of id: Int, _ perform: @MainActor ((inout TestEditor) throws -> Void) throws -> Void
) throws {
  do {
    try perform {
      try $0.remove(id)
      try $0.remove(-1)
    }
    throw Mismatch("an edit that throws returns")
  } catch TestListError.unknownRow(-1) {}
}

/// A strict view as a driver of all features sees it.
@MainActor
protocol StrictBatchView: StrictViewBase {
  /// A driver of this view.
  func makeDriver() -> TestDriver
  /// What is shown, from the first line on, and the heights.
  var lines: [ShownElement] { get }
  var heights: [Int] { get }
  /// A person deletes or moves a row.
  func take(_ path: RowPath, in list: TestSnapshot)
  func move(_ from: RowPath, in list: TestSnapshot, to: RowPath, in next: TestSnapshot)
}

extension StrictBatchView {
  /// A driver of this view, whose list the view reads.
  func driven() -> TestDriver {
    let driver = makeDriver()
    data = { [weak driver] in driver?.snapshot ?? TestSnapshot() }
    return driver
  }
}

/// A header or a row on a view.
struct ShownElement: Equatable {
  /// `nil` for a header.
  var id: Int?
  var section: String?
  var kind = ""
  var text: String
  /// What it was configured with besides the row.
  var look = 0

  static func header(_ id: String, _ title: String) -> ShownElement { ShownElement(section: id, text: title) }
  static func row(_ id: Int, _ kind: String, _ text: String, look: Int) -> ShownElement {
    ShownElement(id: id, kind: kind, text: text, look: look)
  }
}

extension StrictView: StrictBatchView {
  func makeDriver() -> TestDriver { TestDriver(self) }

  var lines: [ShownElement] {
    parts.flatMap { part in
      [.header(part.id, part.title)] + part.cells.map { .row($0.id, $0.kind, $0.text, look: $0.look) }
    }
  }
  var heights: [Int] { elements.map(\.height) }

  func take(_ path: RowPath, in list: TestSnapshot) { swipe(path) }
  func move(_ from: RowPath, in list: TestSnapshot, to: RowPath, in next: TestSnapshot) { drag(from: from, to: to) }
}

public import RowcastDiff

/// Checks a batch against the rules that UIKit enforces by exception.
///
///     try BatchValidator(changes, rowCountsBefore: [3, 4], rowCountsAfter: [3, 5]).validate()
///
/// The rules are tried in a fixed order, and the first that is broken is reported.
public struct BatchValidator {
  let changes: ListChanges
  let before: [Int]
  let after: [Int]

  /// Prepares the check of a batch.
  ///
  /// - Parameters:
  ///   - changes: The batch. Its operations need not be sorted.
  ///   - rowCountsBefore: The row count of each section before the batch.
  ///   - rowCountsAfter: The row count of each section of the data that is to be shown after it.
  public init(_ changes: ListChanges, rowCountsBefore: [Int], rowCountsAfter: [Int]) {
    self.changes = changes
    before = rowCountsBefore
    after = rowCountsAfter
  }

  /// Checks all rules.
  ///
  /// - Parameter refusingRowsInMovedSections: Whether the view also refuses row operations inside a section that the
  ///   batch moves, as collection views must. A sink that applies a batch at once need not.
  /// - Throws: ``BatchError`` for the first rule that is broken.
  /// - Complexity: O(s + k log k) for s sections and k operations.
  public func validate(refusingRowsInMovedSections: Bool = false) throws(BatchError) {
    try checkDeletesAgainstMoves()
    try checkDeleteBounds()
    try checkInsertsAgainstMoves()
    try checkInsertBounds()
    try checkMoveBounds()
    try checkMovesAreOneToOne()
    try checkSectionCount()
    try checkRowCounts()
    try checkRowsInVanishingSections()
    if refusingRowsInMovedSections { try checkRowsInMovedSections() }
    try checkDuplicateOperations()
    try checkUpdateBounds()
  }

  func refuse(_ rule: BatchRule, _ message: String) throws(BatchError) -> Never {
    throw BatchError(rule: rule, message: message, rowCountsBefore: before, rowCountsAfter: after)
  }
}

extension RowPath {
  /// The path as UIKit's messages print it.
  var uiKit: String { "{length = 2, path = \(section) - \(row)}" }
}

extension [Int] {
  /// Whether these row counts have a place for a row.
  func contain(_ path: RowPath) -> Bool {
    indices.contains(path.section) && (0..<self[path.section]).contains(path.row)
  }
}

extension Sequence where Element: Hashable {
  /// The first element that occurs again.
  var firstDuplicate: Element? {
    var seen: Set<Element> = []
    return first { !seen.insert($0).inserted }
  }
}

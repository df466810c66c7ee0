import RowcastDiff

extension BatchPlace {
  /// The words of UIKit's messages for it.
  fileprivate var uiKit: (noun: String, position: String) {
    switch self {
    case .sectionBefore(let index), .sectionAfter(let index): ("section", "\(index)")
    case .rowBefore(let path), .rowAfter(let path): ("index path", path.uiKit)
    }
  }
}

extension RowPath {
  var uiKit: String { "{length = 2, path = \(section) - \(row)}" }
}

// The rules that no two operations share a position: A4, A5, A7, A10 and A16. They are the same for sections and for rows.
extension BatchValidator {
  func checkDeletesAgainstReloads() throws(BatchError) {
    let attempt = "delete and reload"
    try check(.deleteAndReload, batch.sections.deletes, batch.reloadedSections, attempt) { .sectionBefore($0) }
    try check(.deleteAndReload, batch.rows.deletes, batch.reloadedRows, attempt) { .rowBefore($0) }
  }

  func checkDeletesAgainstMoves() throws(BatchError) {
    let attempt = "perform a delete and a move from"
    try check(.deleteAndMove, batch.leavingSections, batch.sections.moves.map(\.from), attempt) { .sectionBefore($0) }
    try check(.deleteAndMove, batch.leavingRows, batch.rows.moves.map(\.from), attempt) { .rowBefore($0) }
  }

  func checkInsertsAgainstMoves() throws(BatchError) {
    let attempt = "perform an insert and a move to"
    try check(.insertAndMove, batch.sections.inserts, batch.sections.moves.map(\.to), attempt) { .sectionAfter($0) }
    try check(.insertAndMove, batch.rows.inserts, batch.rows.moves.map(\.to), attempt) { .rowAfter($0) }
  }

  /// A collection view takes a reload for a deletion and an insertion, and finds the place of the insertion from the other
  /// deletions and insertions: it forgets the moves, one of which may end there. See Instagram/IGListKit#690.
  func checkReloadsAgainstMoves() throws(BatchError) {
    let sections = batch.reloadedSections.map(sectionReloadedAgain)
    let rows = batch.reloadedRows.map { path in
      let section = sectionReloadedAgain(path.section)
      return RowPath(
        section: section,
        row: Self.shifted(
          path.row, batch.rows.deletes.filter { $0.section == path.section }.map(\.row),
          batch.rows.inserts.filter { $0.section == section }.map(\.row)))
    }
    let attempt = "perform an insert and a move to"
    try check(.insertAndMove, sections, batch.sections.moves.map(\.to), attempt) { .sectionAfter($0) }
    try check(.insertAndMove, rows, batch.rows.moves.map(\.to), attempt) { .rowAfter($0) }
  }

  private func sectionReloadedAgain(_ section: Int) -> Int {
    Self.shifted(section, batch.sections.deletes, batch.sections.inserts)
  }

  /// The index that a survivor has after some deletions and insertions.
  private static func shifted(_ index: Int, _ deletes: [Int], _ inserts: [Int]) -> Int {
    inserts.ascending.reduce(index - deletes.count { $0 < index }) { place, insert in
      insert <= place ? place + 1 : place
    }
  }

  /// Refuses the first position of some operations that others have as well.
  private func check<Position: Hashable & Comparable & Sendable>(
    _ rule: BatchRule, _ positions: [Position], _ others: [Position], _ attempt: String,
    at place: (Position) -> BatchPlace
  ) throws(BatchError) {
    if positions.isEmpty || others.isEmpty { return }
    guard let position = positions.first(where: Set(others).contains) else { return }
    let (noun, text) = place(position).uiKit
    try refuse(rule, at: [place(position)], message: "attempt to \(attempt) the same \(noun) (\(text))")
  }

  func checkMovesAreOneToOne() throws(BatchError) {
    try checkOneToOne(
      batch.sections.moves, of: "", each: "section ", before: BatchPlace.sectionBefore, after: BatchPlace.sectionAfter)
    try checkOneToOne(
      batch.rows.moves, of: "row at index path ", each: "", before: BatchPlace.rowBefore, after: BatchPlace.rowAfter)
  }

  private func checkOneToOne<Position: Hashable & Comparable & Sendable>(
    _ moves: [Changeset<Position>.Transition], of subject: String, each noun: String,
    before: (Position) -> BatchPlace, after: (Position) -> BatchPlace
  ) throws(BatchError) {
    guard moves.count > 1 else { return }
    // UIKit names the noun once for rows, and each time for sections.
    func text(_ position: Position) -> String { noun + before(position).uiKit.position }
    if let (source, first, second) = Self.conflict(moves, from: \.from, to: \.to) {
      try refuse(
        .ambiguousMove, at: [before(source), after(first), after(second)],
        message: "attempt to move \(subject)\(text(source)) to both \(text(first)) and \(text(second))")
    }
    if let (destination, first, second) = Self.conflict(moves, from: \.to, to: \.from) {
      try refuse(
        .ambiguousMove, at: [before(first), before(second), after(destination)],
        message: "attempt to move both \(subject)\(text(first)) and \(text(second)) to \(text(destination))")
    }
  }

  /// The first key that two moves share although their values differ.
  private static func conflict<Move, Position: Hashable>(
    _ moves: [Move], from key: KeyPath<Move, Position>, to value: KeyPath<Move, Position>
  ) -> (key: Position, first: Position, second: Position)? {
    var known: [Position: Position] = [:]
    for move in moves {
      let second = move[keyPath: value]
      if let first = known.updateValue(second, forKey: move[keyPath: key]), first != second {
        return (move[keyPath: key], first, second)
      }
    }
    return nil
  }

  func checkDuplicateOperations() throws(BatchError) {
    let (sections, rows) = (batch.sections, batch.rows)
    try checkDuplicates("delete", sections.deletes) { .sectionBefore($0) }
    try checkDuplicates("reload", batch.reloadedSections) { .sectionBefore($0) }
    try checkDuplicates("insert", sections.inserts) { .sectionAfter($0) }
    try checkDuplicates("move", sections.moves.lazy.map(\.from)) { .sectionBefore($0) }
    try checkDuplicates("update", sections.updates.lazy.map(\.to)) { .sectionAfter($0) }
    try checkDuplicates("delete", rows.deletes) { .rowBefore($0) }
    try checkDuplicates("reload", batch.reloadedRows) { .rowBefore($0) }
    try checkDuplicates("insert", rows.inserts) { .rowAfter($0) }
    try checkDuplicates("move", rows.moves.lazy.map(\.from)) { .rowBefore($0) }
    try checkDuplicates("update", rows.updates.lazy.map(\.to)) { .rowAfter($0) }
  }

  private func checkDuplicates<Position: Hashable & Comparable & Sendable>(
    _ verb: String, _ positions: some RandomAccessCollection<Position>, at place: (Position) -> BatchPlace
  ) throws(BatchError) {
    // Operations that are listed in order, as they are as a rule, need no set.
    if zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) { return }
    var seen: Set<Position> = []
    guard let position = positions.first(where: { !seen.insert($0).inserted }) else { return }
    let place = place(position)
    try refuse(.duplicateOperation, at: [place], message: "the batch has the same \(verb) twice: \(place)")
  }
}

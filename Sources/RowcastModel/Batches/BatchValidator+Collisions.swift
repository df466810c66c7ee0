import RowcastDiff

extension BatchPlace {
  /// The words of UIKit's messages for it.
  fileprivate var uiKit: (noun: String, position: String) {
    switch self {
    case .sectionBefore(let index), .sectionAfter(let index): ("section", "\(index)")
    case .rowBefore(let path), .rowAfter(let path): ("index path", path.uiKit)
    }
  }

  /// True if this is the former of two sections, or of two rows, on one side.
  fileprivate func precedes(_ other: BatchPlace) -> Bool { path < other.path }

  private var path: RowPath {
    switch self {
    case .sectionBefore(let index), .sectionAfter(let index): RowPath(section: index, row: 0)
    case .rowBefore(let path), .rowAfter(let path): path
    }
  }
}

extension RowPath {
  var uiKit: String { "{length = 2, path = \(section) - \(row)}" }
}

extension [Int] {
  /// These sections, each before or after the batch.
  fileprivate var before: [BatchPlace] { map { .sectionBefore($0) } }
  fileprivate var after: [BatchPlace] { map { .sectionAfter($0) } }
}

extension [RowPath] {
  /// These rows, each before or after the batch.
  fileprivate var before: [BatchPlace] { map { .rowBefore($0) } }
  fileprivate var after: [BatchPlace] { map { .rowAfter($0) } }
}

// The rules that no two operations share a place: A4, A5, A7, A10 and A16. They are the same for sections and for rows, which are compared
// as places: what is compiled once for both is half as much.
extension BatchValidator {
  func checkDeletesAgainstReloads() throws(BatchError) {
    let attempt = "delete and reload"
    try check(.deleteAndReload, batch.sections.deletes.before, batch.reloadedSections.before, attempt)
    try check(.deleteAndReload, batch.rows.deletes.before, batch.reloadedRows.before, attempt)
  }

  func checkDeletesAgainstMoves() throws(BatchError) {
    let attempt = "perform a delete and a move from"
    try check(.deleteAndMove, batch.leavingSections.before, batch.sections.moves.map(\.from).before, attempt)
    try check(.deleteAndMove, batch.leavingRows.before, batch.rows.moves.map(\.from).before, attempt)
  }

  func checkInsertsAgainstMoves() throws(BatchError) {
    let attempt = "perform an insert and a move to"
    try check(.insertAndMove, batch.sections.inserts.after, batch.sections.moves.map(\.to).after, attempt)
    try check(.insertAndMove, batch.rows.inserts.after, batch.rows.moves.map(\.to).after, attempt)
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
    try check(.insertAndMove, sections.after, batch.sections.moves.map(\.to).after, attempt)
    try check(.insertAndMove, rows.after, batch.rows.moves.map(\.to).after, attempt)
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

  /// Refuses the first place of some operations that others have as well.
  private func check(
    _ rule: BatchRule, _ places: [BatchPlace], _ others: [BatchPlace], _ attempt: String
  ) throws(BatchError) {
    if places.isEmpty || others.isEmpty { return }
    guard let place = places.first(where: Set(others).contains) else { return }
    let (noun, text) = place.uiKit
    try refuse(rule, at: [place], message: "attempt to \(attempt) the same \(noun) (\(text))")
  }

  func checkMovesAreOneToOne() throws(BatchError) {
    let (sections, rows) = (batch.sections.moves, batch.rows.moves)
    // UIKit names the noun once for rows, and each time for sections.
    try checkOneToOne(sections.map(\.from).before, sections.map(\.to).after, of: "", each: "section ")
    try checkOneToOne(rows.map(\.from).before, rows.map(\.to).after, of: "row at index path ", each: "")
  }

  private func checkOneToOne(
    _ sources: [BatchPlace], _ destinations: [BatchPlace], of subject: String, each noun: String
  ) throws(BatchError) {
    guard sources.count > 1 else { return }
    func text(_ place: BatchPlace) -> String { noun + place.uiKit.position }
    if let (source, first, second) = Self.conflict(sources, destinations) {
      try refuse(
        .ambiguousMove, at: [source, first, second],
        message: "attempt to move \(subject)\(text(source)) to both \(text(first)) and \(text(second))")
    }
    if let (destination, first, second) = Self.conflict(destinations, sources) {
      try refuse(
        .ambiguousMove, at: [first, second, destination],
        message: "attempt to move both \(subject)\(text(first)) and \(text(second)) to \(text(destination))")
    }
  }

  /// The first key that two moves share although their values differ.
  private static func conflict(
    _ keys: [BatchPlace], _ values: [BatchPlace]
  ) -> (key: BatchPlace, first: BatchPlace, second: BatchPlace)? {
    var known: [BatchPlace: BatchPlace] = [:]
    for (key, second) in zip(keys, values) {
      if let first = known.updateValue(second, forKey: key), first != second { return (key, first, second) }
    }
    return nil
  }

  func checkDuplicateOperations() throws(BatchError) {
    let (sections, rows) = (batch.sections, batch.rows)
    try checkDuplicates("delete", sections.deletes.before)
    try checkDuplicates("reload", batch.reloadedSections.before)
    try checkDuplicates("insert", sections.inserts.after)
    try checkDuplicates("move", sections.moves.map(\.from).before)
    try checkDuplicates("update", sections.updates.map(\.to).after)
    try checkDuplicates("delete", rows.deletes.before)
    try checkDuplicates("reload", batch.reloadedRows.before)
    try checkDuplicates("insert", rows.inserts.after)
    try checkDuplicates("move", rows.moves.map(\.from).before)
    try checkDuplicates("update", rows.updates.map(\.to).after)
  }

  private func checkDuplicates(_ verb: String, _ places: [BatchPlace]) throws(BatchError) {
    // Operations that are listed in order, as they are as a rule, need no set.
    if zip(places, places.dropFirst()).allSatisfy({ $0.precedes($1) }) { return }
    var seen: Set<BatchPlace> = []
    guard let place = places.first(where: { !seen.insert($0).inserted }) else { return }
    try refuse(.duplicateOperation, at: [place], message: "the batch has the same \(verb) twice: \(place)")
  }
}

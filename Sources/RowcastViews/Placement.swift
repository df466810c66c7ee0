public import RowcastDiff
public import RowcastModel

/// A list whose rows are those of another one that pass, each at its place by section and order.
///
/// A row's place is found by comparing it with rows that are there, in one descent of the tree. Where the order is that
/// of the source, two rows are compared by their paths in the source, which its index finds.
@usableFromInline
struct Placement<InputSection: SectionViewModel, InputRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel>
where InputRow.ID == Row.ID {
  @usableFromInline typealias Input = ListSnapshot<InputSection, InputRow>
  /// What a row becomes; nothing if it does not pass.
  @usableFromInline typealias Transform = (InputRow) throws -> Row?

  @usableFromInline let grouping: Grouping<InputSection, Section, Row>
  @usableFromInline let order: RowOrder<Row>
  /// Whether a row for which the mapping throws keeps its place with what it was.
  @usableFromInline let keepsLast: Bool
  @usableFromInline let index: SourceIndex<InputSection, InputRow>
  @usableFromInline var output = ListOutput<Section, Row>()
  /// The rows that are left out, or keep what they were.
  @usableFromInline var failed: [Row.ID: any Error] = [:]
  /// While changes are taken in, what rows were that may come again in another section, if rows keep that.
  @usableFromInline var departed: [Row.ID: Row] = [:]
  /// The sections of the output whose rows may have several keys.
  @usableFromInline var shared = SharedSections<Section.ID, Row>()
  /// The order of the rows of each section, if the order may contradict itself.
  @usableFromInline var pivots: [Section.ID: PivotOrder<Row>] = [:]
  @usableFromInline let isOrderConsistent: Bool

  @inlinable
  init(
    _ grouping: Grouping<InputSection, Section, Row>, order: RowOrder<Row>, keepsLast: Bool = false,
    index: SourceIndex<InputSection, InputRow>
  ) {
    self.grouping = grouping
    self.order = order
    self.keepsLast = keepsLast
    self.index = index
    isOrderConsistent = order.isConsistent
  }

  /// What a row becomes. Notes it if that fails.
  @inlinable
  mutating func transformed(_ row: InputRow, _ transform: Transform) -> Row? {
    do {
      let new = try transform(row)
      if let new, new.id != row.id {
        throw ListError<Section.ID, Row.ID>.changedRowID(from: row.id, to: new.id)
      }
      forget(row.id)
      return new
    } catch {
      failed[row.id] = error
      if !keepsLast { return nil }
      output.open()
      return output.draft.find(row.id)?.row ?? departed[row.id]
    }
  }

  @inlinable
  mutating func forget(_ id: Row.ID) {
    if !failed.isEmpty { failed[id] = nil }
  }

  /// Whether a row belongs before another one of its section. The source has both.
  @inlinable
  func precedes(_ first: Row, _ second: Row) -> Bool {
    switch order.compare(first, second) {
    case .before: return true
    case .after: return false
    case .same: return index.requiredPath(ofRow: first.id) < index.requiredPath(ofRow: second.id)
    }
  }
}

// MARK: - Checking

extension Placement {
  /// Checks, in debug builds, that the counts of all parts go together. No row is looked at: that would call the app.
  @inlinable
  func checkInvariants(_ source: Input) {
    #if DEBUG
      let (list, left, sharing) = (output.snapshot, keepsLast ? 0 : failed.count, shared.rows.list.rowCount)
      assert(
        list.rowCount + left <= source.rowCount && sharing <= list.rowCount,
        "\(list.rowCount) rows, of which \(sharing) share sections, and \(left) left out come from \(source.rowCount)")
      let ordered = pivots.values.reduce(0) { $0 + $1.root.count }
      assert(ordered == (isOrderConsistent ? 0 : list.rowCount), "\(ordered) of \(list.rowCount) rows have pivots")
      assert(departed.isEmpty, "\(departed.count) rows are kept that have gone")
    #endif
  }
}

// MARK: - What is wrong with rows

extension Placement {
  /// The rows that are left out, and those whose places follow from a rule for exceptions.
  ///
  /// - Complexity: O(m) for the m rows of sections that are kept or that several keys share; O(n) if keys of the order may be unequal to
  ///   themselves, or the order is a function.
  @usableFromInline var failures: [Row.ID: any Error] {
    var failures = failed
    let list = output.snapshot
    for section in 0..<list.sectionCount {
      for (id, failure) in order.failures(in: list.rows(inSection: section), precedes) { failures[id] = failure }
    }
    guard case .keys(let grouping) = grouping, !shared.isEmpty || !grouping.kept.isEmpty else { return failures }
    for section in 0..<list.sectionCount {
      let id = list.section(at: section).id
      guard shared.contains(id) || grouping.kept[id] != nil else { continue }
      let rows = list.rows(inSection: section)
      let first = firstKey(id, rows, grouping)
      for row in rows {
        if !grouping.haveEqualKeys(row, row) {
          failures[row.id] = ArrangementFailure.unorderedKey(grouping.text(row))
        } else if grouping.compare(first, .row(row)) != .same {
          failures[row.id] = ArrangementFailure.sharedSection(key: grouping.text(row))
        }
      }
    }
    return failures
  }
}

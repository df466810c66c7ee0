public import RowcastDiff

/// The reason why a list could not be built or edited. Nothing was changed.
public enum ListError<SectionID: Hashable & Sendable, RowID: Hashable & Sendable>: Error, Hashable {
  /// Two rows have one id. The paths index the material or, for an insertion into a list, that list as it was;
  /// `second` is then the destination of the row.
  case duplicateRow(RowID, first: RowPath, second: RowPath)
  /// Two sections have one id. The indexes are those of the material or, for an insertion into a list, that list's.
  case duplicateSection(SectionID, first: Int, second: Int)
  /// No row of the list has this id.
  case unknownRow(RowID)
  /// No section of the list has this id.
  case unknownSection(SectionID)
  /// The path lies outside the list. `count` is the number of rows that the section has, without the row that is being moved.
  case rowOutOfRange(RowPath, count: Int)
  /// The section index lies outside the list, which has `count` sections, without the one that is being moved.
  case sectionOutOfRange(Int, count: Int)
  /// The changes break a rule of strict tables.
  case refused(BatchError)
  /// An update changed the id of the row, which would make it another one.
  case changedRowID(from: RowID, to: RowID)
  /// An update changed the id of the section, which would make it another one.
  case changedSectionID(from: SectionID, to: SectionID)
  /// The id of the row, given as text, is unequal to itself, like `Double.nan`. The row could never be found, so no list accepts
  /// it. The path is the one in the material, or the destination of the row.
  case nonReflexiveRowID(String, at: RowPath)
  /// The id of the section, given as text, is unequal to itself. The index is the one in the material, or the destination
  /// of the section.
  case nonReflexiveSectionID(String, at: Int)
}

extension ListError {
  /// Checks that a row may have an id at a path: the id is equal to itself, and no other row has it.
  @inlinable
  package static func check(_ id: RowID, at path: RowPath, known: RowPath?) throws(ListError) {
    if id != id || known != nil { throw refusal(of: id, at: path, known) }
  }

  @usableFromInline
  static func refusal(of id: RowID, at path: RowPath, _ known: RowPath?) -> ListError {
    if let known { .duplicateRow(id, first: known, second: path) } else { .nonReflexiveRowID("\(id)", at: path) }
  }

  /// Checks that a section may have an id at an index: the id is equal to itself, and no other section has it.
  @usableFromInline
  package static func check(_ id: SectionID, at index: Int, known: Int?) throws(ListError) {
    if let known { throw .duplicateSection(id, first: known, second: index) }
    if id != id { throw .nonReflexiveSectionID("\(id)", at: index) }
  }
}

extension ListError: CustomStringConvertible {
  /// The problem, with the values, and a remedy.
  public var description: String {
    switch self {
    case .duplicateRow(let id, let first, let second):
      "supplied item identifiers are not unique. Duplicate identifiers: \(id) (row at \(first) and row at \(second))"
    case .duplicateSection(let id, let first, let second):
      "supplied section identifiers are not unique. Duplicate identifiers: \(id) (section \(first) and section \(second))"
    case .unknownRow(let id):
      "no row has the id \(id)"
    case .unknownSection(let id):
      "no section has the id \(id)"
    case .rowOutOfRange(let path, let count):
      "row index \(path.row) is out of range: section \(path.section) has \(count) rows, use 0…\(count)"
    case .sectionOutOfRange(let index, let count):
      "section index \(index) is out of range: the list has \(count) sections, use 0…\(count)"
    case .refused(let error):
      "\(error.rule.rawValue): \(error.message)"
    case .changedRowID(let from, let to):
      "an update changed the row's id from \(from) to \(to); remove the row and insert the other one instead"
    case .changedSectionID(let from, let to):
      "an update changed the section's id from \(from) to \(to); remove the section and insert the other one instead"
    case .nonReflexiveRowID(let id, let path):
      "the row at \(path) has the id \(id), which is not equal to itself, so that nothing could find the row; "
        + "give it another id"
    case .nonReflexiveSectionID(let id, let index):
      "section \(index) has the id \(id), which is not equal to itself, so that nothing could find the section; "
        + "give it another id"
    }
  }
}

public import RowcastDiff
public import RowcastModel

/// The only section of a store of rows, whose sections and order an arrangement declares.
///
///     let chores = try ListStore([Chore(id: 7, title: "Water the plants", day: .monday)])
///     try await chores.edit { try $0.upsert(Chore(id: 8, title: "Sweep", day: .friday)) }
///     let week = chores.arranged { $0.sectioned(by: \.day) { DaySection(id: $0) }.sorted(by: \.title) }
///
/// A store has it from the beginning, and no edit removes it: removing it removes its rows. A list that is made of others may lack it,
/// such as a merge of no lists, or a window of an empty one; a store that follows that list has it, without rows.
public struct SoleSection: WireSection, Hashable {
  /// The content of the section, which is empty.
  public struct Content: Codable, Hashable, Sendable {
    /// Always `nil`, so that nothing is written; a message may have the id of the section here.
    private var id: Int?

    /// Creates the content.
    public init() {}

    /// Reads the content, which has no fields.
    ///
    /// - Throws: `DecodingError` if the id beside it is that of another section.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let id = try container.decodeIfPresent(Int.self, forKey: .id) ?? SoleSection().id
      guard id == SoleSection().id else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: container,
          debugDescription: "a list of one section has the section \(SoleSection().id), not \(id)")
      }
    }
  }

  /// Always 0.
  public var id: Int { 0 }

  /// The content of the section, which is empty.
  public var content: Content { Content() }

  /// Creates the section.
  public init() {}

  /// Creates the section from its wire form.
  public init(id: Int, content: Content) {}
}

extension ListSnapshot {
  /// The list with which a new store begins that is given this one: an empty one with ``SoleSection`` gets that.
  @inlinable package var begun: ListSnapshot {
    guard sectionCount == 0, let sole = SoleSection() as? Section else { return self }
    return ListSnapshot(unchecked: [ListSection(sole)])
  }
}

extension ListEditor {
  /// Replaces the row with the same id, or adds the row at the end of the last section. A list of ``SoleSection`` has one.
  ///
  /// - Throws: `sectionOutOfRange` if the row is new and the list has no section, `nonReflexiveRowID`.
  /// - Complexity: O(log n).
  @inlinable
  public mutating func upsert(_ row: Row) throws(Failure) {
    if let (path, old) = draft.find(row.id) { return draft.replaceRow(old, at: path, with: row) }
    guard lacksSole || snapshot.sectionCount > 0 else { throw .sectionOutOfRange(0, count: 0) }
    let last = max(0, snapshot.sectionCount - 1)
    try insert(row, at: RowPath(section: last, row: rowCount(inSection: last)))
  }
}

extension ListEditor where Section == SoleSection {
  /// Inserts a row at the end of the list.
  ///
  /// - Throws: `duplicateRow` if the list has a row with this id, `nonReflexiveRowID`.
  /// - Complexity: O(log n).
  @inlinable
  public mutating func append(_ row: Row) throws(Failure) { try append(row, to: SoleSection().id) }

  /// Replaces all rows of the list. Subscribers get the difference.
  ///
  /// - Parameter rows: All rows, in order.
  /// - Throws: `duplicateRow` if an id is twice among them, `nonReflexiveRowID`.
  /// - Complexity: O(n) for n rows before and after.
  @inlinable
  public mutating func set(_ rows: any Sequence<Row>) throws(Failure) {
    try replaceRows(in: SoleSection().id, with: rows)
  }
}

extension ListStore where Section == SoleSection {
  /// Creates a store of rows, in order, with a policy for ids that occur twice; see ``init(_:history:clock:)`` for the other
  /// parameters.
  ///
  /// - Throws: `duplicateRow` for the first id that occurs again, unless `duplicates` says otherwise.
  /// - Complexity: O(n) for n rows.
  @inlinable
  public init<Time: Clock>(
    _ rows: some Sequence<Row>, duplicates: DuplicatePolicy = .reject, history: ListHistory = .none,
    clock: Time = ContinuousClock()
  ) throws(ListError<SoleSection.ID, Row.ID>) where Time.Duration == Duration {
    self.init(
      try ListSnapshot([ListSection(SoleSection(), rows: Array(rows))], duplicates: duplicates), history: history,
      clock: clock)
  }

  /// Replaces all rows of the list in one transaction. Subscribers get the difference.
  ///
  /// - Parameter rows: All rows, in order.
  /// - Throws: `ListError.duplicateRow` if an id is twice among them; ``ListStoreError/finished`` after ``finish()``.
  /// - Complexity: O(n) for n rows before and after.
  @inlinable
  public nonisolated func set(_ rows: any Sequence<Row> & Sendable) async throws {
    try await edit { try $0.set(rows) }
  }
}

public import RowcastModel

/// A row of the tests' lists.
public struct TestRow: RowViewModel, Codable, Hashable {
  /// Which row this is.
  public let id: Int
  /// What it shows.
  public var text: String

  /// Creates a row.
  public init(_ id: Int, _ text: String = "") {
    self.id = id
    self.text = text
  }

  /// Told of each comparison that a task causes, wherever it happens: work is counted with it.
  @TaskLocal public static var onComparison: (@Sendable () -> Void)?

  /// Compares ids and texts.
  public static func == (lhs: TestRow, rhs: TestRow) -> Bool {
    onComparison?()
    return lhs.id == rhs.id && lhs.text == rhs.text
  }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Texts that end in "¿" are shown by cells of another kind.
  public var reuseIdentifier: String { text.hasSuffix("¿") ? "other" : _typeName(Self.self, qualified: true) }
}

/// A section of the tests' lists.
public struct TestSection: WireSection, Hashable {
  /// What a section shows.
  public struct Content: Codable, Hashable, Sendable {
    /// The header.
    public var title: String
  }

  /// Which section this is.
  public let id: String
  /// What it shows.
  public var content: Content

  /// Creates a section from its wire form.
  public init(id: String, content: Content) {
    self.id = id
    self.content = content
  }

  /// Creates a section.
  public init(_ id: String, _ title: String = "") {
    self.init(id: id, content: Content(title: title))
  }
}

/// The tests' snapshots.
public typealias TestSnapshot = ListSnapshot<TestSection, TestRow>
/// The tests' updates.
public typealias TestUpdate = ListUpdate<TestSection, TestRow>

extension ListSnapshot<TestSection, TestRow> {
  /// A list from section names and row ids: `TestSnapshot.of(("a", [1, 2]), ("b", []))`.
  public static func of(_ sections: (String, [Int])...) throws -> TestSnapshot {
    try TestSnapshot(sections.map { ListSection(TestSection($0.0), rows: $0.1.map { TestRow($0) }) })
  }

  /// A random list over small id ranges, so that lists have much in common.
  public static func random(
    sections: Int, rows: Int, contents: Int = 2, using random: inout SeededGenerator
  ) throws -> TestSnapshot {
    let names = (0..<sections).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
    var ids = (0..<rows).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }.shuffled(using: &random)[...]
    return try TestSnapshot(
      names.enumerated().map { position, name in
        let last = position == names.count - 1
        let taken = ids.prefix(last ? ids.count : Int.random(in: 0...ids.count, using: &random))
        ids = ids.dropFirst(taken.count)
        let title = String(Int.random(in: 0..<contents, using: &random))
        return ListSection(
          TestSection("s\(name)", title),
          rows: taken.map { id in
            let content = Int.random(in: 0..<contents, using: &random)
            return TestRow(id, content < 2 ? "\(content)" : "\(content)¿")
          })
      })
  }
}

/// The place of a row in a sectioned list: the index of its section, and its index inside that section.
///
/// A path is valid for one list. The documentation of every interface states if its paths are those *before* or *after* a
/// change.
public struct RowPath: Hashable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index of the row inside its section.
  public var row: Int

  /// Creates a path from a section index and a row index inside that section.
  @inlinable
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension RowPath: Comparable {
  /// Orders paths as a reader meets the rows: by section, then by row.
  @inlinable
  public static func < (lhs: RowPath, rhs: RowPath) -> Bool {
    lhs.section == rhs.section ? lhs.row < rhs.row : lhs.section < rhs.section
  }
}

extension RowPath: CustomStringConvertible {
  /// The path as `section-row`, the notation of UIKit's index paths.
  public var description: String { "\(section)-\(row)" }
}

extension RowPath: Codable {
  /// Reads a path from an array of two integers, `[section, row]`.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(section: try container.decode(Int.self), row: try container.decode(Int.self))
  }

  /// Writes the path as an array of two integers, `[section, row]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(section)
    try container.encode(row)
  }
}

/// A section that can be sent to another process: its id, and the rest of its content as one value.
///
///     struct Channel: WireSection {
///       struct Content: Codable, Equatable, Sendable { var title: String }
///       let id: String
///       var content: Content
///     }
public protocol WireSection<ID>: SectionViewModel where ID: Codable {
  /// The content of the section without its id. On the wire its fields are beside `id` and `rows`, so they must have other names,
  /// and other names than `from` and `to`.
  associatedtype Content: Codable & Equatable & Sendable

  /// The content of the section.
  var content: Content { get }

  /// Makes a section from its id and its content.
  init(id: ID, content: Content)
}

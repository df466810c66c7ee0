/// What a section of a list shows, without its rows: an identified, comparable value.
///
/// `id` says *which* section this is, `==` *what* its header shows. The rows of a section are no part of it.
///
///     struct Channel: SectionViewModel {
///       let id: String
///       var title: String
///     }
public protocol SectionViewModel<ID>: Identifiable, Equatable, Sendable where ID: Sendable {
  /// The kind of view that shows this section's header. The default is the fully qualified name of the type.
  var reuseIdentifier: String { get }
}

extension SectionViewModel {
  /// The fully qualified name of the section's type.
  public var reuseIdentifier: String { String(reflecting: Self.self) }
}

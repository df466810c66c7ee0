/// The content of a cell: an identified, comparable value. A row or a section of a list.
///
/// `id` is its identity, `==` compares its content.
public protocol ListViewModel<ID>: Identifiable, Equatable, Sendable where ID: Sendable {
  /// The kind of cell that shows this. The default is the fully qualified name of the type.
  var reuseIdentifier: String { get }
}

extension ListViewModel {
  /// The fully qualified name of the type.
  @inlinable
  public var reuseIdentifier: String {
    // The result of `String(reflecting:)`, without its casts: a table needs it for each visible row.
    _typeName(Self.self, qualified: true)
  }
}

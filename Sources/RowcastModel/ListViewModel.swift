/// What a cell shows: an identified, comparable value. A row or a section of a list.
///
/// `id` says *which* one this is, `==` *what* it shows.
public protocol ListViewModel<ID>: Identifiable, Equatable, Sendable where ID: Sendable {
  /// The kind of cell that shows this. The default is the fully qualified name of the type.
  var reuseIdentifier: String { get }
}

extension ListViewModel {
  /// The fully qualified name of the type.
  @inlinable
  public var reuseIdentifier: String {
    // What `String(reflecting:)` prints, without the casts that it tries first: a table needs it for each row that it shows.
    _typeName(Self.self, qualified: true)
  }
}

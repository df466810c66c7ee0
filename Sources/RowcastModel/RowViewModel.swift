/// What a row of a list shows: an identified, comparable value.
///
/// `id` says *which* row this is: it stays the same for as long as the row exists. `==` says *what* it shows: two
/// values with equal ids that are not equal are one row before and after an update. A list of several kinds of rows
/// uses an enum, or ``AnyRow``.
///
///     struct Message: RowViewModel {
///       let id: UUID
///       var text: String
///     }
public protocol RowViewModel<ID>: Identifiable, Equatable, Sendable where ID: Sendable {
  /// The kind of cell that shows this row. The default is the fully qualified name of the type.
  var reuseIdentifier: String { get }
}

extension RowViewModel {
  /// The fully qualified name of the row's type.
  public var reuseIdentifier: String { String(reflecting: Self.self) }
}

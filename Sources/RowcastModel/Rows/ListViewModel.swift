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

/// A row of a list: an identified, comparable value.
///
/// `id` is the identity of the row, and stays the same for as long as the row exists. `==` compares its content: two
/// unequal values with equal ids are one row before and after an update. A list of several kinds of rows
/// uses an enum, or ``AnyRow``.
///
///     struct Message: RowViewModel {
///       let id: UUID
///       var text: String
///     }
///
/// A row that is unequal to itself, because it stores a NaN, has changed only if another of its stored values has, each
/// by its own `==`.
///
/// Unless a type says otherwise, its fully qualified name is the `reuseIdentifier`: the kind of cell that shows it.
public protocol RowViewModel<ID>: ListViewModel {}

/// A section of a list, without its rows: an identified, comparable value.
///
/// `id` is the identity of the section, `==` compares the content of its header. The rows of a section are not part of it.
///
///     struct Channel: SectionViewModel {
///       let id: String
///       var title: String
///     }
public protocol SectionViewModel<ID>: ListViewModel {}

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
/// A row that is unequal to itself, because it stores a NaN, has changed only if another of its stored values has.
///
/// Unless a type says otherwise, its fully qualified name is the `reuseIdentifier`: the kind of cell that shows it.
public protocol RowViewModel<ID>: ListViewModel {}

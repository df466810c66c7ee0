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
///
/// A row that is not equal to itself, as one with a number in it that is none, has changed only if something else that it
/// stores is not equal.
///
/// Unless a type says otherwise, its fully qualified name is the `reuseIdentifier`: the kind of cell that shows it.
public protocol RowViewModel<ID>: ListViewModel {}

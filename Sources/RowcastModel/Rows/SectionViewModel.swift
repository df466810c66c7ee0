/// A section of a list, without its rows: an identified, comparable value.
///
/// `id` is the identity of the section, `==` compares the content of its header. The rows of a section are not part of it.
///
///     struct Channel: SectionViewModel {
///       let id: String
///       var title: String
///     }
public protocol SectionViewModel<ID>: ListViewModel {}

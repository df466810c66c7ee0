/// What a section of a list shows, without its rows: an identified, comparable value.
///
/// `id` says *which* section this is, `==` *what* its header shows. The rows of a section are not part of it.
///
///     struct Channel: SectionViewModel {
///       let id: String
///       var title: String
///     }
public protocol SectionViewModel<ID>: ListViewModel {}

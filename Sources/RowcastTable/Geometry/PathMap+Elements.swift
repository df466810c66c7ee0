import RowcastDiff
import RowcastModel

extension PathMap {
  /// The place after the change of what a table shows, or `nil` if it is deleted.
  func after(_ element: TableElement) -> TableElement? {
    switch element {
    case .row(let path): after(path).map { .row($0) }
    case .header(let index): after(section: index).map { .header(section: $0) }
    case .footer(let index): after(section: index).map { .footer(section: $0) }
    }
  }
}

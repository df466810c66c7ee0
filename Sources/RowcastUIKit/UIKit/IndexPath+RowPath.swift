#if canImport(UIKit) && !os(watchOS)
  public import Rowcast
  public import UIKit

  extension IndexPath {
    /// The index path of UIKit with the section and the row of a path.
    public init(_ path: RowPath) { self.init(row: path.row, section: path.section) }
  }

  extension RowPath {
    /// The path with the section and the row, or the item, of UIKit's index path.
    public init(_ path: IndexPath) { self.init(section: path.section, row: path.row) }
  }
#endif

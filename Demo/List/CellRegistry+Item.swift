import Rowcast
import RowcastConsole

extension CellRegistry<Item> {
  /// Events may name any kind of row; all are shown by lines of text, each kind with its own cells.
  static var lines: CellRegistry {
    var registry = CellRegistry()
    registry.registerFallback(ConsoleCell<Item>.self)
    return registry
  }

  /// Processes or files in columns.
  static func columns(_ columns: [ConsoleColumn<Item>]) -> CellRegistry {
    var registry = CellRegistry()
    for kind in ["process"] + FileKind.allCases.map(\.rawValue) { registry.registerColumns(columns, forRowsOf: kind) }
    return registry
  }
}

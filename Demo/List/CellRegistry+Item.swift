import Rowcast
import RowcastConsole

extension CellRegistry<Item> {
  /// Events may name any kind of row; all are shown by lines of text, each kind with its own cells.
  static var lines: CellRegistry {
    var registry = CellRegistry()
    registry.registerFallback(ConsoleCell<Item>.self)
    return registry
  }
}

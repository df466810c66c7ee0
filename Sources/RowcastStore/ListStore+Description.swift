// The list itself is behind the actor, where a reader without `await` would meet a writer.

extension ListStore: CustomStringConvertible, CustomReflectable {
  /// The types of the list, and the epoch of its run. Its revision and its rows are read with `await`: ``position``, ``snapshot``.
  public nonisolated var description: String { "ListStore of \(Section.self) and \(Row.self), run \(epoch)" }

  /// The epoch of the run, and nothing of the list.
  public nonisolated var customMirror: Mirror { Mirror(self, children: ["epoch": epoch]) }
}

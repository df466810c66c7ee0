public import RowcastDiff
public import RowcastModel

extension ListNode {
  /// A list that is made from others. `pull` brings these up to date and returns true if any of them changed; `step` brings the
  /// list up to date with them and returns true if it changed.
  @inlinable
  static func derived(
    pull: @escaping () -> Bool, rebuild: @escaping () -> Void, step: @escaping () -> Bool,
    snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var isBuilt = false
    return ListNode(
      pull: {
        let isChanged = pull()
        if isBuilt { return isChanged && step() }
        // The others may have been pulled before this list was built.
        rebuild()
        isBuilt = !ValueLifetime.isOver
        return true
      },
      snapshot: snapshot, path: path, failures: failures)
  }

  /// A list that is made from one other; see ``derived(pull:rebuild:step:snapshot:path:failures:)``. A step leads from the former
  /// to the current version of the other list.
  @inlinable
  static func following<InputSection, InputRow>(
    _ upstream: ListNode<InputSection, InputRow>, rebuild: @escaping (ListSnapshot<InputSection, InputRow>) -> Void,
    step: @escaping (ListSnapshot<InputSection, InputRow>, ListSnapshot<InputSection, InputRow>) -> Bool,
    snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var former = ListSnapshot<InputSection, InputRow>()
    return derived(
      pull: upstream.pull,
      rebuild: {
        former = upstream.snapshot()
        rebuild(former)
      },
      step: {
        let after = upstream.snapshot()
        return step(exchange(&former, with: after), after)
      }, snapshot: snapshot, path: path, failures: failures)
  }

  /// A list that is made from one other by editing. `edit` edits changes into the output.
  @inlinable
  static func editing<InputSection, InputRow>(
    _ upstream: ListNode<InputSection, InputRow>, _ output: ListOutput<Section, Row>,
    rebuild: @escaping (ListSnapshot<InputSection, InputRow>) -> Void,
    edit:
      @escaping (
        ListChanges, _ before: ListSnapshot<InputSection, InputRow>, _ after: ListSnapshot<InputSection, InputRow>
      ) -> Void,
    failures: @escaping () -> [Row.ID: any Error]
  ) -> ListNode {
    following(
      upstream, rebuild: rebuild,
      step: { before, after in
        let list = output.snapshot
        edit(before.changes(to: after), before, after)
        return output.commit(from: list)
      }, snapshot: { output.snapshot }, path: { output.path(ofRow: $0) }, failures: failures)
  }
}


extension ListSnapshot {
  /// True if rebuilding an operator's list takes less than editing the changes of so many of its rows into it.
  @inlinable
  func isBetterRebuilt(for count: Int) -> Bool { count > 64 + rowCount / 4 }
}

import RowcastModel

/// What the operators of a list make of one row: noted while they are brought up to date for an explanation.
///
/// It makes nodes that note their lists. They are in the order in which they are brought up to date: a list after those that it
/// is made of.
@usableFromInline
final class RowTrace {
  /// What a list has of the row, and why it would not have it, if the list before has.
  struct Step {
    let hasRow: Bool
    let refusal: String
    let failure: (any Error)?
  }

  let id: AnyHashable
  private var looks: [() -> Step] = []
  /// Above zero while a list is brought up to date whose rows are others.
  private var asides = 0

  init(_ id: AnyHashable) { self.id = id }

  /// Begins anew, as all lists are brought up to date.
  func begin() { looks = [] }

  /// The node, noted in place of what comes before it where its rows have ids of their own.
  func noting<Section, Row>(_ node: ListNode<Section, Row>, _ refusal: @escaping () -> String) -> ListNode<Section, Row>
  {
    ListNode(
      pull: {
        defer {
          if self.asides == 0, let id = self.id.base as? Row.ID {
            self.looks.append {
              Step(
                hasRow: node.snapshot().scanForPath(ofRow: id) != nil, refusal: refusal(), failure: node.failures()[id])
            }
          }
        }
        return node.pull()
      }, snapshot: node.snapshot, path: node.path, failures: node.failures)
  }

  /// A node that several operators read. Each takes it for changed.
  func shared<Section, Row>(_ node: ListNode<Section, Row>) -> ListNode<Section, Row> {
    ListNode(
      pull: {
        _ = node.pull()
        return true
      }, snapshot: node.snapshot, path: node.path, failures: node.failures)
  }

  /// The node, with nothing noted of it and what is before it.
  func aside<Section, Row>(_ node: ListNode<Section, Row>) -> ListNode<Section, Row> {
    ListNode(
      pull: {
        self.asides += 1
        defer { self.asides -= 1 }
        return node.pull()
      }, snapshot: node.snapshot, path: node.path, failures: node.failures)
  }

  /// The node. In place of what is before it, another one is noted.
  func noting<Section, Row, OtherSection, OtherRow>(
    _ node: ListNode<Section, Row>, after other: ListNode<OtherSection, OtherRow>
  ) -> ListNode<Section, Row> {
    let node = aside(node)
    return ListNode(
      pull: {
        _ = other.pull()
        return node.pull()
      }, snapshot: node.snapshot, path: node.path, failures: node.failures)
  }

  /// Which of several filters refuses a row of a list.
  func refusal<Section, Row>(of row: Row.ID, in list: ListNode<Section, Row>, by filter: RowFilter<Row>?) -> String? {
    guard let path = list.snapshot().scanForPath(ofRow: row), let filters = filter?.parts else { return nil }
    let row = list.snapshot().row(at: path)
    return filters.firstIndex { !$0(row) }.map {
      filters.count == 1 ? "a filter refuses it" : "filter \($0 + 1) of \(filters.count) refuses it"
    }
  }

  /// What keeps the row out of the last list, or is wrong with it there.
  func reason(isShown: Bool) -> String? {
    let steps = looks.map { $0() }
    var step = steps.last
    if !isShown {
      let next = steps.lastIndex { $0.hasRow }.map { $0 + 1 }
      step = next.flatMap { $0 < steps.count ? steps[$0] : nil } ?? steps.last { $0.failure != nil }
    }
    if let failure = step?.failure { return "its row cannot be made: \(failure)" }
    return isShown ? nil : step?.refusal ?? "no source has it"
  }
}

extension Upstreams {
  /// A node, noted if a row is explained. `refusal` says why a row of the list before is not in this one.
  @usableFromInline
  func noting<Section, Row>(_ node: ListNode<Section, Row>, _ refusal: String) -> ListNode<Section, Row> {
    trace?.noting(node) { refusal } ?? node
  }

  /// A node whose rows are others than those of the list that is made of it.
  @usableFromInline
  func aside<Section, Row>(_ node: ListNode<Section, Row>) -> ListNode<Section, Row> { trace?.aside(node) ?? node }
}
